import type { ServerResponse } from 'node:http';

/** Events that a replay over HTTP keeps for clients that come back for the rest of a stream, and characters of them, of all sessions. */
export const REPLAY_KEPT = 10_000;
export const REPLAY_KEPT_CHARS = 32 * 1024 * 1024;

/** An event with an id, on its stream. */
interface StreamEvent<S> {
  readonly stream: S;
  readonly id: string;
  readonly text: string;
}

/** What was said lately on event streams, each an `S`, for clients that come back for the rest: the oldest goes first, within limits. */
export class EventHistory<S> {
  readonly #events = new Map<string, StreamEvent<S>>();
  #streams = 0;
  #chars = 0;

  /** What the ids of one more stream begin with. */
  nextStream(): number {
    return ++this.#streams;
  }

  add(event: StreamEvent<S>): void {
    this.#events.set(event.id, event);
    this.#chars += event.text.length;
    for (const [id, { text }] of this.#events) {
      const fits = this.#events.size <= REPLAY_KEPT && this.#chars <= REPLAY_KEPT_CHARS;
      if (fits || id === event.id) return;
      this.#events.delete(id);
      this.#chars -= text.length;
    }
  }

  /** The stream that this event was on, if it is still known. */
  streamOf(id: string): S | undefined {
    return this.#events.get(id)?.stream;
  }

  /** What was said on a stream after this event. */
  after(id: string, stream: S): readonly StreamEvent<S>[] {
    const events = [...this.#events.values()];
    return events.slice(events.findIndex((event) => event.id === id) + 1).filter((event) => event.stream === stream);
  }
}

/** An event stream whose events have ids, if the recorded ones had: it may break off, and its client comes back for the rest. */
export class EventStream {
  /** Only its client may go on with it. */
  readonly session: string;
  readonly #kept: EventHistory<EventStream> | undefined;
  readonly #number: number;
  #response: ServerResponse | undefined;
  #last = 0;
  #over = false;

  /** `kept` absent: without ids. */
  constructor(session: string, kept: EventHistory<EventStream> | undefined) {
    this.session = session;
    this.#kept = kept;
    this.#number = kept?.nextStream() ?? 0;
  }

  get isOpen(): boolean {
    return this.#response !== undefined;
  }

  /** Goes on in this response: first with what came `after` an event, if one is named. False: it is over, and there is nothing more of it. */
  open(response: ServerResponse, after?: string): boolean {
    const missed = after === undefined ? [] : (this.#kept?.after(after, this) ?? []);
    if (this.#over && missed.length === 0) return false;
    this.#response?.end();
    this.#response = response;
    openStream(response);
    for (const { text, id } of missed) writeEvent(response, text, id);
    if (this.#over) this.cut();
    response.on('close', () => {
      if (this.#response === response) this.#response = undefined;
    });
    return true;
  }

  /** Says when to come back, and, if `primed`, from where, by an event without a message. */
  prime(primed: boolean, retryMs: number | undefined): void {
    const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    const event = primed ? `id: ${this.#keep('')}\n${retry}data: \n` : retry;
    if (event !== '') this.#response?.write(`${event}\n`);
  }

  sendMessage(text: string): void {
    const id = this.#keep(text);
    if (this.#response) writeEvent(this.#response, text, id);
  }

  /** Breaks off, unless its client could not come back. */
  cut(): void {
    if (this.#last === 0 && !this.#over) return;
    this.#response?.end();
    this.#response = undefined;
  }

  /** Nothing more comes. */
  end(): void {
    this.#over = true;
    this.cut();
  }

  /** The id of an event. */
  #keep(text: string): string | undefined {
    if (!this.#kept) return undefined;
    const id = `${this.#number}-${++this.#last}`;
    this.#kept.add({ stream: this, id, text });
    return id;
  }
}

/** Begins an event stream, unless it has begun. */
export function openStream(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.flushHeaders();
}

/** One message as an event. A response whose reader is gone takes it and does nothing. */
export function writeEvent(response: ServerResponse, text: string, id?: string): void {
  if (response.writableEnded) return;
  response.write(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`);
}
