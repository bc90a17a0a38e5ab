import type { Log } from '@/lib/store/log';
import type { Expression } from './regex-job';

interface FoundProblem {
  readonly rule: string;
  readonly severity: string;
}

/** What the rules found, in all and by frame. */
export interface FoundProblems {
  readonly all: readonly FoundProblem[];
  of(seq: number): readonly FoundProblem[];
}

/** Who finds out what expressions fit. */
export interface Expressions {
  /** The test for one of them: undefined while it is not known. */
  testFor(expression: Expression): (index: number) => boolean | undefined;
}

/** What rows are tested on. */
export interface Subject {
  readonly log: Log;
  readonly problems: FoundProblems;
}
