import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '@/lib/replay/outlet';
import type { Replay, ReplayHost } from '@/lib/replay/replay';
import { ReplayConnection } from '@/lib/replay/replay-connection';
import { LIMITS } from '@/lib/wire/limits';
import { bareReply, sendReply } from '../http/reply';
import { type Endpoint, headerOf, post } from './post';
import { SideStream } from './side-stream';

interface Session {
  readonly connection: ReplayConnection;
  readonly side: SideStream;
}

/** As before 2026-07-28: sessions, each with a stream for what belongs to no request. */
export function legacyEndpoint(replay: Replay, host: Omit<ReplayHost, 'side'>): Endpoint {
  const sessions = new LegacySessions(replay, host);
  const handlers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
    POST: (request, response) =>
      post(request, response, replay, ({ method }) => {
        const session = method === 'initialize' ? sessions.begin(response) : sessions.of(request, response);
        return session && { connection: session.connection, callsOffByClosing: false };
      }),
    GET: (request, response) => {
      if (sessions.of(request, response)?.side.open(response) === false) sendReply(response, bareReply(409));
    },
    DELETE: (request, response) => {
      if (!sessions.of(request, response)) return;
      sessions.end(headerOf(request, 'mcp-session-id')!);
      sendReply(response, bareReply(200));
    },
  };
  return {
    async handle(request, response) {
      const handler = Object.hasOwn(handlers, request.method ?? '') ? handlers[request.method!] : undefined;
      if (handler) await handler(request, response);
      else sendReply(response, bareReply(405));
    },
    end: () => sessions.endAll(),
  };
}

/** The sessions that there are, by id; beyond {@link LIMITS.replaySessions} the oldest ends. */
class LegacySessions {
  readonly #replay: Replay;
  readonly #host: Omit<ReplayHost, 'side'>;
  readonly #byId = new Map<string, Session>();

  constructor(replay: Replay, host: Omit<ReplayHost, 'side'>) {
    this.#replay = replay;
    this.#host = host;
  }

  /** Begins one, and tells the client its id. */
  begin(response: ServerResponse): Session {
    const side = new SideStream();
    const session = { side, connection: new ReplayConnection(this.#replay, { ...this.#host, side }) };
    const id = randomUUID();
    this.#byId.set(id, session);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > LIMITS.replaySessions) this.end(oldest!);
    response.setHeader('Mcp-Session-Id', id);
    session.connection.begin();
    return session;
  }

  /** The request's session; undefined, and the request is answered, if it has none that we know. */
  of(request: IncomingMessage, response: ServerResponse): Session | undefined {
    const spoken = this.#replay.session.version;
    const session = this.#byId.get(headerOf(request, 'mcp-session-id') ?? '');
    const version = headerOf(request, 'mcp-protocol-version');
    const other = version !== undefined && spoken !== undefined && version !== spoken;
    if (session && !other) return session;
    const missing = headerOf(request, 'mcp-session-id') === undefined;
    const message = session
      ? `This session speaks ${spoken}.`
      : missing
        ? 'Mcp-Session-Id is missing.'
        : 'There is no such session.';
    const body = errorText('null', session || missing ? -32000 : -32001, message);
    sendReply(response, { status: session || missing ? 400 : 404, type: 'application/json', body });
    return undefined;
  }

  end(id: string): void {
    const session = this.#byId.get(id);
    this.#byId.delete(id);
    session?.connection.end();
    session?.side.end();
  }

  endAll(): void {
    for (const id of [...this.#byId.keys()]) this.end(id);
  }
}
