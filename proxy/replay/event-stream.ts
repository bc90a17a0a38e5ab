import type { ServerResponse } from 'node:http';

/** Most events kept for clients that resume a stream, of all sessions together. */
export const REPLAY_KEPT = 10_000;
/** Most characters in all of these events. */
export const REPLAY_KEPT_CHARS = 32 * 1024 * 1024;

/** An event on a stream. */
interface StreamEvent<S> {
  readonly stream: S;
  readonly id: string;
  readonly text: string;
}

/** Recent events for clients that resume a stream of type `S`. The oldest are dropped first. */
export class EventHistory<S> {
  readonly #events = new Map<string, StreamEvent<S>>();
  #streams = 0;
  #chars = 0;

  /** Returns the number with which the event ids of a new stream begin. */
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

  /** Finds the stream of an event; undefined if it was dropped. */
  streamOf(id: string): S | undefined {
    return this.#events.get(id)?.stream;
  }

  /** Returns the events on a stream that follow the event `id`. */
  after(id: string, stream: S): readonly StreamEvent<S>[] {
    const events = [...this.#events.values()];
    return events.slice(events.findIndex((event) => event.id === id) + 1).filter((event) => event.stream === stream);
  }
}

/** An event stream. If the recorded stream had event ids, this one can break off, and its client can resume it. */
export class EventStream {
  /** The only session that may resume it. */
  readonly session: string;
  readonly #kept: EventHistory<EventStream> | undefined;
  readonly #number: number;
  #response: ServerResponse | undefined;
  #last = 0;
  #over = false;

  /** `kept` absent: its events have no ids. */
  constructor(session: string, kept: EventHistory<EventStream> | undefined) {
    this.session = session;
    this.#kept = kept;
    this.#number = kept?.nextStream() ?? 0;
  }

  get isOpen(): boolean {
    return this.#response !== undefined;
  }

  /**
   * Continues in this response, first with the events that follow the event `after`, if given. Returns false if the
   * stream has ended and has no more events.
   */
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

  /** Sends the retry time and, if `primed`, an id to resume from. */
  prime(primed: boolean, retryMs: number | undefined): void {
    const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    const event = primed ? `id: ${this.#keep('')}\n${retry}data: \n` : retry;
    if (event !== '') this.#response?.write(`${event}\n`);
  }

  sendMessage(text: string): void {
    const id = this.#keep(text);
    if (this.#response) writeEvent(this.#response, text, id);
  }

  /** Breaks off the response, unless the client could not resume it. */
  cut(): void {
    if (this.#last === 0 && !this.#over) return;
    this.#response?.end();
    this.#response = undefined;
  }

  /** Ends the stream. */
  end(): void {
    this.#over = true;
    this.cut();
  }

  /** Keeps an event and returns its id. */
  #keep(text: string): string | undefined {
    if (!this.#kept) return undefined;
    const id = `${this.#number}-${++this.#last}`;
    this.#kept.add({ stream: this, id, text });
    return id;
  }
}

/** Begins the event stream, unless it has begun. */
export function openStream(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.flushHeaders();
}

/** Writes a message as an event, unless the response has ended. */
export function writeEvent(response: ServerResponse, text: string, id?: string): void {
  if (response.writableEnded) return;
  response.write(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`);
}
