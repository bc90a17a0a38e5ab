import { byteTextOf, trimmedSpan } from './byte-text';
import type { NameInText } from './context';
import { type SecretName, secretName } from './names';
import { canBeValue, isIdentifier, isRandom } from './values';

/** A table cell, and what kind of secret its column makes it. */
interface Cell {
  readonly from: number;
  readonly to: number;
  readonly secret: SecretName;
}

/** Characters of the longest line of a table, and of a column's name. */
const MOST_LINE_CHARS = 4000;
const MOST_NAME_CHARS = 64;
/** Separators of cells: a bar, also one of box drawing; a tab; a comma or semicolon. As byte text. */
const SEPARATORS = ['│', '|', '\t', ';', ','].map(byteTextOf);
const RULER = new RegExp(
  `^(?:[ \\t|+:=-]|${byteTextOf('─')}|${byteTextOf('┼')}|${byteTextOf('├')}|${byteTextOf('┤')})+$`,
);

/**
 * Returns the values of secret columns in the table whose head is the line around a name: separated by commas,
 * semicolons, tabs or bars, Markdown, or what databases print. `end` is how far the text was read.
 */
export function columnsAt(
  text: string,
  { from, to }: Pick<NameInText, 'from' | 'to'>,
): { readonly cells: readonly Cell[]; readonly end: number } {
  const begin = text.lastIndexOf('\n', from - 1) + 1;
  const found = text.indexOf('\n', to);
  const end = found < 0 ? text.length : found + 1;
  const none = { cells: [], end };
  if (found < 0 || end - begin > MOST_LINE_CHARS) return none;
  const line = text.slice(begin, end);
  const separator = SEPARATORS.find((sign) => line.includes(sign));
  if (separator === undefined) return none;
  const names = cellsOf(text, begin, end, separator).map((cell) =>
    text.slice(cell.from, cell.to).replace(/^[*_`]{1,3}(.*?)[*_`]{1,3}$/, '$1'),
  );
  const isFramed = /^[ \t]*(?:\||\u00e2)/.test(line);
  if (
    (names.length < 2 && !isFramed) ||
    names.some((name) => name.length > MOST_NAME_CHARS || (separator === ',' && / .* /.test(name)))
  )
    return none;
  const columns = names.map((name) => (/^[\w.() /-]*$/.test(name) ? secretName(name, 'member') : undefined));
  if (!columns.some((column) => column)) return none;
  return rowsBehind(text, end, separator, columns);
}

function rowsBehind(text: string, from: number, separator: string, columns: readonly (SecretName | undefined)[]) {
  const cells: Cell[] = [];
  let end = from;
  while (end < text.length) {
    const found = text.indexOf('\n', end);
    const next = found < 0 ? text.length : found + 1;
    if (next - end > MOST_LINE_CHARS) break;
    const span = trimmedSpan(text, end, next);
    const line = text.slice(span.from, span.to);
    if (!RULER.test(line)) {
      const row = cellsOf(text, end, next, separator);
      if (line === '' || row.length !== columns.length) break;
      for (const [index, cell] of row.entries()) {
        const secret = columns[index];
        if (secret && isCell(text.slice(cell.from, cell.to), secret)) cells.push({ ...cell, secret });
      }
    }
    end = next;
  }
  return { cells, end };
}

/** Returns the cells of a line without blanks, quotes and the backticks of Markdown. */
function cellsOf(
  text: string,
  begin: number,
  end: number,
  separator: string,
): readonly { readonly from: number; readonly to: number }[] {
  const line = trimmedSpan(text, begin, end);
  let at =
    text.startsWith(separator, line.from) && !'\t,;'.includes(separator)
      ? line.from + separator.length
      : separator === '\t'
        ? begin
        : line.from;
  const to =
    text.startsWith(separator, line.to - separator.length) && !'\t,;'.includes(separator)
      ? line.to - separator.length
      : line.to;
  const cells: { from: number; to: number }[] = [];
  for (;;) {
    const isQuoted = text[at] === '"';
    const close = isQuoted ? text.indexOf('"', at + 1) : -1;
    const next = text.indexOf(separator, close > 0 && close < to ? close : at);
    const cell = trimmedSpan(text, at, next < 0 || next >= to ? to : next);
    const isWrapped =
      cell.to - cell.from > 2 && '"`\''.includes(text[cell.from]!) && text[cell.to - 1] === text[cell.from];
    cells.push(isWrapped ? { from: cell.from + 1, to: cell.to - 1 } : cell);
    if (next < 0 || next >= to) return cells;
    at = next + separator.length;
  }
}

/** Matches numbers, names of variables, paths, URLs and prose. */
const NO_CELL = /[ \t]|^[\d.,:/+-]*$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[:/].*[:/]|\(\)/;

function isCell(value: string, { rule }: SecretName): boolean {
  if (!canBeValue(value) || value.length < 4 || NO_CELL.test(value)) return false;
  if (rule === 'password') return /\d/.test(value) || !isIdentifier(value);
  return isRandom(value) || (/\d/.test(value) && value.length >= 16 && !isIdentifier(value));
}

/** A line of YAML: its indentation, name and value. */
const MEMBER = /^([ \t]*(?:- )?)["']?([\w./-]{1,300})["']?[ \t]*:(?:[ \t]+(.*))?$/;

/** Returns the values in `data` and `stringData` of Kubernetes Secrets in YAML. One pass. */
export function manifestEntries(
  text: string,
): readonly { readonly from: number; readonly to: number; readonly base64: boolean }[] {
  const found: { from: number; to: number; base64: boolean }[] = [];
  let entries: typeof found = [];
  let [isSecret, list, indent] = [false, '', -1];
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    const line = text.slice(at, trimmedSpan(text, at, end).to);
    const [, lead = '', key = '', value = ''] = MEMBER.exec(line) ?? [];
    const depth = /^[ \t]*/.exec(line)![0].length;
    if (/^(?:---|\s*- apiVersion:)/.test(line)) {
      if (isSecret) found.push(...entries);
      [entries, isSecret, list, indent] = [[], false, '', -1];
    }
    if (key === 'kind' && /^["']?Secret\b/.test(value)) isSecret = true;
    if (list !== '' && depth <= indent && line !== '') list = '';
    if (list === '' && /^(?:data|stringData)$/.test(key) && value === '') [list, indent] = [key, lead.length];
    else if (list !== '' && line !== '' && !/^[|>][+-]?$/.test(value)) {
      const written = value === '' && key !== '' ? '' : key === '' ? line.slice(depth) : value;
      const bare = written.replace(/^(["'])(.*)\1$/, '$2');
      const from = at + line.length - written.length + (bare === written ? 0 : 1);
      if (bare !== '') entries.push({ from, to: from + bare.length, base64: list === 'data' });
    }
    at = end + 1;
  }
  return isSecret ? [...found, ...entries] : found;
}
