import { hasColours, type Line, styledText } from './styled';

/** Writes lines to stdout. */
export function printLines(lines: readonly Line[]): void {
  process.stdout.write(`${styledText(lines, hasColours(process.stdout, process.env))}\n`);
}
