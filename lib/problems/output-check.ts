import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { dialectOf, draftOf } from '@/lib/checker/dialect';
import { findings } from '@/lib/checker/findings';
import type { Finding } from '@/lib/checker/job';
import { LIMITS } from '@/lib/wire/limits';

const NO_BRANCHES = new Map<string, string>();

/** What a structured result is held against. A schema that cannot be used checks nothing. */
export class OutputCheck {
  readonly #schema: unknown;
  readonly #draft: SchemaDraft | undefined;
  /** Made once it is needed: to stop at the first fault, or not. */
  readonly #validators = new Map<boolean, Validator>();

  constructor(schema: unknown) {
    this.#schema = schema;
    this.#draft = draftOf(dialectOf(schema));
  }

  /**
   * What does not fit: the same thing in several items of a list once, no more than `LIMITS.outputFaults`, and of a value with
   * more than `LIMITS.faultNodes` places the first alone, since each fault costs memory. [] if all fits, or nothing can be said.
   */
  faults(value: unknown): readonly Finding[] {
    try {
      const first = this.#validator(true)?.validate(value);
      if (first === undefined || first.valid) return [];
      const { errors } = isLarge(value) ? first : this.#validator(false)!.validate(value);
      return oncePerField(findings(errors, value, NO_BRANCHES)).slice(0, LIMITS.outputFaults);
    } catch {
      // A schema that is none has a rule of its own; others have references that lead nowhere or in circles.
      return [];
    }
  }

  #validator(stopsAtFirst: boolean): Validator | undefined {
    if (this.#draft === undefined) return undefined;
    const known = this.#validators.get(stopsAtFirst);
    if (known) return known;
    // A copy of its own: the validator hangs hidden keys on what it is given.
    const made = new Validator(structuredClone(this.#schema) as Schema, this.#draft, stopsAtFirst);
    this.#validators.set(stopsAtFirst, made);
    return made;
  }
}

/** Items of a list all have a fault or none: telling it of the first is enough. */
function oncePerField(found: readonly Finding[]): readonly Finding[] {
  const told = new Map<string, Finding>();
  for (const finding of found) {
    const field = JSON.stringify([finding.path.map((key) => (typeof key === 'number' ? 0 : key)), finding.text]);
    if (!told.has(field)) told.set(field, finding);
  }
  return [...told.values()];
}

function isLarge(root: unknown): boolean {
  const pending = [root];
  for (let looked = 0; pending.length > 0; looked++) {
    if (looked > LIMITS.faultNodes) return true;
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const key in value) pending.push((value as Record<string, unknown>)[key]);
  }
  return false;
}
