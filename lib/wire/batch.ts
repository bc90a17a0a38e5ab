import { BYTE } from '@/lib/json/scan';
import { joinBytes } from '@/lib/json/typed-arrays';
import { isObject, own } from '@/lib/json/value';
import { CHANNEL_CHARS, CHANNELS, type Channel, DIRECTIONS, FLAG, type Frame, toChannel } from './frame';
import { LIMITS } from './limits';

const BATCH_HEADER_BYTES = 1024;

/**
 * The binary WebSocket message that carries frames, many at a time:
 *
 * ```
 * u32 LE   length H of the header, padding included, so that 4 + H is a multiple of 8
 * H bytes  header, JSON padded with spaces: BatchHeader
 * count ×  16 bytes: f64 LE time (µs) · u32 LE byte length · u8 direction · u8 channel · u8 flags · u8 part
 * …        the frames' bytes, each followed by one byte that is not part of it
 * ```
 *
 * That extra byte separated two lines of one chunk, or is a line feed. With it, the proxy can copy whole chunks.
 * A frame larger than a batch travels in parts: an entry whose `part` is 1 is continued by the first entry of the next
 * batch, which has the same `first`. So no message is larger than a batch, whatever a server prints. If `part` is 2, a
 * skim (lib/recording/large/skims.ts) replaces the frame: `[`, the frame's length in bytes, `,`, the skim, `]`. If
 * `channel` is 255, the channel's name and a line feed precede the frame, and count as part of it.
 */
export interface BatchHeader {
  readonly connection: string;
  /** seq of the first entry. */
  readonly first: number;
  readonly count: number;
  /** Newest seq of the log when the batch was sent. `last - first` says how far this viewer is behind, in frames. */
  readonly last: number;
  /** These frames were requested again and are not a continuation of the log. */
  readonly again?: true;
}

/** A batch as bytes. */
export type Batch = Uint8Array<ArrayBuffer>;

/** Returns memory for a batch of exactly this many bytes. */
export type BatchMemory = (bytes: number) => Batch;

/** Bytes of one entry in the batch's table. */
export const BATCH_ENTRY_BYTES = 16;

/** Values of an entry's `part`. */
export const PART = { none: 0, more: 1, skim: 2 } as const;

/** Value of an entry's `channel` if the channel is not in CHANNELS. */
export const OTHER_CHANNEL = 255;
const CODES: ReadonlyMap<Channel, number> = new Map(CHANNELS.map((channel, code) => [channel, code]));

const ZERO = 0x30;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Encodes the bytes before the table: the length word and the padded header. */
export function encodeBatchHeader({ connection, first, count, last, again }: BatchHeader): Uint8Array {
  // It is ASCII, because ids of connections are. Writing the object here takes half as long as JSON.stringify.
  const more = again ? ',"again":true' : '';
  const text = `    {"connection":${JSON.stringify(connection)},"first":${first},"count":${count},"last":${last}${more}}`;
  const padded = Math.ceil(text.length / 8) * 8;
  const out = encoder.encode(text.padEnd(padded));
  out[0] = (padded - 4) & 0xff;
  out[1] = (padded - 4) >> 8;
  out[2] = 0;
  out[3] = 0;
  return out;
}

/** Returns the value of an entry's `channel`. */
export function channelCode(channel: Channel): number {
  return CODES.get(channel) ?? OTHER_CHANNEL;
}

/** Returns a frame as its entry holds it: after its channel's name if the channel is not in CHANNELS. */
export function entryBytes({ channel, bytes }: Pick<Frame, 'channel' | 'bytes'>): Uint8Array {
  return CODES.has(channel) ? bytes : joinBytes([encoder.encode(`${channel}\n`), bytes]);
}

/** Returns the length of {@link entryBytes}. */
export function entryLength({ channel, bytes }: Pick<Frame, 'channel' | 'bytes'>): number {
  // Names are ASCII.
  return CODES.has(channel) ? bytes.length : channel.length + 1 + bytes.length;
}

/**
 * Splits the entry of a channel that is not in CHANNELS. Throws RangeError if it doesn't start with the name of one.
 */
export function readOtherEntry(entry: Uint8Array): Pick<Frame, 'channel' | 'bytes'> {
  const end = entry.indexOf(BYTE.lineFeed);
  const channel = end < 0 || end > CHANNEL_CHARS ? undefined : toChannel(decoder.decode(entry.subarray(0, end)));
  if (!channel || CODES.has(channel)) throw new RangeError('The entry does not start with the name of a channel.');
  return { channel, bytes: entry.subarray(end + 1) };
}

/**
 * Writes one entry of a table at byte `offset`. `direction` is an index into DIRECTIONS, `channel` a
 * {@link channelCode}. Takes positional arguments, because it runs once per frame on the proxy's hot path.
 */
export function writeBatchEntry(
  table: DataView,
  offset: number,
  time: number,
  length: number,
  direction: number,
  channel: number,
  flags: number,
  part: number = PART.none,
): void {
  table.setFloat64(offset, time, true);
  table.setUint32(offset + 8, length, true);
  table.setUint32(offset + 12, direction | (channel << 8) | (flags << 16) | (part << 24), true);
}

/**
 * Turns the entry at `offset` into a part of a frame, `length` bytes long. `more`: the next batch continues the frame.
 */
export function setBatchPart(table: DataView, offset: number, length: number, more: boolean): void {
  table.setUint32(offset + 8, length, true);
  table.setUint8(offset + 15, more ? PART.more : PART.none);
}

/** Byte length of the entry at `offset`. */
export function batchEntryLength(table: DataView, offset: number): number {
  return table.getUint32(offset + 8, true);
}

