import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerMismatch } from '@/lib/replay/header-mismatch';
import { errorText } from '@/lib/replay/outlet';
import type { Replay, ReplayHost } from '@/lib/replay/replay';
import { ReplayConnection } from '@/lib/replay/replay-connection';
import { type Outgoing, readOutgoing } from '@/lib/transports/outgoing';
import { ParamHeaders } from '@/lib/transports/param-headers';
import { LIMITS } from '@/lib/wire/limits';
import { readBody } from '../http/read-body';
import { bareReply, sendReply } from '../http/reply';
import { PostOutlet } from './post-outlet';
import { SideStream } from './side-stream';

/** The one URL of a replay. */
export interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends all sessions. */
  end(): void;
}

/** Where to send a client's message; `gone`: its connection ending is how the client calls off. */
interface Counterpart {
  readonly connection: ReplayConnection;
  readonly callsOffByClosing: boolean;
}

/** One session of the legacy era. */
interface Session {
  readonly connection: ReplayConnection;
  readonly side: SideStream;
}

/** As the recording's era has it: sessions and their streams (legacy), or POSTs that stand for themselves (modern). */
export function createEndpoint(replay: Replay, host: Omit<ReplayHost, 'side'>): Endpoint {
  return replay.session.era === 'modern' ? modernEndpoint(replay, host) : legacyEndpoint(replay, host);
}

function modernEndpoint(replay: Replay, host: Omit<ReplayHost, 'side'>): Endpoint {
  const connection = new ReplayConnection(replay, { ...host, side: { tell: () => {} } });
  const tools = recordedTools(replay);
  return {
    async handle(request, response) {
      if (request.method !== 'POST') sendReply(response, bareReply(405));
      else {
        await post(request, response, replay, (message) => {
          const refused = headerMismatch(message, tools, (name) => headerOf(request, name));
          if (!refused) return { connection, callsOffByClosing: true };
          const body = errorText(JSON.stringify(message.ids[0] ?? null), refused.code, refused.message);
          sendReply(response, { status: 400, type: 'application/json', body });
          return undefined;
        });
      }
    },
    end: () => connection.end(),
  };
}

/** Some arguments of the recorded tools have to be repeated in headers. */
function recordedTools({ session }: Replay): ParamHeaders {
  const tools = new ParamHeaders();
  for (const message of session.sent) {
    if (message.method !== 'tools/list' || message.kind !== 'call' || message.answer?.kind !== 'result') continue;
    tools.learn(`{"result":${message.answer.text}}`);
  }
  return tools;
}

function legacyEndpoint(replay: Replay, host: Omit<ReplayHost, 'side'>): Endpoint {
  const sessions = new Map<string, Session>();

  const begin = (response: ServerResponse): Session => {
    const side = new SideStream();
    const session = { side, connection: new ReplayConnection(replay, { ...host, side }) };
    const id = randomUUID();
    sessions.set(id, session);
    const [oldest] = sessions.keys();
    if (sessions.size > LIMITS.replaySessions) end(oldest!);
    response.setHeader('Mcp-Session-Id', id);
    session.connection.begin();
    return session;
  };

  const end = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    session?.connection.end();
    session?.side.end();
  };

  /** The request's session; undefined, and the request is answered, if it has none that we know. */
  const sessionOf = (request: IncomingMessage, response: ServerResponse): Session | undefined => {
    const session = sessions.get(headerOf(request, 'mcp-session-id') ?? '');
    const version = headerOf(request, 'mcp-protocol-version');
    const other = version !== undefined && replay.session.version !== undefined && version !== replay.session.version;
    if (session && !other) return session;
    const missing = headerOf(request, 'mcp-session-id') === undefined;
    const message = session
      ? `This session speaks ${replay.session.version}.`
      : missing
        ? 'Mcp-Session-Id is missing.'
        : 'There is no such session.';
    const body = errorText('null', session || missing ? -32000 : -32001, message);
    sendReply(response, { status: session || missing ? 400 : 404, type: 'application/json', body });
    return undefined;
  };

  const handlers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
    POST: (request, response) =>
      post(request, response, replay, ({ method }) => {
        const session = method === 'initialize' ? begin(response) : sessionOf(request, response);
        return session && { connection: session.connection, callsOffByClosing: false };
      }),
    GET: (request, response) => {
      if (sessionOf(request, response)?.side.open(response) === false) sendReply(response, bareReply(409));
    },
    DELETE: (request, response) => {
      if (!sessionOf(request, response)) return;
      end(headerOf(request, 'mcp-session-id')!);
      sendReply(response, bareReply(200));
    },
  };
  return {
    async handle(request, response) {
      const handler = Object.hasOwn(handlers, request.method ?? '') ? handlers[request.method!] : undefined;
      if (handler) await handler(request, response);
      else sendReply(response, bareReply(405));
    },
    end: () => {
      for (const id of [...sessions.keys()]) end(id);
    },
  };
}

/** Hands one POST to whom it is for. `counterpart` undefined: it was refused, and answered. */
async function post(
  request: IncomingMessage,
  response: ServerResponse,
  { session }: Replay,
  counterpart: (message: Outgoing) => Counterpart | undefined,
): Promise<void> {
  const accepts = headerOf(request, 'accept') ?? '';
  if (!/\*\/\*|text\/event-stream/.test(accepts) || !/\*\/\*|application\/json/.test(accepts)) {
    sendReply(response, bareReply(406), true);
    return;
  }
  const body = await readBody(request, LIMITS.httpBodyBytes);
  if (body === undefined) {
    sendReply(response, bareReply(413), true);
    return;
  }
  const found = counterpart(readOutgoing(body));
  if (!found) return;
  const received = found.connection.receive(body, new PostOutlet(response, session.era));
  if (received.requests === 0) sendReply(response, { status: 202 });
  else if (found.callsOffByClosing) response.on('close', received.abandon);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
