import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { ServerEvent } from '../traffic/recorded-traffic';

/** Calls `run` when `signal` is aborted, or at once if it is already. Returns a function that cancels this. */
export function whenAborted(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}

/** Duration of a replay relative to the recording: 0 is instant, 1 as recorded, 0.25 four times as fast. */
export type ReplayPace = number;

/** Parses `instant`, `real`, `x4` or `×4`; undefined for anything else. */
export function parsePace(text: string): ReplayPace | undefined {
  if (text === 'instant') return 0;
  if (text === 'real') return 1;
  const times = Number(/^[x×](\d{1,6}(?:\.\d{1,6})?)$/.exec(text)?.[1]);
  return times > 0 ? 1 / times : undefined;
}

/** Waits for recorded microseconds at a pace. Resolves at once when `signal` is aborted. */
async function waitPaced(us: number, pace: ReplayPace, clock: Clock, signal: AbortSignal): Promise<void> {
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

/** Receiver of recorded events. */
interface PlaybackTarget {
  readonly clock: Clock;
  readonly pace: ReplayPace;
  /** Returns the signal that stops an event. */
  signalOf(event: ServerEvent): AbortSignal;
  /** Sends an event to the client. For a server request, resolves once the client has answered or never will. */
  emit(event: ServerEvent): Promise<unknown> | undefined;
}

/** A server request that the client answered before frame `seq` of the recording. */
interface AnsweredRequest {
  readonly seq: number;
  readonly time: number;
  readonly answered: Promise<unknown>;
}

/**
 * Plays recorded server events in order. An event that was recorded after an answer of the client waits until this
 * client has answered too. Each event keeps its recorded distance in time to the event before.
 */
export class Playback {
  readonly #scene: PlaybackTarget;
  #time: number;
  #asked: AnsweredRequest[] = [];

  /** `time`: recorded microseconds from which the first wait counts. */
  constructor(scene: PlaybackTarget, time: number) {
    this.#scene = scene;
    this.#time = time;
  }

  /** Continues from a later recorded time. */
  continueFrom({ time }: { readonly time: number }): void {
    this.#time = Math.max(this.#time, time);
  }

  async play(events: readonly ServerEvent[]): Promise<void> {
    for (const event of events) {
      if (!(await this.waitUntil(event, this.#scene.signalOf(event)))) continue;
      const answered = this.#scene.emit(event);
      if (answered && event.kind === 'request' && event.answer) {
        const { seq, time } = event.answer;
        this.#asked.push({ seq, time, answered });
      }
    }
  }

  /** Waits until a recorded time. False if `signal` was aborted. */
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
