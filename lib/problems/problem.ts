import type { FaultPath } from '@/lib/protocol/checks';
import type { Frame } from '@/lib/wire/frame';
import type { SkippedChecks } from './protocol-state';
import type { Severity } from './rule';

/**
 * A finding of one rule. The same finding in more frames is the same problem. Plain data, so that it can be posted to
 * the page.
 */
export interface Problem {
  readonly id: number;
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly advice: string;
  readonly message: string;
  /** Path of the field in the message; undefined for the whole message. */
  readonly path: FaultPath | undefined;
  /** The fault of that field, without its name: "is missing". */
  readonly fault?: string | undefined;
  /** Frames with the problem, oldest first, at most `FRAMES_PER_PROBLEM`. */
  readonly seqs: readonly number[];
  /** Number of frames with the problem. */
  readonly count: number;
  /** Other frames that explain the first one, for example its request. */
  readonly related: readonly number[];
  /** Title and URL of the section of the specification. */
  readonly section: string;
  readonly url: string;
}

/** Sent to the worker: the next frames of its log, in order. stderr is left out. */
export interface ProblemJob {
  readonly frames: readonly Frame[];
  /** Sent with the first frames only. */
  readonly skippedChecks?: SkippedChecks;
}

/**
 * Sent by the worker before it checks the result in this frame against its tool's schema. Such a check may never end.
 */
export interface SchemaCheckStarted {
  readonly checking: number;
}

/** Sent by the worker after a job: problems that are new or have more frames. */
export interface CheckDone {
  /** Pairs of a frame's seq and a problem's id, with ascending seqs. */
  readonly marks: Uint32Array;
  readonly changed: readonly Problem[];
}

/**
 * Rules that compare a message with others. They are off for recordings with gaps, because the other message may be
 * missing.
 */
export const NEEDS_EVERY_FRAME: ReadonlySet<string> = new Set([
  'unknown-id',
  'id-type-changed',
  'before-initialized',
  'cancel-unknown',
  'capability-undeclared',
  'notification-undeclared',
  'progress-unknown-token',
  'input-required-not-allowed',
  'notification-off-stream',
  'listen-not-acknowledged',
  'update-not-subscribed',
  'log-not-asked-for',
  'log-below-level',
  'header-mismatch',
  'http-status',
  'stream-without-answer',
  'event-id-repeated',
  'progress-token-reused',
  'progress-other-stream',
  'request-notification-on-listen',
  'context-undeclared',
  'header-mismatch-accepted',
  'accepted-body',
  'body-without-message',
  'response-on-get',
  'version-header-missing',
  'version-header-differs',
  'session-misplaced',
  'session-missing',
  'session-missing-status',
  'skill-size',
  'skill-digest',
]);
