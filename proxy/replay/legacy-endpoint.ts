import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswerText } from '@/lib/replay/server/messages-to-client';
import type { SideChannel } from '@/lib/replay/server/replay';
import { bareReply, sendReply } from '@/proxy/http/reply';
import type { Backend, BackendConnection } from './backend';
import { EventHistory, EventStream } from './event-stream';
import { type Endpoint, post, requestHeader } from './post';

/** An endpoint of the legacy era: sessions, each with a stream for messages that belong to no request. */
export function legacyEndpoint(backend: Backend): Endpoint {
  const kept = backend.resumes ? new EventHistory<EventStream>() : undefined;
  const sessions = new LegacySessions(backend, kept);
  const handlers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
    POST: (request, response) =>
      post(request, response, backend, ({ method }) => {
        const session = method === 'initialize' ? sessions.begin(response) : sessions.find(request, response);
        const resumable = session && kept && new EventStream(session.id, kept);
        return session && { connection: session.connection, cancelsOnClose: false, ...(resumable && { resumable }) };
      }),
    GET: (request, response) => {
      const session = sessions.find(request, response);
      const after = requestHeader(request, 'last-event-id');
      if (session && after !== undefined && kept) goOn(session, after, kept, response);
      else if (session?.side.open(response) === false) sendReply(response, bareReply(409));
    },
    DELETE: (request, response) => {
      if (!sessions.find(request, response)) return;
      sessions.end(requestHeader(request, 'mcp-session-id')!);
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

/** Resumes a stream, or answers 204, which stops clients from asking again. */
function goOn(
  session: LegacySession,
  after: string,
  events: EventHistory<EventStream>,
  response: ServerResponse,
): void {
  const stream = events.streamOf(after);
  if (stream?.session !== session.id) {
    const body = errorAnswerText('null', -32000, 'Unknown event, or one that was dropped.');
    sendReply(response, { status: 400, type: 'application/json', body });
  } else if (stream === session.side.stream) session.side.open(response, after);
  else if (!stream.open(response, after)) sendReply(response, { status: 204 });
}

/** A session of a client before 2026-07-28. */
interface LegacySession {
  readonly id: string;
  readonly connection: BackendConnection;
  readonly side: SideStream;
}

/** All sessions. With too many of them, the oldest ends. */
class LegacySessions {
  readonly #backend: Backend;
  readonly #kept: EventHistory<EventStream> | undefined;
  readonly #byId = new Map<string, LegacySession>();

  /** `kept`: events that clients may resume after; absent if they may not. */
  constructor(backend: Backend, kept: EventHistory<EventStream> | undefined) {
    this.#backend = backend;
    this.#kept = kept;
  }

  /** Begins a session and sends the client its id. */
  begin(response: ServerResponse): LegacySession {
    const id = randomUUID();
    const side = new SideStream(new EventStream(id, this.#kept));
    const session = { id, side, connection: this.#backend.connect(side) };
    this.#byId.set(id, session);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > this.#backend.mostClients) this.end(oldest!);
    response.setHeader('Mcp-Session-Id', id);
    session.connection.begin();
    return session;
  }

  /** Finds the session of a request. If there is none, answers the request with an error and returns undefined. */
  find(request: IncomingMessage, response: ServerResponse): LegacySession | undefined {
    const spoken = this.#backend.version;
    const session = this.#byId.get(requestHeader(request, 'mcp-session-id') ?? '');
    const version = requestHeader(request, 'mcp-protocol-version');
    const other = version !== undefined && spoken !== undefined && version !== spoken;
    if (session && !other) return session;
    const missing = requestHeader(request, 'mcp-session-id') === undefined;
    const message = session
      ? `This session uses MCP ${spoken}.`
      : missing
        ? 'Mcp-Session-Id is missing.'
        : 'Unknown session.';
    const body = errorAnswerText('null', session || missing ? -32000 : -32001, message);
    sendReply(response, { status: session || missing ? 400 : 404, type: 'application/json', body });
    return undefined;
  }

  end(id: string): void {
    const session = this.#byId.get(id);
    this.#byId.delete(id);
    session?.connection.end();
    session?.side.stream.end();
  }

  endAll(): void {
    for (const id of [...this.#byId.keys()]) this.end(id);
  }
}

/** Most messages that wait for a client to open its stream. The oldest are dropped first. */
const REPLAY_WAITING = 1000;

/** Messages that belong to no request. They wait for the stream that a client may open with GET. */
class SideStream implements SideChannel {
  readonly stream: EventStream;
  readonly #waiting: string[] = [];

  constructor(stream: EventStream) {
    this.stream = stream;
  }

  get isOpen(): boolean {
    return this.stream.isOpen;
  }

  sendMessage(text: string): void {
    if (this.stream.isOpen) this.stream.sendMessage(text);
    else {
      this.#waiting.push(text);
      if (this.#waiting.length > REPLAY_WAITING) this.#waiting.shift();
    }
  }

  /** Opens the stream. False if one is open already and the client does not resume it `after` an event. */
  open(response: ServerResponse, after?: string): boolean {
    if (this.stream.isOpen && after === undefined) return false;
    this.stream.open(response, after);
    for (const text of this.#waiting.splice(0)) this.stream.sendMessage(text);
    return true;
  }
}
