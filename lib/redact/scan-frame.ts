import type { Scan } from './found';
import { Piece } from './piece';
import { mayBeJson, scanJson } from './scan-json';
import { scanText } from './scan-text';

/** Tells of every secret in the byte text of a frame, in no order, the same place perhaps several times. Linear in its length. */
export function scanFrame(text: string, scan: Scan): void {
  const whole = Piece.whole(text);
  if (mayBeJson(text) && scanJson(whole, scan, nowhere)) return;
  scanText(whole, scan, nowhere);
  // Escapes of something printed in the middle of a line.
  if (/\\u00(?:[2-7]|1[bB])/.test(text)) scanText(whole.inner(0, text.length), scan, nowhere);
}

const nowhere = () => '';
