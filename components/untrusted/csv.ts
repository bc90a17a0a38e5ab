/** The first rows of a text with separated values. */
export interface CsvTable {
  readonly rows: readonly (readonly string[])[];
  /** True if the text has more rows. */
  readonly more: boolean;
}

/** Returns the character that separates the values of the first line: the most frequent of three. */
function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split(/[\r\n]/, 1)[0]!;
  const count = (separator: string) => line.split(separator).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

/**
 * Reads at most `most` rows of CSV or TSV (RFC 4180), in one pass over what is read. A quote that is never closed takes
 * the rest of the text. Empty lines are left out.
 */
export function readCsv(text: string, most: number): CsvTable {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (rows.length === most) return { rows, more: true };
    const quoted = text[at] === '"';
    const end = quoted ? quoteEnd(text, at) : at;
    const stop = valueEnd(text, end, separator);
    // Characters after a closing quote are wrong, and kept.
    row.push(quoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') + text.slice(end, stop) : text.slice(at, stop));
    at = stop + 1;
    if (text[stop] === separator && at === text.length) row.push('');
    if (text[stop] === separator && at < text.length) continue;
    if (text[stop] === '\r' && text[at] === '\n') at++;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return { rows, more: false };
}

/** Returns the index after the quote that closes the one at `start`; one after the end of the text if none does. */
function quoteEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length + 1;
    if (text[at + 1] !== '"') return at + 1;
    at++;
  }
}

/** Returns the index of the next separator or line end, or the length of the text. */
function valueEnd(text: string, from: number, separator: string): number {
  let at = Math.min(from, text.length);
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}
