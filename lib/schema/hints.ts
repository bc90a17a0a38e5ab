import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { isNumber, writeNumber } from './number-text';

/** Characters of a pattern shown beside a field. */
const PATTERN = 14;

/** Bounds that only say which integers a language has: 32 bits, and those a double is sure of, which zod writes on every integer. */
const OF_TYPES = [2 ** 31, 2 ** 31 - 1];

type Hint = (schema: JsonObject) => string | undefined;

/** What of a schema is told beside a field, in this order. */
const HINTS: readonly Hint[] = [
  (schema) => words(own(schema, 'format')),
  (schema) => range(bound(schema, 'minimum'), bound(schema, 'maximum'), ''),
  (schema) => signed(bound(schema, 'exclusiveMinimum'), '>'),
  (schema) => signed(bound(schema, 'exclusiveMaximum'), '<'),
  (schema) => signed(bound(schema, 'multipleOf'), 'multiple of'),
  (schema) => range(bound(schema, 'minLength'), bound(schema, 'maxLength'), 'characters'),
  (schema) => {
    const pattern = own(schema, 'pattern');
    // Beside a format the pattern is the generator's spelling of it.
    if (typeof pattern !== 'string' || words(own(schema, 'format')) !== undefined) return undefined;
    return `/${pattern.length > PATTERN ? `${pattern.slice(0, PATTERN)}…` : pattern}/`;
  },
  (schema) => range(bound(schema, 'minItems'), bound(schema, 'maxItems'), 'items'),
  (schema) => (own(schema, 'uniqueItems') === true ? 'all different' : undefined),
  (schema) => range(bound(schema, 'minProperties'), bound(schema, 'maxProperties'), 'properties'),
  (schema) => (own(schema, 'readOnly') === true ? 'read-only' : undefined),
  (schema) => (own(schema, 'deprecated') === true ? 'deprecated' : undefined),
];

/** A schema's bounds in a few words each. */
export function hintsOf(schema: JsonObject): readonly string[] {
  return isObject(schema) ? HINTS.flatMap((hint) => hint(schema) ?? []) : [];
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function bound(schema: JsonObject, keyword: string): string | undefined {
  const value = own(schema, keyword);
  if (!isNumber(value)) return undefined;
  const text = writeNumber(value);
  const size = Math.abs(Number(text));
  return size >= Number.MAX_SAFE_INTEGER || OF_TYPES.includes(size) ? undefined : text;
}

function signed(text: string | undefined, sign: string): string | undefined {
  return text === undefined ? undefined : `${sign} ${text}`;
}

/** `24 characters`, `1–64 characters`, `≥ 1`, `≤ 9 items`. */
function range(least: string | undefined, most: string | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  const of = unit === '' ? '' : ` ${unit}`;
  if (least === undefined) return `≤ ${most}${of}`;
  if (most === undefined) return `≥ ${least}${of}`;
  return least === most ? `${least}${of}` : `${least}–${most}${of}`;
}
