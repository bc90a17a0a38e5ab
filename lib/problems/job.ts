import type { Frame } from '@/lib/wire/frame';
import type { Problem } from './problem';

/** To the worker: the next frames of its one log, in order. Those that no rule looks at may be left out. */
export interface CheckJob {
  readonly frames: readonly Frame[];
}

/** From the worker: what is new, or has more frames, after a job. */
export interface CheckDone {
  /** Which frames have which problems: a seq and a problem's id, and so on, the seqs ascending. */
  readonly marks: Uint32Array;
  readonly changed: readonly Problem[];
}
