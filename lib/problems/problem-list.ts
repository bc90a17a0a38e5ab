import { uint32 } from '@/lib/json/typed-arrays';
import { RowSet } from '@/lib/store/columns/collections';
import type { CheckDone, Problem } from './problem';
import { SEVERITY_RANK, type Severity } from './rule';

const NONE: readonly Problem[] = [];

/**
 * The problems of one log as they are found, and which frames have them: all frames, however many, as two numbers for each problem
 * that one has.
 */
export class ProblemList {
  readonly #problems = new Map<number, Problem>();
  /** Frames and the problem that each has, side by side, the frames ascending. */
  readonly #seqs = uint32();
  readonly #ids = uint32();
  #marks = 0;
  readonly #marked = new RowSet();
  #all: readonly Problem[] | undefined;
  #version = 0;

  /** Changes whenever the list does. */
  get version(): number {
    return this.#version;
  }

  /** The same array until something changes. In the order found. */
  get all(): readonly Problem[] {
    this.#all ??= [...this.#problems.values()];
    return this.#all;
  }

  /** Those that are more than good to know. */
  get count(): number {
    return this.all.filter(({ severity }) => severity !== 'info').length;
  }

  /** What a job found. */
  addResults({ changed, marks }: CheckDone): void {
    if (changed.length === 0) return;
    for (const problem of changed) this.#problems.set(problem.id, problem);
    for (let at = 0; at < marks.length; at += 2) {
      this.#seqs.push(marks[at]!);
      this.#ids.push(marks[at + 1]!);
      this.#marked.set(marks[at]!, true);
    }
    this.#marks += marks.length / 2;
    this.#all = undefined;
    this.#version++;
  }

  /** What of it is about frames up to `seq`. */
  upTo(seq: number): ProblemList {
    return this.#where((at) => at <= seq, this.#firstOf(seq + 1));
  }

  /** It without what these rules found. */
  without(rules: ReadonlySet<string>): ProblemList {
    return this.#where((_, rule) => !rules.has(rule), this.#marks);
  }

  /** Those of its first `count` marks that are wanted, by the frame and the rule. */
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

  /** How often a frame was found to have one problem more. */
  get changes(): number {
    return this.#marks;
  }

  /** seq of the frame that the change with this number, from 0, was about. */
  changed(number: number): number {
    return this.#seqs.get(number);
  }

  /** Problems that this frame has; of very many, those that name it, a few others and the gravest. */
  of(seq: number): readonly Problem[] {
    if (!this.#marked.has(seq)) return NONE;
    const found: Problem[] = [];
    for (let at = this.#firstOf(seq); at < this.#marks && this.#seqs.get(at) === seq; at++) {
      found.push(this.#problems.get(this.#ids.get(at))!);
    }
    return found;
  }

  /** The gravest of a frame's problems; undefined if it has none. */
  severityOf(seq: number): Severity | undefined {
    if (!this.#marked.has(seq)) return undefined;
    return this.of(seq).reduce<Severity>(
      (worst, { severity }) => (SEVERITY_RANK[severity] > SEVERITY_RANK[worst] ? severity : worst),
      'info',
    );
  }

  /** Where the marks of a frame begin. */
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
