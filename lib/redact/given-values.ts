import { byteTextOf, readableText } from './byte-text';
import { scanFrame } from './scan-frame';

/**
 * Secrets in what a server is given, by name and by shape: the arguments of its command, with values of flags that are named like
 * secrets, or its variables.
 */
export function secretsGiven(
  given: readonly string[] | Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const values = new Set<string>();
  scanFrame(byteTextOf(JSON.stringify(given)), { weak: false, found: ({ value }) => values.add(readableText(value)) });
  return [...values];
}
