import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { Engine } from './engine';
import { readPages } from './list-pages';

/** Reads all pages of one list, once at a time, and again after changes. */
export class ListReader {
  readonly #engine: Pick<Engine, 'request'>;
  readonly #clock: Clock;
  readonly #method: string;
  #reading = false;
  /** A change came while reading: what was read may be old. */
  #stale = false;
  #stopped = false;
  #changedAt = 0;
  #callOff: (() => void) | undefined;

  constructor(engine: Pick<Engine, 'request'>, clock: Clock, method: string) {
    this.#engine = engine;
    this.#clock = clock;
    this.#method = method;
  }

  /** Starts reading, or notes that it has to be done once more after the reading that goes on. */
  read(): void {
    if (this.#stopped) return;
    if (this.#reading) {
      this.#stale = true;
      return;
    }
    this.#reading = true;
    void readPages(this.#engine, this.#method, () => !this.#stopped).then(() => {
      this.#reading = false;
      if (!this.#stale) return;
      this.#stale = false;
      this.read();
    });
  }

  /** The server said that the list changed. Storms of this are one reading after {@link LIMITS.listChangedMs} of quiet. */
  changed(): void {
    this.#changedAt = this.#clock.now();
    if (!this.#stopped && this.#callOff === undefined) this.#wait();
  }

  stop(): void {
    this.#stopped = true;
    this.#callOff?.();
  }

  #wait(): void {
    const quietFor = this.#clock.now() - this.#changedAt;
    this.#callOff = this.#clock.after(LIMITS.listChangedMs - quietFor, () => {
      this.#callOff = undefined;
      if (this.#clock.now() - this.#changedAt < LIMITS.listChangedMs) this.#wait();
      else this.read();
    });
  }
}
