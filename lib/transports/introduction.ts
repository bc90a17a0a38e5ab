import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { pause } from './http-config';

const INITIALIZED = 'notifications/initialized';

/**
 * Over HTTP each message travels by itself, so what follows the notification that opens a session may overtake it, and be
 * answered by a server that does not know its client yet: with other tools, for one.
 */
export class Introduction {
  #taken: Promise<void> | undefined;

  /** Sends a message by `ask`; what comes after the introduction waits until the server has answered that, within `LIMITS.introductionMs`. */
  async ask<T>(method: string | undefined, clock: Clock, ask: () => Promise<T>): Promise<T> {
    if (method !== INITIALIZED) {
      // Not even a tick later than without one.
      if (this.#taken) await this.#taken;
      return ask();
    }
    const asked = ask();
    const taken = asked.then(
      () => {},
      () => {},
    );
    const over = new AbortController();
    this.#taken = Promise.race([taken, pause(clock, LIMITS.introductionMs, over.signal)]).then(() => {
      over.abort();
      this.#taken = undefined;
    });
    return asked;
  }
}
