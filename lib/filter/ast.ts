import type { RegexSource } from './regex-job';

/**
 * A filter as a tree. `all`: every part holds · `any`: one of them does · `text`: occurs in what the row shows or in the
 * frame's bytes · `regex`: finds something in the frame's text · `field`: the row has this value; `quoted` is how it was written, which some keys read literally.
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

/** What stands after the colon, its quotes taken off. */
export interface FieldValue {
  readonly value: string;
  readonly quoted: boolean;
}

/** All of these; one part is that part, and none is nothing. Flat: parts that are `all` themselves give theirs. */
export const allOf = (parts: readonly (Filter | undefined)[]): Filter | undefined => joined('all', parts);

/** One of these, in the same way. */
export const anyOf = (parts: readonly (Filter | undefined)[]): Filter | undefined => joined('any', parts);

/** The parts that must all hold: its own, if it is no `all`. */
export function partsOf(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return [];
  return filter.type === 'all' ? filter.parts : [filter];
}

function joined(type: 'all' | 'any', parts: readonly (Filter | undefined)[]): Filter | undefined {
  const flat = parts.flatMap((part) => (part === undefined ? [] : part.type === type ? part.parts : [part]));
  return flat.length > 1 ? { type, parts: flat } : flat[0];
}
