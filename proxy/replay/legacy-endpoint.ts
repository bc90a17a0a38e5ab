import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '@/lib/replay/outlet';
import type { Replay, ReplayHost } from '@/lib/replay/replay';
import { ReplayConnection } from '@/lib/replay/replay-connection';
import { LIMITS } from '@/lib/wire/limits';
import { bareReply, sendReply } from '../http/reply';
import { EventStream } from './event-stream';
import { KeptEvents } from './kept-events';
import { type Endpoint, headerOf, post } from './post';
import { SideStream } from './side-stream';

interface Session {
  readonly id: string;
  readonly connection: ReplayConnection;
  readonly side: SideStream;
}

/** As before 2026-07-28: sessions, each with a stream for what belongs to no request. */
export function legacyEndpoint(replay: Replay, host: Omit<ReplayHost, 'side'>): Endpoint {
  const sessions = new Map<string, Session>();
  const kept = replay.session.streams.size > 0 ? new KeptEvents<EventStream>() : undefined;

  const begin = (response: ServerResponse): Session => {
    const id = randomUUID();
    const side = new SideStream(new EventStream(id, kept));
    const session = { id, side, connection: new ReplayConnection(replay, { ...host, side }) };
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
    session?.side.stream.end();
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

  /** The rest of a stream, or that there is none: 204 is what keeps clients from asking again. */
  const goOn = (session: Session, after: string, events: KeptEvents<EventStream>, response: ServerResponse): void => {
    const stream = events.streamOf(after);
    if (stream?.session !== session.id) {
      const body = errorText('null', -32000, 'There is no such event, or it was too long ago.');
      sendReply(response, { status: 400, type: 'application/json', body });
    } else if (stream === session.side.stream) session.side.open(response, after);
    else if (!stream.open(response, after)) sendReply(response, { status: 204 });
  };

  const handlers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
    POST: (request, response) =>
      post(request, response, replay, ({ method }) => {
        const session = method === 'initialize' ? begin(response) : sessionOf(request, response);
        const resumable = session && kept && new EventStream(session.id, kept);
        return session && { connection: session.connection, callsOffByClosing: false, ...(resumable && { resumable }) };
      }),
    GET: (request, response) => {
      const session = sessionOf(request, response);
      const after = headerOf(request, 'last-event-id');
      if (session && after !== undefined && kept) goOn(session, after, kept, response);
      else if (session?.side.open(response) === false) sendReply(response, bareReply(409));
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
