import { uint32 } from '@/lib/json/typed-arrays';
import { RowSet } from '@/lib/store/columns/collections';
import { invalidResult } from './invalid-result';
import type { CheckDone, Problem } from './problem';
import { SEVERITY_RANK, type Severity } from './rule';

const NONE: readonly Problem[] = [];

/** The problems found in one log, and the frames that have them. A frame costs two numbers per problem. */
export class ProblemList {
  readonly #problems = new Map<number, Problem>();
  /** Marks: a frame in `#seqs` has the problem in `#ids`. Frames ascend. */
  readonly #seqs = uint32();
  readonly #ids = uint32();
  #marks = 0;
  readonly #marked = new RowSet();
  #all: readonly Problem[] | undefined;
  #version = 0;
  #firstInvalidResult: number | undefined;

  /** Increases with each change. */
  get version(): number {
    return this.#version;
  }

  /** Problems in the order found. The same array until something changes. */
  get all(): readonly Problem[] {
    this.#all ??= [...this.#problems.values()];
    return this.#all;
  }

  /** The first frame with a result that breaks its schema. */
  get firstInvalidResult(): number | undefined {
    return this.#firstInvalidResult;
  }

  /** Number of errors and warnings. */
  get count(): number {
    return this.all.filter(({ severity }) => severity !== 'info').length;
  }

  addResults({ changed, marks }: CheckDone): void {
    if (changed.length === 0) return;
    for (const problem of changed) {
      this.#problems.set(problem.id, problem);
      if (invalidResult([problem]))
        this.#firstInvalidResult = Math.min(problem.seqs[0]!, this.#firstInvalidResult ?? Number.POSITIVE_INFINITY);
    }
    for (let at = 0; at < marks.length; at += 2) {
      this.#seqs.push(marks[at]!);
      this.#ids.push(marks[at + 1]!);
      this.#marked.set(marks[at]!, true);
    }
    this.#marks += marks.length / 2;
    this.#all = undefined;
    this.#version++;
  }

  /** Returns the problems of frames up to `seq`. */
  upTo(seq: number): ProblemList {
    return this.#where((at) => at <= seq, this.#firstOf(seq + 1));
  }

  /** Returns the list without the findings of these rules. */
  without(rules: ReadonlySet<string>): ProblemList {
    return this.#where((_, rule) => !rules.has(rule), this.#marks);
  }

  /** Returns a list of the wanted marks among the first `count`. */
  #where(isWanted: (seq: number, rule: string) => boolean, count: number): ProblemList {
    const marks: number[] = [];
    const counts = new Map<number, number>();
    for (let at = 0; at < count; at++) {
      const [seq, id] = [this.#seqs.get(at), this.#ids.get(at)];
      if (!isWanted(seq, this.#problems.get(id)!.rule)) continue;
      marks.push(seq, id);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const changed = this.all.flatMap((problem) => {
      const here = counts.get(problem.id);
      if (here === undefined) return [];
      return { ...problem, seqs: problem.seqs.filter((seq) => isWanted(seq, problem.rule)), count: here };
    });
    const list = new ProblemList();
    list.addResults({ changed, marks: Uint32Array.from(marks) });
    return list;
  }

  /** Number of marks added so far. */
  get changes(): number {
    return this.#marks;
  }

  /** Returns the seq of the frame that has mark `number`, counted from 0. */
  changed(number: number): number {
    return this.#seqs.get(number);
  }

  /**
   * Returns the problems of a frame. Of very many, returns those that list the frame, a few others and the most severe.
   */
  of(seq: number): readonly Problem[] {
    if (!this.#marked.has(seq)) return NONE;
    const found: Problem[] = [];
    for (let at = this.#firstOf(seq); at < this.#marks && this.#seqs.get(at) === seq; at++) {
      found.push(this.#problems.get(this.#ids.get(at))!);
    }
    return found;
  }

  /** True if the result in a frame breaks its schema. */
  hasInvalidResult(seq: number): boolean {
    return this.#marked.has(seq) && invalidResult(this.of(seq)) !== undefined;
  }

  /** Returns the highest severity of a frame's problems; undefined if it has none. */
  severityOf(seq: number): Severity | undefined {
    if (!this.#marked.has(seq)) return undefined;
    return this.of(seq).reduce<Severity>(
      (worst, { severity }) => (SEVERITY_RANK[severity] > SEVERITY_RANK[worst] ? severity : worst),
      'info',
    );
  }

  /** Index of a frame's first mark. */
  #firstOf(seq: number): number {
    let low = 0;
    let high = this.#marks;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#seqs.get(middle) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
