import { NEEDS_EVERY_FRAME, type Problem } from '@/lib/problems/problem';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import type { Frame } from '@/lib/wire/frame';
import type { BuilderOptions, TableSink } from './builder-options';

/** Writes a row for each problem of each frame. */
export class ProblemRows {
  readonly #options: BuilderOptions;
  readonly #finder: ProblemFinder;
  readonly #sink: TableSink;
  /** Bounded: rules have a bounded number of problems. */
  readonly #problems = new Map<number, Problem>();

  #isChecking = false;

  constructor(options: BuilderOptions, sink: TableSink) {
    this.#options = options;
    this.#sink = sink;
    this.#finder = new ProblemFinder((seq) => {
      this.#isChecking = true;
      options.onSchemaCheck?.(seq);
    });
    if (options.skippedChecks) this.#finder.skipChecks(options.skippedChecks);
  }

  addFrames(frames: readonly Frame[]): void {
    for (const frame of frames) {
      this.#finder.addFrame(frame);
      if (this.#isChecking) this.#options.onSchemaCheck?.(undefined);
      this.#isChecking = false;
    }
    for (const problem of this.#finder.takeChanged()) this.#problems.set(problem.id, problem);
    const marks = this.#finder.takeMarks();
    for (let at = 0; at < marks.length; at += 2) this.#addRow(marks[at]!, this.#problems.get(marks[at + 1]!)!);
  }

  #addRow(frame: number, { id, rule, severity, title, message, path }: Problem): void {
    const { recording, hasGaps } = this.#options;
    if (hasGaps && NEEDS_EVERY_FRAME.has(rule)) return;
    this.#sink.addRow('problems', {
      recording,
      frame,
      problem: id,
      rule,
      severity,
      title,
      message,
      path: path === undefined ? undefined : path.map((key) => `/${escaped(String(key))}`).join(''),
    });
  }
}

/** Escapes a key for a JSON Pointer (RFC 6901). */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
