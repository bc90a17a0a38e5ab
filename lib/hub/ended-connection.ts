import { ConnectionError } from '@/lib/transports/transport';
import type { Failure, FrameNote } from '@/lib/wire/lifecycle';
import { appendNote } from './append-event';
import type { Commanded } from './commands';
import type { FrameLog } from './frame-log';
import { NOT_KEPT } from './kept-secrets';

/** A connection of which the log is left, and no server: it answers every command that needs one with the same sentence. */
export abstract class EndedConnection implements Commanded {
  readonly ended = true;
  abstract readonly id: string;
  abstract readonly log: FrameLog;
  /** The log has new frames. */
  protected abstract grown(): void;
  /** Why nothing can be sent. */
  protected abstract readonly refusal: Failure;

  request(): never {
    throw new ConnectionError(this.refusal);
  }

  notify(): never {
    return this.request();
  }

  sendRaw(): never {
    return this.request();
  }

  cancel(): never {
    return this.request();
  }

  answer(): never {
    return this.request();
  }

  setRoots(): never {
    return this.request();
  }

  reveal(): never {
    throw new ConnectionError(NOT_KEPT);
  }

  async annotate(note: FrameNote): Promise<void> {
    appendNote(this.log, note);
    this.grown();
  }

  async lookFurther(): Promise<never> {
    return this.request();
  }

  retry(): never {
    return this.request();
  }

  cancelSignIn(): never {
    return this.request();
  }

  async close(): Promise<void> {
    // There is nothing to close.
  }

  /** Ends what is under way. */
  async stopLooking(): Promise<void> {
    // Nothing is.
  }
}
