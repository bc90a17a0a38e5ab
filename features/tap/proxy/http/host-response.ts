import type { ServerResponse } from 'node:http';
import { type Headers, headerOf, mediaType } from '@/lib/transports/http-link';
import { EventIds, type EventPlace, idEvent, messageEvent, type PassingEvent, rewriteEvent } from './passing-event';

/** Status and headers of a response, as the host gets them. */
export interface ResponseHead {
  readonly status: number;
  readonly text?: string | undefined;
  readonly headers: Headers;
}

/** Headers that depend on the body, which may be another one. */
const BODY_HEADERS: ReadonlySet<string> = new Set(['content-length', 'content-type']);
/** The first version that lets a server send an event with an id and empty data. */
const PRIMING_VERSION = '2025-11-25';

/**
 * The response that a host gets while rules decide over its messages. It stays open while there is a reason: a message
 * that waits, or a response of the server that goes on. Its form is decided late: an event stream if the server sends
 * one or there are several messages, and one JSON message otherwise.
 */
export class HostResponse {
  readonly #response: ServerResponse;
  readonly #takesEvents: boolean;
  readonly #takesJson: boolean;
  readonly #isPriming: boolean;
  readonly #ids = new EventIds();
  #reasons = 0;
  #head: ResponseHead | undefined;
  #messages: Uint8Array[] = [];
  #isStream: boolean;
  #isOver = false;
  #isBroken = false;
  readonly #onLeave: (() => void)[] = [];

  /** `headers`: of the request. `isStream`: the response has begun, and is an event stream. */
  constructor(response: ServerResponse, headers: Headers, isStream: boolean) {
    const accept = headerOf(headers, 'accept') ?? '*/*';
    this.#response = response;
    this.#takesEvents = /text\/event-stream/i.test(accept);
    this.#takesJson = !this.#takesEvents || /json|application\/\*|\*\/\*/i.test(accept);
    this.#isPriming = (headerOf(headers, 'mcp-protocol-version') ?? '') >= PRIMING_VERSION;
    this.#isStream = isStream;
    response.once('close', () => {
      this.#isOver = true;
      if (!response.writableFinished) for (const onLeave of this.#onLeave) onLeave();
    });
  }

  /** Calls back if the host leaves, or the response is cut, before its end. */
  onLeave(callback: () => void): void {
    this.#onLeave.push(callback);
  }

  /** True once nothing more can be sent. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** True if messages beyond the response can be sent. */
  get canStream(): boolean {
    return !this.#isOver && (this.#isStream || this.#takesEvents);
  }

  /** Keeps it open until {@link leave}. */
  enter(): void {
    this.#reasons++;
  }

  /** Ends it after the last reason to keep it open. */
  leave(): void {
    if (--this.#reasons > 0 || this.#isOver) return;
    if (this.#isBroken) this.cut();
    else this.#finish();
  }

  /** The server broke its response off: so does this one, once nothing waits. */
  breakOff(): void {
    this.#isBroken = true;
  }

  /** Breaks it off now. */
  cut(): void {
    this.#isOver = true;
    this.#response.destroy();
  }

  /** Remembers how the server's response begins. */
  setHead(head: ResponseHead): void {
    this.#head ??= head;
  }

  /** Begins an event stream, as the server did with `head`, or on our own. */
  beginStream(head?: ResponseHead): void {
    if (this.#isStream || this.#isOver) return;
    this.#isStream = true;
    const own: Headers = [
      ...(this.#head?.headers ?? []).filter(([name]) => !BODY_HEADERS.has(name.toLowerCase())),
      ['Content-Type', 'text/event-stream'],
      ['Cache-Control', 'no-cache, no-transform'],
    ];
    this.#writeHead(head ?? { status: 200, headers: own });
    this.#response.flushHeaders();
    for (const message of this.#messages.splice(0)) this.#response.write(messageEvent(undefined, message));
  }

  /** Sends a message that did not come as an event. */
  send(message: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#isStream) this.#response.write(messageEvent(undefined, message));
    else this.#messages.push(message);
  }

  /** Notes the place of an event that comes from the server. */
  place(id: string | undefined): EventPlace {
    return this.#ids.add(id);
  }

  /**
   * Sends an event, perhaps with another message. Its id becomes the one up to which the host has everything, so that a
   * host that resumes misses nothing.
   */
  sendEvent({ block, id }: PassingEvent, place: EventPlace, message?: Uint8Array): void {
    // A copy says nothing about how far the host has got.
    const reached = place.isSettled ? undefined : this.#ids.settle(place);
    if (this.#isOver) return;
    this.#response.write(reached === id && message === undefined ? block : rewriteEvent(block, reached, message));
  }

  /** Leaves an event out: a host that resumes does not get it, either. */
  skipEvent(place: EventPlace): void {
    const reached = place.isSettled ? undefined : this.#ids.settle(place);
    if (reached !== undefined && !this.#isOver) this.#response.write(idEvent(reached, this.#isPriming));
  }

  /** Begins a response whose body passes as it comes. */
  beginOther(head: ResponseHead): void {
    if (this.#isOver) return;
    // The host has the beginning of another response.
    if (this.#isStream) this.cut();
    else {
      this.#isStream = true;
      this.#writeHead(head);
    }
  }

  /** Sends bytes of a stream as they came. */
  pass(bytes: Uint8Array): void {
    if (!this.#isOver && bytes.length > 0) this.#response.write(bytes);
  }

  /** Answers with a body that is not a message. */
  sendBody(head: ResponseHead, body: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#isStream) {
      // The host has the beginning of another response.
      this.cut();
      return;
    }
    this.#isOver = true;
    this.#writeHead(withLength(head, body.length));
    this.#response.end(body);
  }

  /** Resolves once the host has read enough; undefined if it has. */
  drained(): Promise<void> | undefined {
    if (this.#isOver || !this.#response.writableNeedDrain) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        this.#response.off('drain', done).off('close', done);
        resolve();
      };
      this.#response.on('drain', done).on('close', done);
    });
  }

  #finish(): void {
    if (!this.#isStream && this.#messages.length > 0 && !this.#isJson()) this.beginStream();
    this.#isOver = true;
    if (this.#isStream) {
      this.#response.end();
      return;
    }
    const [message] = this.#messages.slice(-1);
    const head = this.#head ?? { status: message ? 200 : 202, headers: [] };
    const type = message && mediaType(head.headers) === '' ? [['Content-Type', 'application/json'] as const] : [];
    this.#writeHead(withLength({ ...head, headers: [...head.headers, ...type] }, message?.length ?? 0));
    this.#response.end(message);
  }

  #isJson(): boolean {
    if (this.#messages.length > 1) return !this.#takesEvents;
    return this.#takesJson || this.#head !== undefined;
  }

  #writeHead({ status, text, headers }: ResponseHead): void {
    this.#response.sendDate = false;
    this.#response.writeHead(status, text, headers.flat());
  }
}

function withLength(head: ResponseHead, bytes: number): ResponseHead {
  const rest = head.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...head, headers: [...rest, ['Content-Length', String(bytes)]] };
}
