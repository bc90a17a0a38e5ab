import type { SecretScan } from './found-secret';
import type { MappedText } from './mapped-text';
import { REDACTED_SLICE_BYTES, scanText } from './scan-text';

/** Characters by which slices overlap. Nothing that is looked for is longer. */
const OVERLAP_CHARS = 20_000;

/** The span of a text to scan, and whether JSON escapes are decoded in it. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly escaped: boolean;
}

/**
 * Reports every secret in a long text, slice by slice. Slices overlap so that nothing is cut; a secret in two slices is
 * reported twice.
 */
export function* scanInSlices(
  piece: MappedText,
  { from, to, escaped }: Stretch,
  scan: SecretScan,
  place: () => string,
): Generator<void> {
  for (let at = from; at < to; ) {
    const next = whole(piece.text, Math.min(to, at + REDACTED_SLICE_BYTES), at);
    const end = whole(piece.text, Math.min(to, next + OVERLAP_CHARS), next);
    scanText(escaped ? piece.unescaped(at, end) : piece.slice(at, end), scan, place);
    yield;
    at = next;
  }
}

/** Characters of two UTF-16 escapes, and most backslashes before a place that are checked. */
const ESCAPE_CHARS = 12;
const BACKSLASH_CHARS = 64;

/** Returns a nearby place, not after `at`, that does not split an escape. */
function whole(text: string, at: number, least: number): number {
  const start = Math.max(0, at - ESCAPE_CHARS);
  const slash = text.slice(start, at + 1).lastIndexOf('\\');
  if (at >= text.length || slash < 0) return at;
  let from = start + slash;
  while (from > least + 1 && at - from < BACKSLASH_CHARS && text[from - 1] === '\\') from--;
  return from > least ? from : at;
}
