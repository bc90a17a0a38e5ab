import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { isNumber, writeNumber } from './number-text';

/** How each bound of a schema reads beside a field. `value` is what the keyword holds, of any type. */
const HINTS: readonly (readonly [keyword: string, hint: (value: unknown) => string | undefined])[] = [
  ['format', (value) => (typeof value === 'string' ? value : undefined)],
  ['minimum', (value) => number(value, '≥')],
  ['exclusiveMinimum', (value) => number(value, '>')],
  ['maximum', (value) => number(value, '≤')],
  ['exclusiveMaximum', (value) => number(value, '<')],
  ['multipleOf', (value) => number(value, 'multiple of')],
  ['minLength', (value) => number(value, 'length ≥')],
  ['maxLength', (value) => number(value, 'length ≤')],
  ['pattern', (value) => (typeof value === 'string' ? `/${value}/` : undefined)],
  ['minItems', (value) => number(value, 'items ≥')],
  ['maxItems', (value) => number(value, 'items ≤')],
  ['deprecated', (value) => (value === true ? 'deprecated' : undefined)],
];

function number(value: unknown, sign: string): string | undefined {
  return isNumber(value) ? `${sign} ${writeNumber(value)}` : undefined;
}

/** A schema's bounds in a few words each. zod writes ±(2^53 − 1) on every integer: those say nothing and are left out. */
export function hintsOf(schema: JsonObject): readonly string[] {
  if (!isObject(schema)) return [];
  return HINTS.flatMap(([keyword, hint]) => {
    const value = own(schema, keyword);
    if (isNumber(value) && Math.abs(Number(writeNumber(value))) >= Number.MAX_SAFE_INTEGER) return [];
    return hint(value) ?? [];
  });
}