/** Reads the header of a batch. Throws RangeError or SyntaxError for any other message. */
export function readBatchHeader(message: ArrayBuffer): BatchHeader {
  const length = new DataView(message).getUint32(0, true);
  return JSON.parse(decoder.decode(new Uint8Array(message, 4, length))) as BatchHeader;
}

/** Returns the seq of the newest frame that is complete after this batch. The message must be a batch. */
export function lastWhole(message: ArrayBuffer): number {
  const { first, count } = readBatchHeader(message);
  const view = new DataView(message);
  const isPart = view.getUint8(4 + view.getUint32(0, true) + (count - 1) * BATCH_ENTRY_BYTES + 15) === PART.more;
  return first + count - (isPart ? 2 : 1);
}

/**
 * Decodes a connection's batches, in the order sent, into frames. Holds the parts of one unfinished frame, so use a new
 * reader after a reconnect.
 */
export class BatchReader {
  #parts: Uint8Array[] = [];

  /** Returns the frames that this message completes. Throws RangeError if it is not a batch. */
  read(message: ArrayBuffer): { header: BatchHeader; frames: Frame[] } {
    const view = new DataView(message);
    const header = readBatchHeader(message);
    const table = 4 + view.getUint32(0, true);
    const all = new Uint8Array(message);
    let at = table + header.count * BATCH_ENTRY_BYTES;
    const frames: Frame[] = [];
    for (let i = 0; i < header.count; i++) {
      const entry = table + i * BATCH_ENTRY_BYTES;
      const start = at;
      const end = at + view.getUint32(entry + 8, true);
      at = end + 1;
      const part = view.getUint8(entry + 15);
      if (part === PART.more) {
        this.#parts.push(new Uint8Array(message, start, end - start));
        continue;
      }
      const skim = part === PART.skim ? all.indexOf(BYTE.comma, start) + 1 : 0;
      // One view per frame, because a flood has many frames.
      const bytes =
        skim > 0 ? new Uint8Array(message, skim, end - 1 - skim) : new Uint8Array(message, start, end - start);
      const whole = this.#parts.length === 0 || skim > 0 ? bytes : this.#join(bytes);
      const channel = CHANNELS[view.getUint8(entry + 13)];
      const other = channel ? undefined : readOtherEntry(whole);
      frames.push({
        seq: header.first + i,
        time: view.getFloat64(entry, true),
        direction: DIRECTIONS[view.getUint8(entry + 12)]!,
        channel: channel ?? other!.channel,
        flags: view.getUint8(entry + 14),
        bytes: other?.bytes ?? whole,
        skimOf: skim > 0 ? lengthIn(all, start) : undefined,
      });
    }
    return { header, frames };
  }

  #join(last: Uint8Array): Uint8Array {
    const parts = [...this.#parts, last];
    this.#parts = [];
    return joinBytes(parts);
  }
}

/** Reads the byte length of the frame that a skim replaces. */
function lengthIn(bytes: Uint8Array, start: number): number {
  let length = 0;
  for (let at = start + 1; bytes[at] !== BYTE.comma; at++) length = length * 10 + bytes[at]! - ZERO;
  return length;
}

/** Ids that a page gives to its direct connections. */
const PAGE_CONNECTION = /^d\d{1,9}$/;

/** Returns true for the id of a page's direct connection. */
export function isPageConnection(id: string): boolean {
  return PAGE_CONNECTION.test(id);
}

/**
 * Validates a batch that a page sent, and returns its header; undefined if a BatchReader could not read it safely. Each
 * frame must have a time in whole microseconds and a known channel, and a part of a larger frame must come alone.
 */
export function readUntrustedBatch(message: ArrayBuffer): BatchHeader | undefined {
  try {
    const view = new DataView(message);
    const headerBytes = view.getUint32(0, true);
    if (headerBytes > BATCH_HEADER_BYTES) return undefined;
    const header = headerIn(new Uint8Array(message, 4, headerBytes));
    return header && areValidEntries(view, 4 + headerBytes, header.count) ? header : undefined;
  } catch {
    return undefined;
  }
}

function headerIn(bytes: Uint8Array): BatchHeader | undefined {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isObject(value) || own(value, 'again') !== undefined) return undefined;
  const [connection, first, count, last] = ['connection', 'first', 'count', 'last'].map((key) => own(value, key));
  if (typeof connection !== 'string' || !isPageConnection(connection)) return undefined;
  if (!isCount(first) || !isCount(count) || !isCount(last) || count > LIMITS.batchFrames) return undefined;
  return first + count - 1 <= last ? { connection, first, count, last } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** Returns true if each entry from `table` on is valid, and their bytes fill the rest of the message. */
function areValidEntries(view: DataView, table: number, count: number): boolean {
  let end = table + count * BATCH_ENTRY_BYTES;
  for (let at = table; at < table + count * BATCH_ENTRY_BYTES; at += BATCH_ENTRY_BYTES) {
    const time = view.getFloat64(at, true);
    const [direction, channel, flags, part] = [12, 13, 14, 15].map((place) => view.getUint8(at + place));
    const known = direction! < DIRECTIONS.length && channel! < CHANNELS.length && (flags! & ~FLAGS) === 0;
    const whole = part === PART.none || (part === PART.more && count === 1);
    if (!known || !whole || !Number.isSafeInteger(time) || time < 0) return false;
    end += view.getUint32(at + 8, true) + 1;
  }
  return end === view.byteLength;
}

const FLAGS = FLAG.unterminated | FLAG.continued;
