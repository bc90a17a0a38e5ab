import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { LIMITS } from '@/lib/wire/limits';
import { dialectOf, draftOf } from './dialect';
import { findings } from './findings';
import type { BranchPlaces, Verdict } from './job';

/** Checks documents against one schema. Making it and checking throw nothing: what goes wrong is in the verdict. */
export class Checker {
  readonly #validator: Validator | undefined;
  readonly #unchecked: string | undefined;

  /** `text` is the schema as JSON. */
  constructor(text: string) {
    try {
      // A copy of its own: the validator hangs hidden keys on what it is given.
      const schema: unknown = JSON.parse(text);
      const dialect = dialectOf(schema);
      const draft = draftOf(dialect);
      if (draft === undefined) this.#unchecked = `its dialect ${JSON.stringify(dialect)} is not one we know`;
      else this.#validator = new Validator(schema as Schema, draft, false);
    } catch (error) {
      this.#unchecked = reason(error);
    }
  }

  /** `text` is JSON; blank text, arguments that are not sent, counts as an empty object. */
  check(text: string, branches: BranchPlaces): Verdict {
    if (this.#validator === undefined) return { findings: [], unchecked: this.#unchecked };
    try {
      const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
      const { errors }: { errors: OutputUnit[] } = this.#validator.validate(value);
      return { findings: findings(errors, value, branches).slice(0, LIMITS.problemsTold) };
    } catch (error) {
      return { findings: [], unchecked: reason(error) };
    }
  }
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) return 'it refers to itself without end';
  return message.split('\n')[0]!.slice(0, 300);
}
