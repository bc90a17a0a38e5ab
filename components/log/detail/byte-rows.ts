import { type TextRun, textRuns } from '@/components/ui/visible-text';
import { type NumberColumn, uint32 } from '@/lib/json/typed-arrays';

/** Bytes read before the generator yields. */
const PORTION = 16 * 1024;

const LINE_FEED = 0x0a;

/** Byte offsets at which rows of text begin. */
export interface RawRows {
  readonly count: number;
  /** Offset of a row; for `count`, the end of the last row. */
  start(row: number): number;
}

/**
 * Cuts bytes into rows of at most `columns` monospaced characters. A row ends after a line feed and never inside a
 * character. A byte shown as an escape counts as long as the escape. Yields now and then.
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

function startOf(starts: NumberColumn, count: number, end: number, row: number): number {
  return row < count ? starts.get(row) : end;
}

/** Returns the columns a character takes: escapes such as `\xhh` take their length, most non-Latin scripts take two. */
function widthOf(bytes: Uint8Array, at: number, length: number): number {
  const byte = bytes[at]!;
  if (length === 0 || byte < 0x20 || byte === 0x7f) return 4;
  if (length === 1) return 1;
  if (length === 2) return byte === 0xc2 && bytes[at + 1]! < 0xa0 ? 4 : 1;
  if (length === 4) return byte >= 0xf3 ? 9 : 2;
  // Zero-width, bidirectional and other hidden characters of General Punctuation, and the byte order mark.
  if ((byte === 0xe2 && (bytes[at + 1] === 0x80 || bytes[at + 1] === 0x81)) || byte === 0xef) return 6;
  return byte === 0xe2 ? 1 : 2;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Converts bytes to text. Each invalid UTF-8 byte becomes a `\xhh` escape, and hidden characters become escapes too.
 * Linear in the length, so pass only part of a large frame.
 */
export function byteRuns(bytes: Uint8Array): TextRun[] {
  const runs: TextRun[] = [];
  let from = 0;
  while (from < bytes.length) {
    const to = validEnd(bytes, from);
    if (to > from) runs.push(...textRuns(strict.decode(bytes.subarray(from, to))));
    from = to;
    const bad = from;
    while (from < bytes.length && sequenceLength(bytes, from) === 0) from++;
    if (from > bad) {
      const text = Array.from(bytes.subarray(bad, from), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
      runs.push({ text, escaped: true });
    }
  }
  return runs;
}

function validEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** Smallest code point that needs this many bytes; overlong forms are invalid. */
const SMALLEST = [0, 0, 0x80, 0x800, 0x10000];

/** Returns the length of the well-formed UTF-8 sequence at `at`, or 0 if it is invalid. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (length === 0 || lead > 0xf4 || at + length > bytes.length) return 0;
  let code = lead & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i]!;
    if ((byte & 0xc0) !== 0x80) return 0;
    code = (code << 6) | (byte & 0x3f);
  }
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < SMALLEST[length]! || code > 0x10ffff || surrogate ? 0 : length;
}
