import { byteTextOf, matchAt, trimmedSpan } from './byte-text';
import { columnSecret, type NamedSecret, type TableKind } from './secret-names';

/** Characters of the longest line that can be the head of a table. */
const MOST_LINE_CHARS = 4000;
/** Characters of the longest quoted cell, which may span lines. */
const MOST_QUOTED_CHARS = 16_384;
/** Box-drawing bar, as byte text. */
const BOX = byteTextOf('│');
const BOX_RULER = byteTextOf('─');

/** How the cells of a line are separated. */
interface Layout {
  readonly kind: TableKind;
  readonly separator: string;
  /** Each line starts and ends with a separator. */
  readonly framed: boolean;
  /** Cells may be quoted. */
  readonly quotes: boolean;
}

interface Line {
  readonly cells: readonly { readonly from: number; readonly to: number }[];
  /** Offset after the line break. */
  readonly next: number;
}

const HEAD = /^[A-Za-z_][\w.() /-]{0,60}$/;
const BARE_HEAD = /^[A-Za-z_][\w.-]{0,60}$/;

/**
 * Returns the values of secret columns in the table whose head is the line around a place: comma, semicolon, tab or bar
 * separated, Markdown, or database output. `end` is how far the text was examined, at least to the end of the line.
 */
export function tableCells(text: string, at: number): { readonly cells: readonly Cell[]; readonly end: number } {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const found = text.indexOf('\n', at);
  const end = found < 0 ? text.length : found + 1;
  const none = { cells: [], end };
  if (found < 0 || end - from > MOST_LINE_CHARS) return none;
  const layout = layoutOf(text, from, end);
  const head = layout && lineAt(text, from, layout);
  if (!head || head.next !== end || (head.cells.length < 2 && !layout.framed)) return none;
  const names = head.cells.map((cell) => nameIn(text, cell, layout));
  // Any other comma-separated list is not a table.
  if (layout.quotes && names.some((name, index) => name === undefined && index > 0)) return none;
  const columns = names.map((name) => (name === undefined ? undefined : columnSecret(name, layout.kind)));
  if (!columns.some((column) => column)) return none;
  return rowsBehind(text, end, layout, columns);
}

function layoutOf(text: string, from: number, end: number): Layout | undefined {
  const line = text.slice(from, end);
  const next = text.slice(end, end + MOST_LINE_CHARS);
  if (line.includes(BOX)) return { kind: 'grid', separator: BOX, framed: true, quotes: false };
  if (/^[ \t]{0,8}\|/.test(line)) {
    const kind = /^[ \t]{0,8}\+/.test(next) ? 'grid' : 'document';
    return { kind, separator: '|', framed: true, quotes: false };
  }
  if (line.includes('|') && /^[ \t]{0,8}-[-+ ]{1,4000}\r?\n/.test(next)) {
    return { kind: 'grid', separator: '|', framed: false, quotes: false };
  }
  const separator = ['\t', ',', ';', '|'].find((sign) => line.includes(sign));
  return separator === undefined ? undefined : { kind: 'grid', separator, framed: false, quotes: true };
}

/** Returns a column's name from a table head; undefined for anything else. */
function nameIn(text: string, { from, to }: Line['cells'][number], { quotes }: Layout): string | undefined {
  const inside = quotes ? { from, to } : trimmedSpan(text, from, to);
  const written = text.slice(inside.from, inside.to);
  const name = quotes ? written : written.replace(/^[*_`]{1,3}(.*?)[*_`]{1,3}$/, '$1');
  const inQuotes = quotes && text[from - 1] === '"';
  return (quotes && !inQuotes ? BARE_HEAD : HEAD).test(name) ? name : undefined;
}

function rowsBehind(text: string, from: number, layout: Layout, columns: readonly (NamedSecret | undefined)[]) {
  const cells: Cell[] = [];
  let end = from;
  while (end < text.length) {
    const ruler = isRuler(text, end);
    const line = ruler === undefined ? lineAt(text, end, layout) : undefined;
    if (ruler === undefined && (!line || line.cells.length !== columns.length)) break;
    for (const [index, { from, to }] of (line?.cells ?? []).entries()) {
      const secret = columns[index];
      if (secret) cells.push(trimmed(text, from, to, secret));
    }
    end = ruler ?? line!.next;
  }
  return { cells, end };
}

/** Returns a cell without the backticks of code in Markdown. */
function trimmed(text: string, from: number, to: number, secret: NamedSecret): Cell {
  const inside = trimmedSpan(text, from, to);
  const isCode = inside.to - inside.from > 2 && text[inside.from] === '`' && text[inside.to - 1] === '`';
  return isCode ? { from: inside.from + 1, to: inside.to - 1, secret } : { ...inside, secret };
}

/** Returns the offset after a line that only draws a border; undefined for any other. */
function isRuler(text: string, at: number): number | undefined {
  const end = text.indexOf('\n', at);
  const line = text.slice(at, end < 0 ? text.length : Math.min(end, at + MOST_LINE_CHARS));
  const draws = /^[ \t]{0,8}[|+:=-][|+:= -]*\r?$/.test(line) || line.includes(BOX_RULER);
  return draws ? (end < 0 ? text.length : end + 1) : undefined;
}

