import { LIMITS } from '@/lib/wire/limits';
import { NORMALISERS, type Normaliser } from './normalisers';

/** Takes out of strings and numbers what says nothing. */
export class Normalising {
  readonly #rows: readonly Normaliser[];

  constructor(rows: readonly Normaliser[]) {
    this.#rows = rows;
  }

  /** A string with `‹name›` in the place of what was matched. `key` is the member that it is. Linear; monsters stay as they are. */
  text(text: string, key: string | undefined): string {
    if (key !== undefined) {
      const row = this.#rows.find(({ keys }) => keys?.test(key));
      if (row) return placeOf(row);
    }
    if (text.length > LIMITS.normalisedChars) return text;
    let changed = text;
    for (const row of this.#rows) {
      for (const pattern of row.texts ?? []) {
        changed = changed.replace(pattern, (_, before: unknown) =>
          typeof before === 'string' ? `${before}${placeOf(row)}` : placeOf(row),
        );
      }
    }
    return changed;
  }

  /** What a number stands for, if it says nothing. */
  number(value: number, key: string | undefined): string | number {
    const row = this.#rows.find(
      ({ keys, number }) => number?.(value) === true || (key !== undefined && keys?.test(key)),
    );
    return row ? placeOf(row) : value;
  }

  /** The names within a string that the server made up: those of texts that differ in nothing else correspond. */
  opaqueParts(text: string): readonly string[] {
    if (text.length > LIMITS.normalisedChars) return [];
    const parts: string[] = [];
    let left = text;
    for (const row of this.#rows) {
      for (const pattern of (row.opaque && row.texts) || []) {
        left = left.replace(pattern, (part) => {
          parts.push(part);
          return placeOf(row);
        });
      }
    }
    return parts;
  }

  /** True for a string that is nothing but a name the server made up. */
  isOpaque(text: string, key: string | undefined): boolean {
    if (text === '' || text.length > LIMITS.opaqueChars) return false;
    return this.#rows.some(
      (row) =>
        row.opaque === true &&
        ((key !== undefined && row.keys?.test(key)) ||
          (row.texts ?? []).some((pattern) => text.replace(pattern, '') === '')),
    );
  }
}

/** Nothing is taken out. */
export const AS_IT_IS = new Normalising([]);

/** What everybody leaves out of a comparison of meanings. */
export const USUAL = new Normalising(NORMALISERS.filter(({ usual }) => usual));

function placeOf({ name }: Normaliser): string {
  return `‹${name}›`;
}
