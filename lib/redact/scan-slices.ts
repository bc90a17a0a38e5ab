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
 * Reports every secret in a long text, slice by slice. Slices overlap so that nothing is cut, not even an escape; a
 * secret in two slices is reported twice.
 */
export function* scanInSlices(
  piece: MappedText,
  { from, to, escaped }: Stretch,
  scan: SecretScan,
  place: () => string,
): Generator<void> {
  for (let at = from; at < to; ) {
    const next = Math.min(to, at + REDACTED_SLICE_BYTES);
    const end = Math.min(to, next + OVERLAP_CHARS);
    scanText(escaped ? piece.unescaped(at, end) : piece.slice(at, end), scan, place);
    yield;
    at = next;
  }
}
