/** Characters that terminals draw over two columns: East Asian wide ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Marks that are drawn onto the character before them. */
const MARK = /\p{M}/u;

/** Columns of a terminal that a text takes, as nearly as can be known without the terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The text, cut to `most` columns; the last of them says by `…` that there was more. */
export function fitText(text: string, most: number): string {
  // A text has at least a quarter as many columns as code units, but for marks: those are cut with it.
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
