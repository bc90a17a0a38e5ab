import { columnSecret } from './columns';
import type { NamedSecret } from './secret-names';
import { sticky } from './sticky';

/** A value in a column, and what it is by the column's name. */
export interface Cell {
  readonly from: number;
  readonly to: number;
  readonly secret: NamedSecret;
}

const MOST = 4000;
const INTO = new RegExp(
  `insert\\s{1,8}into\\s{1,8}[\\w.\`"[\\]-]{1,200}\\s{0,8}\\(([^()]{1,${MOST}})\\)\\s{0,8}values\\s{0,8}`,
  'iy',
);
const NEXT = /\s{0,8},\s{0,8}(?=\()/y;
const COPY = /\) from stdin[^\n]{0,200}\r?\n/iy;
/** Of code: what a program puts there. */
const FILLED_IN = /^(?:\{[^}]*\}|[:@#]\w+|["'`] ?[+.,)].*)$/s;
const LINE = /(?!\\\.)([^\r\n]*)(?:\r?\n|$)/y;

/** The values of secret columns in the statement `INSERT INTO t (a, b) VALUES (…), (…)` that begins at a place, and where it ends. */
export function insertedCells(text: string, at: number): { readonly cells: readonly Cell[]; readonly end: number } {
  const begun = sticky(INTO, text, at);
  const columns = begun ? columnsOf(begun[1]!) : [];
  const cells: Cell[] = [];
  let end = at + (begun?.[0].length ?? 0);
  if (!columns.some((column) => column)) return { cells, end };
  while (text[end] === '(') {
    end = tuple(text, end + 1, columns, cells);
    end += sticky(NEXT, text, end)?.[0].length ?? 0;
  }
  return { cells, end };
}

/** Reads a tuple to its end; strings in it that are in a secret column are values, those within calls as well. */
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
      // Of a call, what it makes the value of.
      const to = Math.min(end, at + 1 + MOST);
      if (secret && first && !FILLED_IN.test(text.slice(at + 1, to))) cells.push({ from: at + 1, to, secret });
      first = false;
      at = end;
    }
  }
  return at;
}

/** Where the quote is that ends what one at a place began: doubled, or behind a backslash, it ends nothing. Without one the line's end. */
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

/** The same of `COPY t (a, b) FROM stdin;`, whose `)` is at that place, and the lines of tabs behind it. */
export function copiedCells(text: string, at: number): { readonly cells: readonly Cell[]; readonly end: number } {
  const begun = sticky(COPY, text, at);
  const before = begun ? text.slice(Math.max(0, at - MOST), at) : '';
  const list = before.slice(before.lastIndexOf('(') + 1);
  const columns = list.length < before.length ? columnsOf(list) : [];
  const cells: Cell[] = [];
  let end = at + (begun?.[0].length ?? 0);
  if (!columns.some((column) => column)) return { cells, end };
  for (let line = sticky(LINE, text, end); line?.[1]; line = sticky(LINE, text, end)) {
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
