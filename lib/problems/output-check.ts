import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { isObject, own } from '@/lib/wire/message';

const DRAFTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/draft\/2020-12\/schema#?$/, '2020-12'],
  [/draft\/2019-09\/schema#?$/, '2019-09'],
  [/draft-0[67]\/schema#?$/, '7'],
  [/draft-04\/schema#?$/, '4'],
];

/** What a structured result is held against. A schema that cannot be used checks nothing. */
export class OutputCheck {
  readonly #validator: Validator | undefined;

  constructor(schema: unknown) {
    const dialect = isObject(schema) ? own(schema, '$schema') : undefined;
    const draft = dialect === undefined ? '2020-12' : DRAFTS.find(([pattern]) => pattern.test(String(dialect)))?.[1];
    try {
      // A copy of its own: the validator hangs hidden keys on what it is given.
      if (draft !== undefined) this.#validator = new Validator(structuredClone(schema) as Schema, draft, true);
    } catch {
      // A schema that is none has a rule of its own.
    }
  }

  /** The first thing that does not fit; undefined if all does, or nothing can be said. */
  fault(value: unknown): { readonly message: string; readonly pointer: string } | undefined {
    try {
      const result = this.#validator?.validate(value);
      if (result === undefined || result.valid) return undefined;
      const deepest = result.errors.reduce((a, b) => (depth(b) > depth(a) ? b : a));
      return { message: deepest.error, pointer: deepest.instanceLocation };
    } catch {
      // References that lead nowhere or in circles.
      return undefined;
    }
  }
}

function depth({ keywordLocation }: OutputUnit): number {
  return keywordLocation.split('/').length;
}
