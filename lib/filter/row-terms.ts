import type { Row } from '@/lib/store/rows/row';
import type { FieldTerm } from './language/ast';
import { fieldTerm } from './print';

/** The filter key for the name in a method's messages. */
const NAME_KEYS: readonly (readonly [method: RegExp, key: string])[] = [
  [/^tools\/call$/, 'tool'],
  [/^prompts\/get$/, 'prompt'],
  [/^(notifications\/)?resources\//, 'uri'],
  [/^span$/, 'span'],
];

/** Returns terms that find rows similar to this one. `around` selects one second before and after. */
export function rowTerms(row: Row): { readonly terms: readonly FieldTerm[]; readonly around: FieldTerm } {
  const { method, name, id, kind, channel, exchange, time } = row;
  const key = NAME_KEYS.find(([pattern]) => pattern.test(method ?? ''))?.[1] ?? 'name';
  const terms = [
    method !== undefined && fieldTerm('method', method),
    method !== undefined && name !== undefined && name !== '' && fieldTerm(key, name),
    id !== undefined && { ...fieldTerm('id', String(id)), ...(typeof id === 'string' && { quoted: true }) },
    kind === 'other' ? fieldTerm('channel', channel) : fieldTerm('kind', kind === 'response' ? 'result' : kind),
    exchange !== undefined && fieldTerm('exchange', String(exchange)),
  ].filter((term) => term !== false);
  const seconds = (us: number) => `${(Math.max(0, us) / 1e6).toFixed(3)}s`;
  return { terms, around: fieldTerm('time', `${seconds(time - 1e6)}..${seconds(time + 1e6)}`) };
}
