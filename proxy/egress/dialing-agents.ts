import { type Agent, type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@/lib/wire/limits';
import { type Dial, dial } from './dial';

/** What a request to one of the agents says besides Node's own options. */
export interface DialingRequest {
  readonly dial: Dial;
}

type Callback = ((error: Error | null, socket: Duplex) => void) | undefined;

const OPTIONS = { keepAlive: true, maxSockets: LIMITS.socketsPerServer } as const;

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
    // After an error Node does not look for a socket.
    (error: Error) => callback?.(error, undefined as never),
  );
}
