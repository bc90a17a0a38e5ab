/** Of a line of text within a row, in px, and what is around all of them. */
const LINE = 18;
const AROUND = 14;
const MOST_LINES = 18;

/** How high a box for wrapped text is, of which `columns` characters stand beside each other: its lines, up to a bound. */
export function textHeight(text: string, columns: number): number {
  const width = Math.max(20, columns);
  let lines = 0;
  for (const line of text.split('\n')) {
    lines += Math.max(1, Math.ceil(line.length / width));
    if (lines >= MOST_LINES) return MOST_LINES * LINE + AROUND;
  }
  return lines * LINE + AROUND;
}
