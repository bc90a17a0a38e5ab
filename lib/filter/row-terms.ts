import type { Row } from '@/lib/store/row';
import type { FieldTerm } from './ast';
import { fieldTerm } from './terms';

/** The key under which the name of a method's messages is found. */
const NAME_KEYS: readonly (readonly [method: RegExp, key: string])[] = [
  [/^tools\/call$/, 'tool'],
  [/^prompts\/get$/, 'prompt'],
  [/^(notifications\/)?resources\//, 'uri'],
];

/** What may be asked of other rows because this one is so; `around` is the time, a second before and after. */
export function rowTerms(row: Row): { readonly terms: readonly FieldTerm[]; readonly around: FieldTerm } {
  const { method, name, id, kind, exchange, time } = row;
  const key = NAME_KEYS.find(([pattern]) => pattern.test(method ?? ''))?.[1] ?? 'name';
  const terms = [
    method !== undefined && fieldTerm('method', method),
    method !== undefined && name !== undefined && name !== '' && fieldTerm(key, name),
    id !== undefined && { ...fieldTerm('id', String(id)), ...(typeof id === 'string' && { quoted: true }) },
    fieldTerm('kind', kind === 'response' ? 'result' : kind),
    exchange !== undefined && fieldTerm('exchange', String(exchange)),
  ].filter((term) => term !== false);
  const seconds = (us: number) => `${(Math.max(0, us) / 1e6).toFixed(3)}s`;
  return { terms, around: fieldTerm('time', `${seconds(time - 1e6)}..${seconds(time + 1e6)}`) };
}
