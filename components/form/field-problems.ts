import type { Path } from '@/lib/json/edit';

/** Something that is wrong with the value at a path, in a short sentence. */
export interface FieldProblem {
  readonly path: Path;
  readonly text: string;
  /** `missing` is a required property that is not there yet; `server` is what the server said of the last call. */
  readonly source: 'schema' | 'missing' | 'server';
}

/** A path as a key of a table. */
export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

const NONE: readonly FieldProblem[] = [];

/** The problems of one form by where they are, outside React: a field hears only of its own. */
export class FieldProblems {
  #all: readonly FieldProblem[] = NONE;
  #at = new Map<string, readonly FieldProblem[]>();
  #under = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #checked = false;

  /** False while nobody has checked the document against its schema, or could. */
  get checked(): boolean {
    return this.#checked;
  }

  /** The same array until it is set anew. */
  get all(): readonly FieldProblem[] {
    return this.#all;
  }

  /** Those of one field. The same array while they are the same. */
  problemsAt(key: string): readonly FieldProblem[] {
    return this.#at.get(key) ?? NONE;
  }

  /** How many there are within a field, itself not counted. */
  countUnder(key: string): number {
    return this.#under.get(key) ?? 0;
  }

  setProblems(problems: readonly FieldProblem[], checked: boolean): void {
    this.#checked = checked;
    const at = new Map<string, FieldProblem[]>();
    this.#under = new Map();
    for (const problem of problems) {
      const key = pathKey(problem.path);
      at.set(key, [...(at.get(key) ?? []), problem]);
      for (let length = 0; length < problem.path.length; length++) {
        const above = pathKey(problem.path.slice(0, length));
        this.#under.set(above, (this.#under.get(above) ?? 0) + 1);
      }
    }
    for (const [key, found] of at) {
      const before = this.#at.get(key);
      if (before !== undefined && sameTexts(before, found)) at.set(key, before as FieldProblem[]);
    }
    this.#at = at;
    this.#all = problems;
    for (const listener of [...this.#listeners]) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

function sameTexts(a: readonly FieldProblem[], b: readonly FieldProblem[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ text, source }, index) => text === b[index]!.text && source === b[index]!.source)
  );
}
