import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';
import type { Pace } from './paint';

/** Calls back at an animation frame; in a hidden tab after a moment. */
export type Paint = (run: () => void, pace: Pace) => void;

/** Has logs that have grown tell their listeners, all at once, as often as somebody can see it. */
export class LogPainter {
  readonly #paint: Paint;
  readonly #grown = new Set<Log>();
  /** How long each log was when it was last drawn, and by how much it had grown since the time before. */
  readonly #drawn = new WeakMap<Log, number>();
  readonly #newRows = new WeakMap<Log, number>();
  /** How soon those that have grown are drawn; undefined while there are none. */
  #waiting: Pace | undefined;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** A log has grown: it is drawn soon. */
  schedule(log: Log): void {
    const pace = this.#paceOf(log);
    this.#grown.add(log);
    // What has caught up meanwhile is not kept waiting.
    if (this.#waiting !== undefined && (this.#waiting !== 'seldom' || pace === 'seldom')) return;
    this.#waiting = pace;
    this.#paint(() => this.#draw(), pace);
  }

  #draw(): void {
    const logs = [...this.#grown];
    this.#grown.clear();
    this.#waiting = undefined;
    for (const grown of logs) {
      this.#newRows.set(grown, grown.size - (this.#drawn.get(grown) ?? 0));
      this.#drawn.set(grown, grown.size);
      grown.flush();
    }
  }

  #paceOf(log: Log): Pace {
    if (!this.#drawn.has(log)) return 'next';
    if (log.last - log.size > LIMITS.farBehindFrames) return 'seldom';
    return (this.#newRows.get(log) ?? 0) > LIMITS.floodRows ? 'every-other' : 'next';
  }
}
