import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '@/lib/replay/outlet';
import type { Replay, ReplayHost } from '@/lib/replay/replay';
import { bareReply, sendReply } from '../http/reply';
import { EventStream } from './event-stream';
import { KeptEvents } from './kept-events';
import { type LegacySession, LegacySessions } from './legacy-sessions';
import { type Endpoint, headerOf, post } from './post';

/** As before 2026-07-28: sessions, each with a stream for what belongs to no request. */
export function legacyEndpoint(replay: Replay, host: Omit<ReplayHost, 'side'>): Endpoint {
  const kept = replay.session.streams.size > 0 ? new KeptEvents<EventStream>() : undefined;
  const sessions = new LegacySessions(replay, host, kept);
  const handlers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
    POST: (request, response) =>
      post(request, response, replay, ({ method }) => {
        const session = method === 'initialize' ? sessions.begin(response) : sessions.of(request, response);
        const resumable = session && kept && new EventStream(session.id, kept);
        return session && { connection: session.connection, callsOffByClosing: false, ...(resumable && { resumable }) };
      }),
    GET: (request, response) => {
      const session = sessions.of(request, response);
      const after = headerOf(request, 'last-event-id');
      if (session && after !== undefined && kept) goOn(session, after, kept, response);
      else if (session?.side.open(response) === false) sendReply(response, bareReply(409));
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

/** The rest of a stream, or that there is none: 204 is what keeps clients from asking again. */
function goOn(session: LegacySession, after: string, events: KeptEvents<EventStream>, response: ServerResponse): void {
  const stream = events.streamOf(after);
  if (stream?.session !== session.id) {
    const body = errorText('null', -32000, 'There is no such event, or it was too long ago.');
    sendReply(response, { status: 400, type: 'application/json', body });
  } else if (stream === session.side.stream) session.side.open(response, after);
  else if (!stream.open(response, after)) sendReply(response, { status: 204 });
}
