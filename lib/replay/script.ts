import type { ServerEvent } from '@/lib/session/recorded-session';
import type { Clock } from '@/lib/wire/clock';
import { type Pace, wait } from './pace';

/** Where a stretch of a recording is played. */
export interface Scene {
  readonly clock: Clock;
  readonly pace: Pace;
  /** Aborted: this is not played any more. */
  signalOf(event: ServerEvent): AbortSignal;
  /** Sends it to the client. Of a question, resolves when the client has answered, or never will. */
  emit(event: ServerEvent): Promise<unknown> | undefined;
}

/** A question that the client answered when this was recorded, before frame `seq`. */
interface Asked {
  readonly seq: number;
  readonly time: number;
  readonly answered: Promise<unknown>;
}

/**
 * Plays what a server said, in order: what it said after it had an answer of the client's waits for the answer of this client,
 * and everything for its time, counted from what it followed.
 */
export class Script {
  readonly #scene: Scene;
  #time: number;
  #asked: Asked[] = [];

  /** `time`: microseconds in the recording from which the first wait counts. */
  constructor(scene: Scene, time: number) {
    this.#scene = scene;
    this.#time = time;
  }

  /** What comes next followed this. */
  goOnFrom({ time }: { readonly time: number }): void {
    this.#time = Math.max(this.#time, time);
  }

  async play(events: readonly ServerEvent[]): Promise<void> {
    for (const event of events) {
      if (!(await this.until(event, this.#scene.signalOf(event)))) continue;
      const answered = this.#scene.emit(event);
      if (answered && event.kind === 'question' && event.answer) this.#asked.push({ ...event.answer, answered });
    }
  }

  /** Waits until this is due. False: it was called off, by `signal`. */
  async until({ seq, time }: { readonly seq: number; readonly time: number }, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const { clock, pace } = this.#scene;
    for (const asked of this.#asked) {
      if (asked.seq > seq) continue;
      await asked.answered;
      this.#time = Math.max(this.#time, asked.time);
    }
    this.#asked = this.#asked.filter((asked) => asked.seq > seq);
    await wait(time - this.#time, pace, clock, signal);
    this.#time = Math.max(this.#time, time);
    return !signal.aborted;
  }
}
