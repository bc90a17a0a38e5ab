import type { Log } from '@/lib/store/log';

/** One of two connections that are compared. */
export interface Side {
  readonly id: string;
  /** What the connection is called on the page. */
  readonly label: string;
  readonly log: Log;
}

/** The older one first. */
export type Sides = readonly [before: Side, after: Side];
