import { plainText } from './plain-text';
import { fitText, textWidth } from './text-width';

const GAP = '  ';
/** A column is not made narrower than this. */
const NARROWEST = 6;

/**
 * Rows under a line of headings, columns aligned, one line a row. Cells are from outside: white space and control characters
 * are made harmless. Within `width` columns if a terminal has so many, cutting the widest first; else nothing is cut.
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

/** Takes from the widest column until all fit, or none may become narrower. */
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
