import { isRecord } from '@/lib/schema/document';
import { isNumber, writeNumber } from '@/lib/schema/number-text';
import { looksSecret } from './secrets';

/** Values looked at of fields that are not drawn, and characters of each. */
const MOST_VALUES = 1000;
const LONGEST = 200;

/** What can be found of fields that are not drawn, their names and what they hold unless that looks secret, and about how many fields that will be. */
export function wordsOf(
  keys: readonly (string | number)[],
  values: readonly unknown[],
): { readonly words: string; readonly count: number } {
  const words: string[] = [];
  const pending = keys.map((key, at): readonly [key: string | number, value: unknown] => [key, values[at]]);
  let count = 0;
  for (; count < pending.length && count < MOST_VALUES; count++) {
    const [key, value] = pending[count]!;
    if (typeof key === 'string' && looksSecret(key)) {
      words.push(key.slice(0, LONGEST));
      continue;
    }
    for (const text of [key, isNumber(value) ? writeNumber(value) : value]) {
      if (typeof text === 'string') words.push(text.slice(0, LONGEST));
    }
    const inner = Array.isArray(value) ? value.entries() : isRecord(value) ? Object.entries(value) : [];
    for (const entry of inner) pending.push(entry);
  }
  return { words: words.join(' '), count };
}
