import { isObject, own } from '@/lib/json/value';
import type { RecordingSelection } from '@/lib/recording/format';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import type { Channel, Direction, Frame } from '@/lib/wire/frame';
import { idKey } from '@/lib/wire/message';

/** The frames of a recording that are shared. */
export interface FrameSelection {
  /** First and last seq; absent: from the start, to the end. */
  readonly from?: number;
  readonly to?: number;
  /** Channels left out; never `lifecycle`. */
  readonly without: readonly Channel[];
  /** Seqs of further frames, outside the range, that explain the frames in it. */
  readonly also?: ReadonlySet<number>;
}

/**
 * Returns true if a frame is shared. Lifecycle frames are always shared, because they explain all others. The only
 * exception is the end marker that a reader adds. A placeholder for a missing frame is treated like that frame.
 */
export function isSelected(selection: FrameSelection, frame: Pick<Frame, 'seq' | 'channel' | 'bytes'>): boolean {
  const { without, also } = selection;
  const { seq, channel } = frame;
  if (channel !== 'lifecycle')
    return (isInRange(selection, seq) || also?.has(seq) === true) && !without.includes(channel);
  const event = lifecycleEventOf(frame.bytes)?.event;
  return event === 'missing' ? isInRange(selection, seq) : event !== 'recording-ends';
}

/** Returns true if a frame lies between the first and the last. */
function isInRange({ from = 1, to = Number.POSITIVE_INFINITY }: FrameSelection, seq: number): boolean {
  return seq >= from && seq <= to;
}

/** Returns the selection for the header; undefined if all `of` frames are shared. */
export function selectionFacts(selection: FrameSelection, of: number): RecordingSelection | undefined {
  const { from = 1, to = of, without, also } = selection;
  if (from <= 1 && to >= of && without.length === 0) return undefined;
  return { of, from: Math.max(1, from), to: Math.min(to, of), without, ...(also && { also: also.size }) };
}

/** Frames that are only understandable together. */
interface Exchange {
  readonly frames: number[];
  /** True if one of the frames is shared. */
  included: boolean;
}

/** The HTTP frame that carried a message. */
interface Carrier {
  readonly seq: number;
  readonly exchange: Exchange;
}

/** Frames of a list request, each with the HTTP frame that carried it. */
type ListFrames = { readonly seq: number; readonly carrier: Carrier | undefined }[];

/**
 * Adds to a selection the frames outside its range that explain those inside: the handshake, the last lists before its
 * end, the other halves of exchanges, and the HTTP frames around all of these. Without them, the copy would have
 * unmatched requests and responses, and calls of unknown tools. Call `addFrame` with all frames, in order.
 */
export class SelectionCompleter {
  readonly #selection: FrameSelection;
  readonly #also = new Set<number>();
  /** Requests without a response yet, by sender and id. */
  readonly #waiting = new Map<string, Exchange & { readonly list?: ListPage | undefined }>();
  /** All pages of the newest read of each list before the end of the range, by method. */
  readonly #lists = new Map<string, ListFrames>();
  /** HTTP exchanges by number. */
  readonly #http = new Map<number, Exchange>();
  /** The HTTP frame just before, which carried the next message. */
  #carrier: Carrier | undefined;
  /** HTTP frames that carried messages which may be needed later, by the message's seq. */
  readonly #carriers = new Map<number, Carrier>();
  /** Shared requests without a response yet, and shared HTTP exchanges without an end. */
  #openParts = 0;

  constructor(selection: FrameSelection) {
    this.#selection = selection;
  }

