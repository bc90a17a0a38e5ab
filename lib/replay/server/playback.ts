import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { ServerEvent } from '../traffic/recorded-traffic';

/** Calls back once when `signal` is aborted, or at once if it is; the returned function calls that off. */
export function whenAborted(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}

/** How long a replay takes, as a part of how long it took: 0 is at once, 1 as recorded, 0.25 four times as fast. */
export type Pace = number;

/** Reads `instant`, `real`, `x4`, `×4`; undefined for what is none. */
export function parsePace(text: string): Pace | undefined {
  if (text === 'instant') return 0;
  if (text === 'real') return 1;
  const times = Number(/^[x×](\d{1,6}(?:\.\d{1,6})?)$/.exec(text)?.[1]);
  return times > 0 ? 1 / times : undefined;
}

/** Waits for a stretch of recorded time, in microseconds; resolves at once when `signal` is aborted. */
async function waitPaced(us: number, pace: Pace, clock: Clock, signal: AbortSignal): Promise<void> {
  const ms = Math.min((us / 1000) * pace, LIMITS.timerMs);
  if (!(ms > 0) || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const callOff = clock.after(ms, () => {
      forget();
      resolve();
    });
    const forget = whenAborted(signal, () => {
      callOff();
      resolve();
    });
  });
}

/** Where a stretch of a recording is played. */
export interface PlaybackTarget {
  readonly clock: Clock;
  readonly pace: Pace;
  /** Aborted: this is not played any more. */
  signalOf(event: ServerEvent): AbortSignal;
  /** Sends it to the client. Of a question, resolves when the client has answered, or never will. */
  emit(event: ServerEvent): Promise<unknown> | undefined;
}

/** A question that the client answered when this was recorded, before frame `seq`. */
interface AnsweredQuestion {
  readonly seq: number;
  readonly time: number;
  readonly answered: Promise<unknown>;
}

/**
 * Plays what a server said, in order: what it said after it had an answer of the client's waits for the answer of this client,
 * and everything for its time, counted from what it followed.
 */
export class Playback {
  readonly #scene: PlaybackTarget;
  #time: number;
  #asked: AnsweredQuestion[] = [];

  /** `time`: microseconds in the recording from which the first wait counts. */
  constructor(scene: PlaybackTarget, time: number) {
    this.#scene = scene;
    this.#time = time;
  }

  /** What comes next followed this. */
  continueFrom({ time }: { readonly time: number }): void {
    this.#time = Math.max(this.#time, time);
  }

  async play(events: readonly ServerEvent[]): Promise<void> {
    for (const event of events) {
      if (!(await this.waitUntil(event, this.#scene.signalOf(event)))) continue;
      const answered = this.#scene.emit(event);
      if (answered && event.kind === 'question' && event.answer) this.#asked.push({ ...event.answer, answered });
    }
  }

  /** Waits until this is due. False: it was called off, by `signal`. */
  async waitUntil(
    { seq, time }: { readonly seq: number; readonly time: number },
    signal: AbortSignal,
  ): Promise<boolean> {
    if (signal.aborted) return false;
    const { clock, pace } = this.#scene;
    for (const asked of this.#asked) {
      if (asked.seq > seq) continue;
      await asked.answered;
      this.#time = Math.max(this.#time, asked.time);
    }
    this.#asked = this.#asked.filter((asked) => asked.seq > seq);
    await waitPaced(time - this.#time, pace, clock, signal);
    this.#time = Math.max(this.#time, time);
    return !signal.aborted;
  }
}
