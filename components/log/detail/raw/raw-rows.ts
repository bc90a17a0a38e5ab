import { type Column, uint32 } from '@/lib/store/column';
import { sequenceLength } from './byte-text';

/** Bytes looked at before others get a turn. */
const PORTION = 16 * 1024;

const LINE_FEED = 0x0a;

/** Where rows of text begin, in bytes: row `n` ends where the next one begins. */
export interface RawRows {
  readonly count: number;
  /** Of the count itself where the last row ends. */
  start(row: number): number;
}

/**
 * Cuts bytes into rows that `columns` characters of one width fit in, never within a character; a line feed ends its row. What is
 * shown as an escape takes the room of the escape. Yields now and then.
 */
export function* rawRows(bytes: Uint8Array, columns: number): Generator<undefined, RawRows> {
  const starts = uint32();
  let count = 0;
  let used = 0;
  let pause = PORTION;
  const begin = (at: number) => {
    starts.push(at);
    count++;
    used = 0;
  };
  if (bytes.length > 0) begin(0);
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const width = widthOf(bytes, at, length);
    if (used + width > columns && used > 0) begin(at);
    used += width;
    at += Math.max(1, length);
    if (bytes[at - 1] === LINE_FEED && at < bytes.length) begin(at);
    if (at < pause) continue;
    pause = at + PORTION;
    yield;
  }
  return { count, start: (row) => startOf(starts, count, bytes.length, row) };
}

function startOf(starts: Column, count: number, end: number, row: number): number {
  return row < count ? starts.get(row) : end;
}

/** How many columns a character takes: escapes are `\xhh`, and of the scripts beyond most take two. */
function widthOf(bytes: Uint8Array, at: number, length: number): number {
  const byte = bytes[at]!;
  if (length === 0 || byte < 0x20 || byte === 0x7f) return 4;
  if (length === 1) return 1;
  if (length === 2) return byte === 0xc2 && bytes[at + 1]! < 0xa0 ? 4 : 1;
  if (length === 4) return byte >= 0xf3 ? 9 : 2;
  // Zero-width, bidirectional and other hidden characters of the general punctuation, and the byte order mark.
  if ((byte === 0xe2 && (bytes[at + 1] === 0x80 || bytes[at + 1] === 0x81)) || byte === 0xef) return 6;
  return byte === 0xe2 ? 1 : 2;
}
