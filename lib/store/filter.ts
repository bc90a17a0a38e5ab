import type { Row } from './row';

/** Whether a row is to be shown. `textOf` gives the frame's text and is asked only when the row's own words don't decide. */
export type RowFilter = (row: Row, textOf: () => string) => boolean;

interface Word {
  readonly text: string;
  readonly negated: boolean;
}

/**
 * Makes a filter of plain words: all must occur, upper or lower case, in what the row shows or in the frame's text; a word
 * after `-` must not; `"two words"` is one. An empty text is undefined: everything is shown.
 */
export function compileFilter(text: string): RowFilter | undefined {
  const words = toWords(text);
  if (words.length === 0) return undefined;
  return (row, textOf) => {
    const shown = `${row.method ?? ''} ${row.name ?? ''} ${row.kind} ${row.id ?? ''}`.toLowerCase();
    let whole: string | undefined;
    return words.every((word) => {
      if (shown.includes(word.text)) return !word.negated;
      whole ??= textOf().toLowerCase();
      return whole.includes(word.text) !== word.negated;
    });
  };
}

function toWords(text: string): Word[] {
  const words: Word[] = [];
  for (const [, minus, quoted, plain] of text.matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)) {
    const word = (quoted ?? plain ?? '').toLowerCase();
    if (word !== '' && word !== '-') words.push({ text: word, negated: minus === '-' });
  }
  return words;
}
