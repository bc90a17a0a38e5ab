import { LIMITS } from '@/lib/wire/limits';
import type { Scan } from './found';
import type { Piece } from './piece';
import { scanText } from './scan-text';

/** Nothing that is looked for is longer but what shapes go on with, which the next slice finds. */
const OVERLAP = 20_000;

/** What of a text is gone through, and whether escapes of JSON are read in it. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly escaped: boolean;
}

/** Tells of every secret in a long text, slice by slice. Slices overlap, so that nothing is cut: what is in two of them is told twice. */
export function* textSlices(
  piece: Piece,
  { from, to, escaped }: Stretch,
  scan: Scan,
  place: () => string,
): Generator<void> {
  for (let at = from; at < to; ) {
    const next = whole(piece.text, Math.min(to, at + LIMITS.redactedSliceBytes), at);
    const end = whole(piece.text, Math.min(to, next + OVERLAP), next);
    scanText(escaped ? piece.inner(at, end) : piece.slice(at, end), scan, place);
    yield;
    at = next;
  }
}

/** A place near another, before it, that no escape goes on across. */
function whole(text: string, at: number, least: number): number {
  const start = Math.max(0, at - ESCAPE);
  const slash = text.slice(start, at + 1).lastIndexOf('\\');
  if (at >= text.length || slash < 0) return at;
  let from = start + slash;
  while (from > least + 1 && at - from < RUN && text[from - 1] === '\\') from--;
  return from > least ? from : at;
}

/** Characters of two escapes of UTF-16, and of backslashes that are looked behind. */
const ESCAPE = 12;
const RUN = 64;
