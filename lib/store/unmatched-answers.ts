import type { RequestId } from '@/lib/wire/message';
import { type BrokenAnswer, brokenAnswer } from './broken-answer';
import { decodeLossy, type Message } from './classify';
import { type PrintedObject, PrintedObjects } from './printed-objects';

/** A longer line is not decoded whole, and is not a line of an object: only its beginning and end are looked at. */
const LINE_BYTES = 1024 * 1024;
const END_BYTES = 1024;
/** Begins a message, not indented: whatever bracket was open before it, this line does not belong to that. */
const WHOLE_MESSAGE = /^\{\s*["']jsonrpc["']/;

/** Lookups among a server's requests, mostly unanswered ones. Numbers are the seqs of their frames. */
export interface OpenRequests {
  /** The one that waits for this very id. */
  waitingFor(id: RequestId): number | undefined;
  wasAnswered(id: RequestId): boolean;
  readonly onlyPending: number | undefined;
  /** The one that travelled on this HTTP exchange, if it is not answered. */
  onExchange(exchange: number): number | undefined;
  /** This frame looks like the answer to this request. `text`: all lines that were read; undefined for a response. */
  unmatched(request: number, seq: number, text: string | undefined): void;
}

/**
 * Finds frames that look like the answer to a request and are not paired with it: something on stdout or in an HTTP
 * body that is nearly JSON, an object printed over several lines, a response with another id. Reads each frame once,
 * and does O(1) more.
 */
export class UnmatchedAnswers {
  readonly printed = new PrintedObjects();
  readonly #open: OpenRequests;
  /** Lines of the unfinished object: it is read as a whole when it ends. */
  #texts: string[] = [];

  constructor(open: OpenRequests) {
    this.#open = open;
  }

  /** Takes in a non-message. `exchange`: that of an HTTP body; 0 on stdout. Returns the printed object that it ends. */
  junk(seq: number, bytes: Uint8Array, exchange: number): PrintedObject | undefined {
    const isLong = bytes.length > LINE_BYTES;
    const text = isLong
      ? decodeLossy(bytes.subarray(0, LINE_BYTES)) + decodeLossy(bytes.subarray(-END_BYTES))
      : decodeLossy(bytes);
    if (exchange !== 0 || isLong) {
      this.message(seq, exchange);
      this.#take(seq, brokenAnswer(text), exchange, text);
      return undefined;
    }
    if (this.printed.isOpen && WHOLE_MESSAGE.test(text)) this.interrupted();
    const object = this.printed.line(seq, text, bytes.length);
    this.#texts.push(text);
    if (object) this.#takeText(object.lines[0]!, this.#texts.join('\n'));
    // The first line may be all of it that ever comes.
    else if (this.#texts.length === 1 || !this.printed.isOpen) this.#takeText(seq, text);
    if (!this.printed.isOpen) this.#texts = [];
    return object;
  }

  /** A message came; `stray` is a response that answers no request. */
  message(seq: number, exchange: number, stray?: Pick<Message, 'id' | 'body'>): void {
    if (exchange === 0 && this.printed.isOpen) this.interrupted();
    if (stray) this.#take(seq, { id: stray.id, isSure: Object.hasOwn(stray.body, 'jsonrpc') }, exchange);
  }

  /** The last line of an unfinished object will not come. */
  interrupted(): void {
    this.printed.interrupted();
    this.#texts = [];
  }

  #takeText(seq: number, text: string): void {
    this.#take(seq, brokenAnswer(text), 0, text);
  }

  #take(seq: number, broken: BrokenAnswer | undefined, exchange: number, text?: string): void {
    const request = broken && this.#requestOf(broken, exchange);
    if (request !== undefined) this.#open.unmatched(request, seq, text);
  }

  #requestOf({ id, isSure }: BrokenAnswer, exchange: number): number | undefined {
    const open = this.#open;
    const only = () => (isSure ? open.onlyPending : undefined);
    const carried = exchange === 0 ? undefined : open.onExchange(exchange);
    if (carried !== undefined) return carried;
    if (id === undefined || id === null) return only();
    const same = open.waitingFor(id) ?? open.waitingFor(inOtherType(id));
    // Skip copies: some servers also print the messages that they send.
    return same ?? (open.wasAnswered(id) ? undefined : only());
  }
}

/** `"3"` for 3, and 3 for `"3"`. */
function inOtherType(id: RequestId): RequestId {
  return typeof id === 'number' ? String(id) : Number(id);
}
