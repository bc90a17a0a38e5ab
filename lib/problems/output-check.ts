import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { dialectOf, schemaDraft, toFindings } from '@/lib/schema/check';
import type { SchemaFinding } from '@/lib/schema/schema-worker';
import { FAULT_NODES } from './schema-faults';

/** Most mismatches reported per structured result. */
export const OUTPUT_FAULTS = 50;

const NO_BRANCHES = new Map<string, string>();

/** Checks structured results against an output schema. Finds nothing if the schema is unusable. */
export class OutputCheck {
  readonly #schema: unknown;
  readonly #draft: SchemaDraft | undefined;
  /** Validators, created when needed. The key tells whether the validator stops at the first fault. */
  readonly #validators = new Map<boolean, Validator>();

  constructor(schema: unknown) {
    this.#schema = schema;
    this.#draft = schemaDraft(dialectOf(schema));
  }

  /**
   * Returns at most `OUTPUT_FAULTS` mismatches; [] if there are none or the schema is unusable. A fault shared by
   * several items of a list is returned once. A value with more than `FAULT_NODES` nodes is only checked up to
   * its first fault, because each fault costs memory.
   */
  faults(value: unknown): readonly SchemaFinding[] {
    try {
      const first = this.#validator(true)?.validate(value);
      if (first === undefined || first.valid) return [];
      const { errors } = isLarge(value) ? first : this.#validator(false)!.validate(value);
      return oncePerField(toFindings(errors, value, NO_BRANCHES, this.#schema)).slice(0, OUTPUT_FAULTS);
    } catch {
      // The schema is invalid, which the rule `tool-schema` reports, or has unresolved or circular references.
      return [];
    }
  }

  #validator(stopsAtFirst: boolean): Validator | undefined {
    if (this.#draft === undefined) return undefined;
    const known = this.#validators.get(stopsAtFirst);
    if (known) return known;
    // Copied, because the validator adds hidden keys to the schema.
    const made = new Validator(structuredClone(this.#schema) as Schema, this.#draft, stopsAtFirst);
    this.#validators.set(stopsAtFirst, made);
    return made;
  }
}

/** Keeps the first of several list items with the same fault. */
function oncePerField(found: readonly SchemaFinding[]): readonly SchemaFinding[] {
  const first = new Map<string, SchemaFinding>();
  for (const finding of found) {
    const field = JSON.stringify([finding.path.map((key) => (typeof key === 'number' ? 0 : key)), finding.text]);
    if (!first.has(field)) first.set(field, finding);
  }
  return [...first.values()];
}

function isLarge(root: unknown): boolean {
  const pending = [root];
  for (let looked = 0; pending.length > 0; looked++) {
    if (looked > FAULT_NODES) return true;
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const key in value) pending.push((value as Record<string, unknown>)[key]);
  }
  return false;
}
