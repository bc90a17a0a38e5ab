import { plainText } from './plain-text';

/** Writes a line for people to stderr, beside the results. */
export function note(line: string): void {
  process.stderr.write(`${plainText(line)}\n`);
}
