import { plainText } from './plain-text';

/** Characters that terminals draw two columns wide: East Asian wide ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Marks that combine with the character before them. */
const MARK = /\p{M}/u;

/** Longest line if stdout is not a terminal. `--json` prints everything. */
export const LINE_COLUMNS = 200;

/** Estimates the terminal columns of a text. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** Cuts a text to `most` columns. A cut text ends in `…`. */
export function fitText(text: string, most: number): string {
  // Without marks, a text has at least a quarter as many columns as code units.
  const near = text.slice(0, most * 4 + 4);
  if (near.length === text.length && textWidth(text) <= most) return text;
  let kept = '';
  let width = 0;
  for (const character of near) {
    width += widthOf(character);
    if (width > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

function widthOf(character: string): number {
  if (character < '\u0300') return 1;
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

const GAP = '  ';
/** Narrowest column. */
const NARROWEST = 6;

/**
 * Formats rows under headings, in aligned columns, one line a row. Cells come from outside, so white space and
 * control characters are cleaned. With `width`, cuts the widest columns until the table fits.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], width?: number): string {
  const lines = [headings, ...rows].map((row) => row.map(oneLine));
  const widest = headings.map((_, column) => Math.max(...lines.map((line) => textWidth(line[column] ?? ''))));
  const widths = width === undefined ? widest : shrink(widest, width - GAP.length * (headings.length - 1));
  return lines.map((line) => alignRow(line, widths)).join('\n');
}

function oneLine(cell: string): string {
  return plainText(cell.replace(/\s+/g, ' ').trim());
}

function alignRow(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => {
      const shown = fitText(cell, widths[column]!);
      return shown + ' '.repeat(widths[column]! - textWidth(shown));
    })
    .join(GAP)
    .trimEnd();
}

/** Narrows the widest column until all fit, or none can become narrower. */
function shrink(widest: readonly number[], most: number): readonly number[] {
  const widths = widest.map((width) => Math.min(width, Math.max(most, NARROWEST)));
  let over = widths.reduce((sum, width) => sum + width, 0) - most;
  while (over-- > 0) {
    const largest = Math.max(...widths);
    if (largest <= NARROWEST) break;
    widths[widths.lastIndexOf(largest)] = largest - 1;
  }
  return widths;
}