/** Returns the cells of the line at a place; undefined if it is not a line of such a table. */
function lineAt(text: string, at: number, { separator, framed, quotes }: Layout): Line | undefined {
  const cells: { from: number; to: number }[] = [];
  let from = at;
  const first = CELL[separator]!;
  if (framed) {
    const frame = matchAt(FRAME, text, at);
    if (!frame) return undefined;
    from += frame[0].length;
  }
  for (;;) {
    const quoted = quotes ? matchAt(IN_QUOTES, text, from) : undefined;
    const cell = quoted ?? matchAt(first, text, from)!;
    const begin = quoted ? from + 1 : from;
    let to = from + cell[0].length;
    cells.push({ from: begin, to: quoted ? to - 1 : to });
    if (text.startsWith(separator, to)) {
      from = to + separator.length;
      continue;
    }
    if (text[to] === '\r') to++;
    if (to < text.length && text[to] !== '\n') return undefined;
    // Nothing may follow the last bar.
    if (framed && (cells.length < 2 || !isBlank(text, cells.pop()!.from, to))) return undefined;
    return isBlank(text, at, to) ? undefined : { cells, next: to + 1 };
  }
}

function isBlank(text: string, begin: number, end: number): boolean {
  const { from, to } = trimmedSpan(text, begin, end);
  return from === to;
}

const FRAME = new RegExp(`[ \\t]{0,8}(?:\\||${BOX})`, 'y');
const IN_QUOTES = new RegExp(`"(?:[^"]|""){0,${MOST_QUOTED_CHARS}}"`, 'y');
const CELL: Readonly<Record<string, RegExp>> = {
  '\t': /[^\t\r\n]*/y,
  ',': /[^,\r\n]*/y,
  ';': /[^;\r\n]*/y,
  '|': /(?:\\\||[^|\r\n])*/y,
  [BOX]: new RegExp(`(?:(?!${BOX})[^\\r\\n])*`, 'y'),
};

/** A table cell, and what kind of secret its column makes it. */
interface Cell {
  readonly from: number;
  readonly to: number;
  readonly secret: NamedSecret;
}

/** Characters of the longest list of columns, and of the longest value. */
const MOST_LIST_CHARS = 4000;
const INTO = new RegExp(
  `insert\\s{1,8}into\\s{1,8}[\\w.\`"[\\]-]{1,200}\\s{0,8}\\(([^()]{1,${MOST_LIST_CHARS}})\\)\\s{0,8}values\\s{0,8}`,
  'iy',
);
const NEXT = /\s{0,8},\s{0,8}(?=\()/y;
const COPY = /\) from stdin[^\n]{0,200}\r?\n/iy;
/** Matches a placeholder in code, which a program fills in. */
const FILLED_IN = /^(?:\{[^}]*\}|[:@#]\w+|["'`] ?[+.,)].*)$/s;
const LINE = /(?!\\\.)([^\r\n]*)(?:\r?\n|$)/y;

/**
 * Returns the values of secret columns in the statement `INSERT INTO t (a, b) VALUES (…), (…)` at a place, and the end
 * of the statement.
 */
export function insertedCells(text: string, at: number): { readonly cells: readonly Cell[]; readonly end: number } {
  const begun = matchAt(INTO, text, at);
  const columns = begun ? columnsOf(begun[1]!) : [];
  const cells: Cell[] = [];
  let end = at + (begun?.[0].length ?? 0);
  if (!columns.some((column) => column)) return { cells, end };
  while (text[end] === '(') {
    end = tuple(text, end + 1, columns, cells);
    end += matchAt(NEXT, text, end)?.[0].length ?? 0;
  }
  return { cells, end };
}

/** Reads a tuple to its end. Strings in secret columns are values, even inside calls. */
function tuple(text: string, from: number, columns: readonly (NamedSecret | undefined)[], cells: Cell[]): number {
  let depth = 1;
  let column = 0;
  let first = true;
  let at = from;
  for (; at < text.length && depth > 0; at++) {
    const sign = text[at]!;
    if (sign === '(') depth++;
    else if (sign === ')') depth--;
    else if (sign === ',' && depth === 1) {
      column++;
      first = true;
    } else if (sign === "'" || sign === '"') {
      const end = stringEnd(text, at);
      const secret = columns[column];
      // In a call, only the first string is the value.
      const to = Math.min(end, at + 1 + MOST_LIST_CHARS);
      if (secret && first && !FILLED_IN.test(text.slice(at + 1, to))) cells.push({ from: at + 1, to, secret });
      first = false;
      at = end;
    }
  }
  return at;
}

/**
 * Returns where the quoted string at a place ends. Doubled and escaped quotes do not end it. Without an end, returns
 * the end of the line.
 */
function stringEnd(text: string, at: number): number {
  const quote = text[at]!;
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === '\\') next++;
    else if (text[next] === quote) {
      if (text[next + 1] !== quote) return next;
      next++;
    }
  }
  const line = text.indexOf('\n', at);
  return line < 0 ? text.length : line;
}

/**
 * Returns the values of secret columns in `COPY t (a, b) FROM stdin;` and the tab-separated lines after it, and the end
 * of these lines. `at` is the place of the `)`.
 */
export function copiedCells(text: string, at: number): { readonly cells: readonly Cell[]; readonly end: number } {
  const begun = matchAt(COPY, text, at);
  const before = begun ? text.slice(Math.max(0, at - MOST_LIST_CHARS), at) : '';
  const list = before.slice(before.lastIndexOf('(') + 1);
  const columns = list.length < before.length ? columnsOf(list) : [];
  const cells: Cell[] = [];
  let end = at + (begun?.[0].length ?? 0);
  if (!columns.some((column) => column)) return { cells, end };
  for (let line = matchAt(LINE, text, end); line?.[1]; line = matchAt(LINE, text, end)) {
    let from = end;
    for (const [index, value] of line[1].split('\t').entries()) {
      const secret = columns[index];
      if (secret && value !== '\\N') cells.push({ from, to: from + value.length, secret });
      from += value.length + 1;
    }
    end += line[0].length;
  }
  return { cells, end };
}

function columnsOf(list: string): readonly (NamedSecret | undefined)[] {
  return list.split(',').map((name) => columnSecret(name.replace(/[\s"`[\]]/g, ''), 'rows'));
}
