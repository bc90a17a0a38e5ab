import type { Frame } from '@/lib/wire/frame';
import type { Problem } from './problem';
import type { Unchecked } from './unchecked';

/** To the worker: the next frames of its one log, in order. Those that no rule looks at may be left out. */
export interface CheckJob {
  readonly frames: readonly Frame[];
  /** With the first frames, if there are any. */
  readonly unchecked?: Unchecked;
}

/** From the worker, while it does a job: it holds the result in this frame against its tool's schema, which may take for ever. */
export interface CheckBegun {
  readonly checking: number;
}

/** From the worker: what is new, or has more frames, after a job. */
export interface CheckDone {
  /** Which frames have which problems: a seq and a problem's id, and so on, the seqs ascending. */
  readonly marks: Uint32Array;
  readonly changed: readonly Problem[];
}
