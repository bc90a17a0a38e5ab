import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '@/lib/replay/outlet';
import type { Replay, ReplayHost } from '@/lib/replay/replay';
import { ReplayConnection } from '@/lib/replay/replay-connection';
import { LIMITS } from '@/lib/wire/limits';
import { sendReply } from '../http/reply';
import { EventStream } from './event-stream';
import type { KeptEvents } from './kept-events';
import { headerOf } from './post';
import { SideStream } from './side-stream';

/** A client's session before 2026-07-28. */
export interface LegacySession {
  readonly id: string;
  readonly connection: ReplayConnection;
  readonly side: SideStream;
}

/** The sessions that there are; beyond {@link LIMITS.replaySessions} the oldest ends. */
export class LegacySessions {
  readonly #replay: Replay;
  readonly #host: Omit<ReplayHost, 'side'>;
  readonly #kept: KeptEvents<EventStream> | undefined;
  readonly #byId = new Map<string, LegacySession>();

  /** `kept`: events that clients may come back for; absent where the recorded server had none such. */
  constructor(replay: Replay, host: Omit<ReplayHost, 'side'>, kept: KeptEvents<EventStream> | undefined) {
    this.#replay = replay;
    this.#host = host;
    this.#kept = kept;
  }

  /** Begins one, and tells the client its id. */
  begin(response: ServerResponse): LegacySession {
    const id = randomUUID();
    const side = new SideStream(new EventStream(id, this.#kept));
    const session = { id, side, connection: new ReplayConnection(this.#replay, { ...this.#host, side }) };
    this.#byId.set(id, session);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > LIMITS.replaySessions) this.end(oldest!);
    response.setHeader('Mcp-Session-Id', id);
    session.connection.begin();
    return session;
  }

  /** The request's session; undefined, and the request is answered, if it has none that we know. */
  of(request: IncomingMessage, response: ServerResponse): LegacySession | undefined {
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
    session?.side.stream.end();
  }

  endAll(): void {
    for (const id of [...this.#byId.keys()]) this.end(id);
  }
}
