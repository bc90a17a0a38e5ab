/** A regular expression as written in a filter. */
export interface RegexSource {
  readonly source: string;
  readonly flags: string;
}

/**
 * A filter as a tree. `text` occurs in the row or in the frame's bytes, `regex` matches the frame's text, `field`
 * compares a property of the row.
 */
export type Filter =
  | { readonly type: 'all'; readonly parts: readonly Filter[] }
  | { readonly type: 'any'; readonly parts: readonly Filter[] }
  | { readonly type: 'not'; readonly part: Filter }
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'regex' } & RegexSource)
  | FieldTerm;

/** `key:value`. */
export interface FieldTerm extends FieldValue {
  readonly type: 'field';
  readonly key: string;
}

/** The part after the colon, without quotes. Some keys read a quoted value literally. */
export interface FieldValue {
  readonly value: string;
  readonly quoted: boolean;
}

/** Joins parts with "and". Nested `all` filters are flattened; a single part is returned as it is. */
export const allOf = (parts: readonly (Filter | undefined)[]): Filter | undefined => joined('all', parts);

/** Joins parts with "or" in the same way. */
export const anyOf = (parts: readonly (Filter | undefined)[]): Filter | undefined => joined('any', parts);

/** Returns the parts that must all match: those of an `all` filter, otherwise the filter itself. */
export function partsOf(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return [];
  return filter.type === 'all' ? filter.parts : [filter];
}

function joined(type: 'all' | 'any', parts: readonly (Filter | undefined)[]): Filter | undefined {
  const flat = parts.flatMap((part) => (part === undefined ? [] : part.type === type ? part.parts : [part]));
  return flat.length > 1 ? { type, parts: flat } : flat[0];
}
