import type { SchemaDraft } from '@cfworker/json-schema';
import { isObject, own } from '@/lib/wire/message';

const DRAFTS: readonly (readonly [pattern: RegExp, draft: SchemaDraft])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, '7'],
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, '4'],
];

/** What a schema says that it is written in, its `$schema`; undefined if it says nothing. */
export function dialectOf(schema: unknown): unknown {
  return isObject(schema) ? own(schema, '$schema') : undefined;
}

/** As the validator calls it: 2020-12 where nothing is said (SEP-1613); undefined for a dialect that is none of ours. */
export function draftOf(dialect: unknown): SchemaDraft | undefined {
  if (dialect === undefined) return '2020-12';
  return DRAFTS.find(([pattern]) => typeof dialect === 'string' && pattern.test(dialect))?.[1];
}
