import { BATCH_ENTRY_BYTES, type BatchHeader, PART } from './batch';
import { CHANNELS, DIRECTIONS, FLAG } from './frame';
import { LIMITS } from './limits';
import { isObject, own } from './message';

/** An id that a page gives to a connection that it makes itself. */
const PAGE_CONNECTION = /^d\d{1,9}$/;

/** True for an id that a page gives to a connection of its own. */
export function isPageConnection(id: string): boolean {
  return PAGE_CONNECTION.test(id);
}

/**
 * The header of a batch that a page sent, which may be anything: one that a BatchReader reads without a surprise. undefined for what
 * is none. Every frame says when, in whole microseconds, and is of a known kind; a part of a larger frame comes alone.
 */
export function soundBatch(message: ArrayBuffer): BatchHeader | undefined {
  try {
    const view = new DataView(message);
    const headerBytes = view.getUint32(0, true);
    if (headerBytes > LIMITS.batchHeaderBytes) return undefined;
    const header = headerIn(new Uint8Array(message, 4, headerBytes));
    return header && areSound(view, 4 + headerBytes, header.count) ? header : undefined;
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

/** Whether the entries from `table` on, and the bytes behind them, are all there is, and each is one of a frame. */
function areSound(view: DataView, table: number, count: number): boolean {
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
