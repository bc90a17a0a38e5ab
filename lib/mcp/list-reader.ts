import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import type { Engine } from './engine';

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
    void this.#readPages().then(() => {
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

  /** Ends early on anything but a result, and on a cursor seen before; the log shows which. The empty string is a cursor. */
  async #readPages(): Promise<void> {
    const seen = new Set<string>();
    let params: string | undefined;
    for (let page = 0; page < LIMITS.listPages && !this.#stopped; page++) {
      const result = await this.#page(params);
      const cursor = isObject(result) ? own(result, 'nextCursor') : undefined;
      if (typeof cursor !== 'string' || seen.has(cursor)) return;
      seen.add(cursor);
      params = JSON.stringify({ cursor });
    }
  }

  async #page(params: string | undefined): Promise<unknown> {
    try {
      const outcome = await this.#engine.request(this.#method, params).outcome;
      return outcome.kind === 'result' ? outcome.result : undefined;
    } catch (error) {
      if (error instanceof ConnectionError) return undefined;
      throw error;
    }
  }
}
