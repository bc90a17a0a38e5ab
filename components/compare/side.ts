import type { Log } from '@/lib/store/log';

/** One of two connections that are compared. */
export interface Side {
  readonly id: string;
  /** Its place in words: `before`. */
  readonly label: 'before' | 'after';
  /** What it is: its server, the name somebody gave it, when it was. */
  readonly title: string;
  readonly log: Log;
}

/** What counts as the older one first. */
export type Sides = readonly [before: Side, after: Side];
