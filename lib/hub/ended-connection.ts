import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { HoldDecision, InterceptRule } from '@/lib/wire/intercept';
import type { Failure, FrameNote } from '@/lib/wire/lifecycle';
import { appendNote, type FrameLog } from './frame-log';

/**
 * A connection without a server: only its log is left. Not in the file of `Connection`, so that a page that only opens
 * recordings does not load the engine.
 */
export abstract class EndedConnection<L> {
  readonly ended = true;
  readonly server?: undefined;
  abstract readonly id: string;
  abstract readonly log: FrameLog;
  abstract readonly summary: ConnectionSummary;
  /** Absent for recordings, whose secrets were removed when they were written. */
  readonly redactor?: CaptureRedactor;
  /** Why nothing can be sent. */
  abstract readonly refusal: Failure;
  /** Returns a launch that starts the same server again. Throws ConnectionError. */
  abstract get launch(): L;
  /** Called when the log has new frames. */
  protected abstract logGrew(): void;

  reveal(_seq: number, _field: number | 'url'): never {
    throw new ConnectionError(VALUE_NOT_KEPT);
  }

  async annotate(note: FrameNote): Promise<void> {
    appendNote(this.log, note);
    this.logGrew();
  }

  /** Rejects with a ConnectionError: messages that have passed can't be intercepted. A followed tap overrides these. */
  async setRules(_owner: RuleOwner, _rules: readonly InterceptRule[]): Promise<void> {
    throw new ConnectionError(this.refusal);
  }

  async setOverlay(_owner: RuleOwner, _overlay: string): Promise<void> {
    throw new ConnectionError(this.refusal);
  }

  removeRules(_isGone: (owner: RuleOwner) => boolean): void {}

  async readHeld(_hold: number): Promise<Uint8Array> {
    throw new ConnectionError(this.refusal);
  }

  async decide(_hold: number, _decision: HoldDecision): Promise<void> {
    throw new ConnectionError(this.refusal);
  }

  async stopBackgroundWork(): Promise<void> {}
}

export const VALUE_NOT_KEPT: Failure = {
  code: 'not-kept',
  message: 'This value is not kept: mcp-inspect keeps masked values only while the connection is open.',
  advice: 'Restart the connection, then look at a newer request.',
};
