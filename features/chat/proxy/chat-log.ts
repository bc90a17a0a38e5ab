import { EndedConnection } from '@/lib/hub/ended-connection';
import { FrameLog } from '@/lib/hub/frame-log';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import { type Clock, type Moment, momentNow } from '@/lib/wire/clock';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { Direction } from '@/lib/wire/frame';
import type { Failure } from '@/lib/wire/lifecycle';
import type { Launch } from '@/proxy/connection/launch';
import { SpillFile } from '@/proxy/files/spill-file';

/** The log of a chat. Pages attach to it, read it and share it like the log of a connection. */
export class ChatLog extends EndedConnection<Launch> {
  readonly id: string;
  override readonly log = new FrameLog({ openSpill: () => new SpillFile() });
  override readonly redactor: CaptureRedactor;
  readonly refusal = NO_SERVER;
  readonly #clock: Clock;
  readonly #began: Moment;
  readonly #onGrown: () => void;

  /** `secrets`: values that are kept out of everything that leaves the log. */
  constructor(id: string, clock: Clock, secrets: readonly string[], onGrown: () => void) {
    super();
    this.id = id;
    this.#clock = clock;
    this.#began = momentNow(clock);
    this.redactor = new CaptureRedactor(secrets);
    this.#onGrown = onGrown;
  }

  get startedAt(): string {
    return this.#began.at;
  }

  get summary(): ConnectionSummary {
    return { id: this.id, name: 'chat', transport: 'auto', title: '', state: 'closed', startedAt: this.startedAt };
  }

  get launch(): never {
    throw new ConnectionError(NO_SERVER);
  }

  /** Adds a frame of channel `model`, and returns its number. */
  append(direction: Direction, bytes: Uint8Array): number {
    const time = Math.round((this.#clock.now() - this.#began.now) * 1000);
    const seq = this.log.append('model', direction, 0, time, bytes, 0, bytes.length);
    this.log.settle();
    this.#onGrown();
    return seq;
  }

  protected logGrew(): void {
    this.#onGrown();
  }
}

const NO_SERVER: Failure = {
  code: 'is-chat',
  message: 'This is a chat, which has no server of its own.',
  advice: 'Send it to a connection.',
};
