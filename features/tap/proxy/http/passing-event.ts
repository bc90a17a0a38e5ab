import { SseParser } from '@/lib/transports/sse-parser';

/** An event of a stream, or comments. */
export interface PassingEvent {
  /** The bytes as they came, with the blank line. */
  readonly block: Buffer;
  /** Its name; absent for the usual one. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  /** Its data, if it is a message. */
  readonly message?: Uint8Array;
  /** Its data, if it is something else. */
  readonly other?: Uint8Array;
}

/** Reads a block of a stream. Never throws. */
export function readEvent(block: Buffer): PassingEvent {
  let read: PassingEvent = { block };
  // A block is never longer than itself.
  new SseParser(block.length + 1, ({ event: name, id, data }) => {
    if (data === undefined) return;
    const isMessage = data.length > 0 && (name ?? 'message') === 'message';
    read = { block, name, id, ...(isMessage ? { message: data } : { other: data }) };
  }).feed(block);
  if (read.id !== undefined || read.message || read.other) return read;
  // An id without data counts, too (HTML standard, 9.2.6).
  const id = /(?:^|[\r\n])id: ?([^\r\n\0]*)/.exec(block.toString())?.[1];
  return id === undefined ? read : { block, id };
}

/** Returns an event with another id, or none, and perhaps with another message. The rest of its lines stay. */
export function rewriteEvent(block: Buffer, id: string | undefined, message: Uint8Array | undefined): Buffer {
  const kept = block
    .toString('latin1')
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '' && !/^id(?::|$)/.test(line) && !(message && /^data(?::|$)/.test(line)));
  const lines = message === undefined ? [] : dataLines(message);
  return blockOf([...kept, ...idLines(id), ...lines]);
}

/** Makes the event of a message. */
export function messageEvent(id: string | undefined, message: Uint8Array): Buffer {
  return blockOf([...idLines(id), ...dataLines(message)]);
}

/**
 * Makes an event that says only how far the client has got. With `isPriming`, it has empty data, as 2025-11-25 defines
 * it: some clients ignore an event without data, id included.
 */
export function idEvent(id: string, isPriming: boolean): Buffer {
  return blockOf([...idLines(id), ...(isPriming ? ['data:'] : [])]);
}

const blockOf = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n\n`, 'latin1');

/** Lines hold one character for each byte. */
function idLines(id: string | undefined): readonly string[] {
  return id === undefined ? [] : [`id: ${Buffer.from(id).toString('latin1')}`];
}

function dataLines(message: Uint8Array): readonly string[] {
  const text = Buffer.from(message.buffer, message.byteOffset, message.length).toString('latin1');
  return text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`);
}

/** The id up to which a client has got everything, while events are held and left out. */
export class EventIds {
  /** Events in the order of the stream, from the oldest that waits. */
  readonly #places: EventPlace[] = [];
  #reached: string | undefined;

  /** Adds the next event. */
  add(id: string | undefined): EventPlace {
    const place = { id, isSettled: false };
    this.#places.push(place);
    return place;
  }

  /**
   * Notes that the client has got an event, or never will. Returns the id to send now; undefined if that has not
   * changed.
   */
  settle(place: EventPlace): string | undefined {
    place.isSettled = true;
    const before = this.#reached;
    while (this.#places[0]?.isSettled) this.#reached = this.#places.shift()!.id ?? this.#reached;
    return this.#reached === before ? undefined : this.#reached;
  }
}

export interface EventPlace {
  readonly id: string | undefined;
  isSettled: boolean;
}
