import { CHOICE_KEYS, LEVEL_KEY } from './choice-keys';
import type { FilterKey } from './filter-key';
import { NUMBER_KEYS } from './number-keys';
import { WORD_KEYS } from './word-keys';

/** Every key of the language by name, in the order of the help. */
export const FILTER_KEYS: ReadonlyMap<string, FilterKey> = new Map(
  [...WORD_KEYS.slice(0, 2), ...CHOICE_KEYS, LEVEL_KEY, ...NUMBER_KEYS, ...WORD_KEYS.slice(2)].map((key) => [
    key.name,
    key,
  ]),
);

/** Returns the key that a misspelled one most likely means, if any. */
export function nearestKey(name: string): string | undefined {
  const names = [...FILTER_KEYS.keys()];
  const longer = names.find((key) => key.startsWith(name) || name.startsWith(key));
  return longer ?? names.find((key) => distance(key, name) <= Math.max(1, Math.floor(key.length / 3)));
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    before = row;
  }
  return before[b.length]!;
}
