import { sharedByLog } from '@/lib/hooks/shared-by-log';

/** What of a log is being compared: two frames, or one with whichever row is selected next. seqs. */
export interface Comparing {
  readonly diff?: readonly [number, number];
  readonly picking?: number;
}

export const COMPARING = sharedByLog<Comparing>({});
