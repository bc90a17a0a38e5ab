import { isRecord } from '@/lib/json/edit';
import { isNumber } from '@/lib/json/exact';

/** Ways to make a document wrong everywhere at once. */
export const MUTATIONS = ['types', 'names'] as const;

const WRONG_NAME = 'a name that is not in the schema';

/** A copy with each leaf of another type, or with each object short of a property and one too many. */
export function mutant(value: unknown, mutation: (typeof MUTATIONS)[number]): unknown {
  if (Array.isArray(value)) return value.map((item) => mutant(item, mutation));
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([name, item]) => [name, mutant(item, mutation)] as const);
    if (mutation === 'types') return Object.fromEntries(entries);
    return Object.fromEntries([...entries.slice(1), [WRONG_NAME, 1]]);
  }
  if (mutation === 'names') return value;
  return typeof value === 'string' || isNumber(value) ? [value] : 'text';
}
