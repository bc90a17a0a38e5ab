/**
 * How well what was typed fits a text: higher is better, undefined is not at all. Every word typed must occur; the beginning
 * of the text is best, the beginning of a word next, letters in order with gaps last.
 */
export function rank(typed: string, text: string): number | undefined {
  const lower = text.toLowerCase();
  let total = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const score = rankWord(word, lower);
    if (score === undefined) return undefined;
    total += score;
  }
  return total;
}

function rankWord(word: string, text: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 3;
  if (at > 0) return /[^\p{L}\p{N}]/u.test(text[at - 1]!) ? 2 : 1;
  let from = 0;
  for (const character of word) {
    from = text.indexOf(character, from) + 1;
    if (from === 0) return undefined;
  }
  return 0;
}

/** The best `most` of the items, best first; equally good ones keep their order. */
export function best<T>(typed: string, items: readonly T[], textOf: (item: T) => string, most: number): T[] {
  return items
    .map((item) => ({ item, score: rank(typed, textOf(item)) }))
    .filter((entry): entry is { item: T; score: number } => entry.score !== undefined)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map((entry) => entry.item);
}
