import { byteTextOf, readableText } from './byte-text';
import { scanFrame } from './scan-frame';

/** Values of flags that are named like secrets, in a command's arguments. */
export function secretFlagValues(args: readonly string[]): readonly string[] {
  const values = new Set<string>();
  scanFrame(byteTextOf(JSON.stringify(args)), { weak: false, found: ({ value }) => values.add(readableText(value)) });
  return [...values];
}
