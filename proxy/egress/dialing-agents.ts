import { type Agent, type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { type Dial, dial } from './dial';

/** What a request to one of the agents says besides Node's own options. */
export interface DialingRequest {
  readonly dial: Dial;
}

type Callback = ((error: Error | null, socket: Duplex) => void) | undefined;

/** Without a limit: a request that waits for a socket would get one dialled for another request. */
const OPTIONS = { keepAlive: true } as const;

const failures = new WeakSet<object>();

/** True for an error of dialling: no byte of the request can have reached the server. */
export function neverConnected(error: unknown): boolean {
  return typeof error === 'object' && error !== null && failures.has(error);
}

class DialingHttpAgent extends HttpAgent {
  override createConnection(options: ClientRequestArgs, callback: Callback): undefined {
    dialInto(options, callback);
  }
}

class DialingHttpsAgent extends HttpsAgent {
  override createConnection(options: ClientRequestArgs, callback: Callback): undefined {
    dialInto(options, callback);
  }
}

/** Node's pools of open sockets, with new ones made by `dial`. */
export function dialingAgents(): { readonly http: Agent; readonly https: HttpsAgent } {
  return { http: new DialingHttpAgent(OPTIONS), https: new DialingHttpsAgent(OPTIONS) };
}

function dialInto(options: ClientRequestArgs, callback: Callback): void {
  // Node hands the options of the request on as they are.
  const { dial: wanted } = options as ClientRequestArgs & DialingRequest;
  dial(wanted).then(
    (socket) => callback?.(null, socket),
    (error: Error) => {
      failures.add(error);
      // After an error Node does not look for a socket.
      callback?.(error, undefined as never);
    },
  );
}
