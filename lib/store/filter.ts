import type { Row } from './row';

/** Whether a row is to be shown. `textOf` gives the frame's text and is asked only when the row's own words don't decide. */
export type RowFilter = (row: Row, textOf: () => string) => boolean;

interface Word {
  readonly text: string;
  readonly negated: boolean;
  /** It asks for one HTTP exchange. */
  readonly exchange?: number;
}

/**
 * Makes a filter of plain words: all must occur, upper or lower case, in what the row shows or in the frame's text; a word
 * after `-` must not; `"two words"` is one; `exchange:7` is all that belongs to HTTP exchange 7. An empty text is undefined:
 * everything is shown.
 */
export function compileFilter(text: string): RowFilter | undefined {
  const words = toWords(text);
  if (words.length === 0) return undefined;
  return (row, textOf) => {
    const status = row.http?.status ?? '';
    const shown = `${row.method ?? ''} ${row.name ?? ''} ${row.kind} ${row.id ?? ''} ${status}`.toLowerCase();
    let whole: string | undefined;
    return words.every((word) => {
      if (word.exchange !== undefined) return (row.exchange === word.exchange) !== word.negated;
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
    if (word === '' || word === '-') continue;
    const exchange = /^exchange:(\d+)$/.exec(plain ?? '')?.[1];
    words.push({ text: word, negated: minus === '-', ...(exchange && { exchange: Number(exchange) }) });
  }
  return words;
}
