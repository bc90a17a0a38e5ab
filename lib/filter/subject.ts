import type { Log } from '@/lib/store/log';

/** What the rules found, by frame. */
export interface FoundProblems {
  of(seq: number): readonly { readonly rule: string; readonly severity: string }[];
}

/** What rows are tested on. */
export interface Subject {
  readonly log: Log;
  readonly problems: FoundProblems;
}
