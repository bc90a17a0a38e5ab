import type { Path } from '@/lib/protocol/checks';
import type { Frame } from '@/lib/wire/frame';
import type { SkippedChecks } from './protocol-state';
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

/** To the worker: the next frames of its one log, in order. Those that no rule looks at may be left out. */
export interface CheckJob {
  readonly frames: readonly Frame[];
  /** With the first frames, if there are any. */
  readonly unchecked?: SkippedChecks;
}

/** From the worker, while it does a job: it holds the result in this frame against its tool's schema, which may take for ever. */
export interface SchemaCheckStarted {
  readonly checking: number;
}

/** From the worker: what is new, or has more frames, after a job. */
export interface CheckDone {
  /** Which frames have which problems: a seq and a problem's id, and so on, the seqs ascending. */
  readonly marks: Uint32Array;
  readonly changed: readonly Problem[];
}

/**
 * Rules that hold a message against others: where frames are missing, those may have been among them, and what the rules find says
 * nothing about anybody.
 */
export const NEEDS_EVERY_FRAME: ReadonlySet<string> = new Set([
  ...['unknown-id', 'id-type-changed', 'before-initialized', 'capability-undeclared', 'notification-undeclared'],
  ...['progress-unknown-token', 'input-required-not-allowed', 'notification-off-stream', 'listen-not-acknowledged'],
  ...['log-not-asked-for', 'header-mismatch', 'http-status', 'stream-without-answer'],
]);
