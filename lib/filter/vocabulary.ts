import { LIMITS } from '@/lib/wire/limits';
import type { FilterKey } from './keys/filter-key';
import type { Subject } from './subject';

interface Seen {
  /** By number in the log's pool. */
  readonly numbers: Set<number>;
  /** Rows looked at. */
  rows: number;
  /** The values, as of so many numbers. */
  sorted: readonly string[];
}

/** The values that a log's rows have, by key, for completion. Each row is looked at once a key. */
export class Vocabulary {
  readonly #subject: Subject;
  readonly #seen = new Map<FilterKey, Seen>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Values of a key, in order of the alphabet. Of very many the first found; a long log is gone through in several calls. */
  valuesOf(key: FilterKey): readonly string[] {
    const { columns, size } = this.#subject.log;
    if (!key.numberOf) return key.words?.(this.#subject) ?? [];
    const seen = this.#seen.get(key) ?? { numbers: new Set(), rows: 0, sorted: [] };
    this.#seen.set(key, seen);
    let last = 0;
    const end = Math.min(size, seen.rows + LIMITS.filterVocabularyRows);
    for (; seen.rows < end && seen.numbers.size < LIMITS.filterVocabulary; seen.rows++) {
      const number = key.numberOf(this.#subject, seen.rows);
      // Floods are of the same.
      if (number === last || number === 0) continue;
      last = number;
      seen.numbers.add(number);
    }
    if (seen.sorted.length < seen.numbers.size) {
      seen.sorted = [...seen.numbers].map((number) => columns.text(number)!).sort();
    }
    return seen.sorted;
  }
}
