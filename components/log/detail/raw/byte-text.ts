import type { TextRun } from '@/components/ui/visible-text';
import { textRuns } from '@/components/ui/visible-text';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Bytes as text, exactly: what is no UTF-8 becomes one `\xhh` escape a byte, hidden characters become escapes too. Cost
 * grows with the length: hand over a part of a large frame.
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

/** Smallest code point that needs this many bytes: a longer form of a smaller one is invalid. */
const SMALLEST = [0, 0, 0x80, 0x800, 0x10000];

/** Length of the well-formed UTF-8 sequence at `at`; 0 if there is none. */
export function sequenceLength(bytes: Uint8Array, at: number): number {
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
