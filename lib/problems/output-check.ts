import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { dialectOf, draftOf, toFindings } from '@/lib/schema/check';
import type { SchemaFinding } from '@/lib/schema/schema-worker';
import { LIMITS } from '@/lib/wire/limits';

/** Faults of one structured result that are told. */
export const OUTPUT_FAULTS = 50;

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
   * What does not fit: the same thing in several items of a list once, no more than `OUTPUT_FAULTS`, and of a value with
   * more than `LIMITS.faultNodes` places the first alone, since each fault costs memory. [] if all fits, or nothing can be said.
   */
  faults(value: unknown): readonly SchemaFinding[] {
    try {
      const first = this.#validator(true)?.validate(value);
      if (first === undefined || first.valid) return [];
      const { errors } = isLarge(value) ? first : this.#validator(false)!.validate(value);
      return oncePerField(toFindings(errors, value, NO_BRANCHES)).slice(0, OUTPUT_FAULTS);
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
function oncePerField(found: readonly SchemaFinding[]): readonly SchemaFinding[] {
  const told = new Map<string, SchemaFinding>();
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

/** A type of JSON with its article. */
const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

/** Keywords whose finding makes a sentence of its own; `text` is what the checker says. */
const SENTENCES: ReadonlyMap<string, (field: string, text: string) => string> = new Map([
  ['false', (field) => `${field} is there, and outputSchema allows no such field.`],
  [
    'type',
    (field, text) => {
      const [is = '', wanted = ''] = text.replace(/^is /, '').split(', should be ');
      return `${field} is ${withArticle(is)}, and should be ${wanted.split(' or ').map(withArticle).join(' or ')}.`;
    },
  ],
  ['const', (field, text) => `${field} ${text}.`],
  ['enum', (field) => `${field} is none of the values that outputSchema lists.`],
]);

/** What does not fit an output schema, as a sentence that names the field. It names no value: other values are the same problem. */
export function formatOutputFault({ path, text, missing, keyword }: SchemaFinding): string {
  const field = String(path.at(-1) ?? 'structuredContent').slice(0, 80);
  if (missing) return `${field} is missing, and outputSchema requires it.`;
  return SENTENCES.get(keyword)?.(field, text) ?? `${field} does not fit outputSchema: ${text}.`;
}

function withArticle(type: string): string {
  return ARTICLES[type] ?? type;
}
