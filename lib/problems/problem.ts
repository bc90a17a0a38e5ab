import type { Path } from '@/lib/protocol/fault';
import type { Severity } from './rule';

/** A finding of one rule: the same thing found again is the same problem, with more frames. Plain, so that it crosses threads. */
export interface Problem {
  readonly id: number;
  readonly rule: string;
  readonly severity: Severity;
  /** The rule's heading, and what to do. */
  readonly title: string;
  readonly advice: string;
  readonly message: string;
  /** The field, from the message down; undefined if it is about the whole. */
  readonly path: Path | undefined;
  /** Frames that have it, oldest first: the newest of many are left out. */
  readonly seqs: readonly number[];
  /** How many frames have it. */
  readonly count: number;
  /** What else it takes to understand the first one: the request, say. */
  readonly related: readonly number[];
  /** Where the specification says so, in words and as an address. */
  readonly section: string;
  readonly url: string;
}