  /**
   * Returns true if frames beyond the range can't add anything as long as they contain none of
   * {@link OPENING_WORDS}.
   */
  isSettledAt(seq: number): boolean {
    return seq > (this.#selection.to ?? Number.POSITIVE_INFINITY) && this.#openParts === 0;
  }

  /** `read` parses the frame or its skim; undefined if it is not JSON. */
  addFrame(frame: PlacedFrame, read: () => unknown): void {
    const carrier = this.#carrier;
    this.#carrier = undefined;
    const { channel } = frame;
    if ((channel !== 'protocol' && channel !== 'http') || this.#selection.without.includes(channel)) return;
    const value = read();
    if (channel === 'http') {
      this.#addHttp(frame, value);
      return;
    }
    if (carrier) this.#carriers.set(frame.seq, carrier);
    const messages = Array.isArray(value) ? value : [value];
    for (const message of messages) this.#addMessage(frame, message);
    if (this.#isInRange(frame)) this.#include(frame.seq);
    else if (messages.every((message) => !isRequest(message))) this.#forget(frame.seq);
  }

  /** Returns the completed selection, once all frames were added. */
  selection(): FrameSelection {
    for (const frames of this.#lists.values()) {
      for (const { seq, carrier } of frames) this.#includeWithCarrier(seq, carrier);
    }
    const also = [...this.#also].filter((seq) => !isInRange(this.#selection, seq));
    return also.length === 0 ? this.#selection : { ...this.#selection, also: new Set(also) };
  }

  #addMessage(frame: PlacedFrame, message: unknown): void {
    if (!isObject(message)) return;
    const [id, method] = [own(message, 'id'), own(message, 'method')];
    if (typeof method === 'string') {
      const included = this.#isInRange(frame) || HANDSHAKE.has(method);
      if (included) this.#include(frame.seq);
      if (id !== undefined)
        this.#addWaiting(keyOf(frame.direction, id), { frames: [frame.seq], included, list: listPage(message) });
      return;
    }
    const key = keyOf(frame.direction === 'to-client' ? 'to-server' : 'to-client', id);
    const exchange = this.#waiting.get(key);
    if (!exchange) return;
    this.#waiting.delete(key);
    if (exchange.included) this.#openParts--;
    if (exchange.list && frame.seq <= (this.#selection.to ?? Number.POSITIVE_INFINITY)) {
      this.#addListPage(exchange.list, [...exchange.frames, frame.seq]);
    }
    if (exchange.included || this.#isInRange(frame))
      for (const seq of [...exchange.frames, frame.seq]) this.#include(seq);
    for (const seq of exchange.frames) this.#forget(seq);
  }

  /** If part of an exchange is shared, its request, response and end are too. */
  #addHttp(frame: PlacedFrame, value: unknown): void {
    if (!isObject(value)) return;
    const number = own(value, 'exchange');
    if (typeof number !== 'number') return;
    const exchange = this.#http.get(number) ?? { frames: [], included: false };
    this.#http.set(number, exchange);
    this.#carrier = { seq: frame.seq, exchange };
    if (own(value, 'kind') !== 'sse') exchange.frames.push(frame.seq);
    if (exchange.included || this.#isInRange(frame)) this.#includeHttp(exchange);
    if (own(value, 'kind') !== 'end') return;
    this.#http.delete(number);
    if (exchange.included) this.#openParts--;
  }

  #addWaiting(key: string, exchange: Exchange & { readonly list: ListPage | undefined }): void {
    // Its id is used again, so no response will be paired with it.
    if (this.#waiting.get(key)?.included) this.#openParts--;
    if (exchange.included) this.#openParts++;
    this.#waiting.set(key, exchange);
  }

  #includeHttp(exchange: Exchange): void {
    if (!exchange.included) this.#openParts++;
    exchange.included = true;
    for (const seq of exchange.frames.splice(0)) this.#also.add(seq);
  }

  #include(seq: number): void {
    this.#includeWithCarrier(seq, this.#carriers.get(seq));
    this.#forget(seq);
  }

  #includeWithCarrier(seq: number, carrier: Carrier | undefined): void {
    this.#also.add(seq);
    if (!carrier) return;
    this.#also.add(carrier.seq);
    this.#includeHttp(carrier.exchange);
  }

  /** Adds a page of a list. The last of these frames is the page's response. */
  #addListPage({ method, first }: ListPage, seqs: readonly number[]): void {
    const before = first ? [] : (this.#lists.get(method) ?? []);
    this.#lists.set(method, [...before, ...seqs.map((seq) => ({ seq, carrier: this.#carriers.get(seq) }))]);
  }

  #forget(seq: number): void {
    this.#carriers.delete(seq);
  }

  #isInRange({ seq }: PlacedFrame): boolean {
    return isInRange(this.#selection, seq);
  }
}

/** Messages that open the connection. Only they say who the server is and what it can do. */
const HANDSHAKE = new Set(['initialize', 'notifications/initialized', 'server/discover']);

/** Words in every message that opens a connection. An escaped character could spell a part of one. */
export const OPENING_WORDS: readonly string[] = ['initialize', 'discover', '\\u'];

type PlacedFrame = Pick<Frame, 'seq' | 'channel' | 'direction'>;

/** The lists that fill the panels. */
const LISTS = new Set(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);

interface ListPage {
  readonly method: string;
  /** True if the request reads the list from its start. */
  readonly first: boolean;
}

/** Returns undefined if the request is not for a list. */
function listPage(request: Readonly<Record<string, unknown>>): ListPage | undefined {
  const [method, params] = [own(request, 'method'), own(request, 'params')];
  if (typeof method !== 'string' || !LISTS.has(method)) return undefined;
  return { method, first: !isObject(params) || own(params, 'cursor') === undefined };
}

function isRequest(message: unknown): boolean {
  return isObject(message) && own(message, 'method') !== undefined && own(message, 'id') !== undefined;
}

function keyOf(asker: Direction, id: unknown): string {
  return `${asker} ${idKey(id)}`;
}
