/** Property names and indexes from the checked value down. */
export type Path = readonly (string | number)[];

/** Something that the table does not allow, or allows in another version only. */
export interface Fault {
  /**
   * `missing` required · `type` of the wrong type · `value` none of those listed · `range` beyond a bound ·
   * `other-version` a field of other versions: allowed, and without meaning.
   */
  readonly kind: 'missing' | 'type' | 'value' | 'range' | 'other-version';
  readonly path: Path;
  /** What should be there, or, of `other-version`, the versions that have it. */
  readonly expected: string;
}

/** What a check notes while it walks down a value. */
export class Walk {
  readonly faults: Fault[] = [];
  readonly #path: (string | number)[] = [];
  /** Above 0, only the verdict counts. */
  #trials = 0;

  /** Checks a member where it stands. */
  down(key: string | number, check: Check, value: unknown): boolean {
    this.#path.push(key);
    const fine = check(value, this);
    this.#path.pop();
    return fine;
  }

  /** Notes a fault, at a member if one is named. Answers false, as checks do. */
  fault(kind: Fault['kind'], expected: string, key?: string): false {
    if (this.#trials === 0) {
      const path = key === undefined ? [...this.#path] : [...this.#path, key];
      this.faults.push({ kind, path, expected });
    }
    return false;
  }

  /** The verdict of a check, nothing noted. */
  tries(check: Check, value: unknown): boolean {
    this.#trials++;
    const fine = check(value, this);
    this.#trials--;
    return fine;
  }

  /** True while faults are noted. */
  get notes(): boolean {
    return this.#trials === 0;
  }
}

/** True if the value is allowed. Notes why not. */
export type Check = (value: unknown, walk: Walk) => boolean;
