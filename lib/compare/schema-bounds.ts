import { type JsonObject, own } from '@/lib/wire/message';
import { numberOr } from './schema-parts';

/** Keywords that bound a value from below, and those from above, each with the bound that is none. */
const LOWER: Readonly<Record<string, number>> = {
  minimum: Number.NEGATIVE_INFINITY,
  exclusiveMinimum: Number.NEGATIVE_INFINITY,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
};
const UPPER: Readonly<Record<string, number>> = {
  maximum: Number.POSITIVE_INFINITY,
  exclusiveMaximum: Number.POSITIVE_INFINITY,
  maxLength: Number.POSITIVE_INFINITY,
  maxItems: Number.POSITIVE_INFINITY,
  maxProperties: Number.POSITIVE_INFINITY,
};

export const BOUND_KEYWORDS: readonly string[] = [LOWER, UPPER].flatMap(Object.keys);

/** The bounds that differ, each with whether it allows less than before, or more. */
export function boundChanges(
  before: JsonObject,
  after: JsonObject,
): readonly (readonly [keyword: string, kind: 'bound-narrowed' | 'bound-widened'])[] {
  return [LOWER, UPPER].flatMap((bounds) =>
    Object.entries(bounds).flatMap(([keyword, none]) => {
      const [was, is] = [numberOr(own(before, keyword), none), numberOr(own(after, keyword), none)];
      if (was === is) return [];
      return [[keyword, is > was === (bounds === LOWER) ? 'bound-narrowed' : 'bound-widened'] as const];
    }),
  );
}

/** Where there was none before, it allows less. */
export const NARROWS: ReadonlySet<string> = new Set([
  'pattern',
  'multipleOf',
  'uniqueItems',
  'propertyNames',
  'contains',
  'not',
]);
