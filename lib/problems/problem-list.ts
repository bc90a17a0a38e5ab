import type { Problem } from './problem';
import type { Severity } from './rule';

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

const NONE: readonly Problem[] = [];

/** The problems of one log as they are found, and which frames have them. */
export class ProblemList {
  readonly #problems = new Map<number, Problem>();
  readonly #bySeq = new Map<number, Set<number>>();
  readonly #changed: number[] = [];
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

  /** New problems, and known ones that have more frames. */
  take(changed: readonly Problem[]): void {
    if (changed.length === 0) return;
    for (const problem of changed) {
      this.#problems.set(problem.id, problem);
      for (const seq of problem.seqs) {
        const here = this.#bySeq.get(seq) ?? new Set();
        if (!here.has(problem.id)) this.#changed.push(seq);
        this.#bySeq.set(seq, here.add(problem.id));
      }
    }
    this.#all = undefined;
    this.#version++;
  }

  /** What of it is about frames up to `seq`. Of frames that a problem does not name, nobody knows when they came. */
  upTo(seq: number): ProblemList {
    const list = new ProblemList();
    const before = this.all.map((problem) => {
      const seqs = problem.seqs.filter((at) => at <= seq);
      return seqs.length === problem.seqs.length ? problem : { ...problem, seqs, count: seqs.length };
    });
    list.take(before.filter(({ seqs }) => seqs.length > 0));
    return list;
  }

  /** How often a frame was found to have one problem more. */
  get changes(): number {
    return this.#changed.length;
  }

  /** seq of the frame that the change with this number, from 0, was about. */
  changed(number: number): number {
    return this.#changed[number]!;
  }

  /** Problems that this frame has. */
  of(seq: number): readonly Problem[] {
    const here = this.#bySeq.get(seq);
    return here ? [...here].map((id) => this.#problems.get(id)!) : NONE;
  }

  /** The gravest of a frame's problems; undefined if it has none. */
  severityOf(seq: number): Severity | undefined {
    if (!this.#bySeq.has(seq)) return undefined;
    return this.of(seq).reduce<Severity>(
      (worst, { severity }) => (RANK[severity] > RANK[worst] ? severity : worst),
      'info',
    );
  }
}
