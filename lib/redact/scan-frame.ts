import { atOnce } from '@/lib/wire/in-slices';
import type { Scan } from './found';
import { Piece } from './piece';
import { mayBeJson, scanJson } from './scan-json';
import { textSlices } from './text-slices';

/** Tells of every secret in the byte text of a frame, in no order, the same place perhaps several times. Linear in its length. */
export function scanFrame(text: string, scan: Scan): void {
  atOnce(frameSlices(text, scan));
}

/** The same in slices, each of which takes some milliseconds at most. */
export function* frameSlices(text: string, scan: Scan): Generator<void> {
  const whole = Piece.whole(text);
  const from = mayBeJson(text) ? yield* scanJson(whole, scan, nowhere) : 0;
  if (from >= text.length) return;
  const rest = { from, to: text.length };
  yield* textSlices(whole, { ...rest, escaped: false }, scan, nowhere);
  // Escapes of something printed in the middle of a line.
  if (/\\u00(?:[2-7]|1[bB])/.test(text)) yield* textSlices(whole, { ...rest, escaped: true }, scan, nowhere);
}

const nowhere = () => '';
