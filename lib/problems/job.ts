import type { Frame } from '@/lib/wire/frame';
import type { Problem } from './problem';

/** To the worker: the next frames of its one log, in order. Those that no rule looks at may be left out. */
export interface CheckJob {
  readonly frames: readonly Frame[];
}

/** From the worker: what is new, or has more frames, after a job. */
export interface CheckDone {
  readonly changed: readonly Problem[];
}
