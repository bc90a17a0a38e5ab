import { isRecord } from '@/lib/schema/document';
import { isNumber, writeNumber } from '@/lib/schema/number-text';

/** Values looked at of fields that are not drawn, and characters of each. */
const MOST_VALUES = 1000;
const LONGEST = 200;

/** What can be found of fields that are not drawn: their names and what they hold. */
export function wordsOf(keys: readonly (string | number)[], values: readonly unknown[]): string {
  const words = keys.filter((key) => typeof key === 'string').map(cut);
  for (const [key, value] of within(values)) {
    if (typeof key === 'string') words.push(cut(key));
    if (typeof value === 'string') words.push(cut(value));
    else if (isNumber(value)) words.push(writeNumber(value));
  }
  return words.join(' ');
}

/** About how many fields values take. */
export function countOf(values: readonly unknown[]): number {
  let count = 0;
  for (const _ of within(values)) count += 1;
  return count;
}

/** The values, and those in them, as far as there is time for. */
function* within(values: readonly unknown[]): Generator<readonly [key: string | number | undefined, value: unknown]> {
  const pending: (readonly [key: string | number | undefined, value: unknown])[] = values.map((value) => [
    undefined,
    value,
  ]);
  for (let at = 0; at < pending.length && at < MOST_VALUES; at++) {
    const entry = pending[at]!;
    yield entry;
    if (Array.isArray(entry[1])) for (const [index, item] of entry[1].entries()) pending.push([index, item]);
    else if (isRecord(entry[1])) pending.push(...Object.entries(entry[1]));
  }
}

function cut(text: string): string {
  return text.slice(0, LONGEST);
}
