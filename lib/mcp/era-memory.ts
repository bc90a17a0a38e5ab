import type { EngineConfig } from './engine';
import { announcedServer, type Negotiated, type RememberedEra } from './handshake';

/**
 * Milliseconds that a server's era is remembered. A server upgraded under the same version is probed again after that.
 */
export const ERA_KEPT_MS = 24 * 60 * 60_000;

/** The era of a server, as auto mode found it, to spare the next run the probe. */
export class EraMemory {
  readonly #now: string;
  #remembered: RememberedEra | undefined;

  /** `now` is ISO 8601. What is too old is forgotten, and all that does not come from auto mode. */
  constructor({ protocol, remembered }: EngineConfig, now: string) {
    this.#now = now;
    const age = remembered ? Date.parse(now) - Date.parse(remembered.at) : -1;
    if (protocol === 'auto' && age >= 0 && age < ERA_KEPT_MS) this.#remembered = remembered;
  }

  get remembered(): RememberedEra | undefined {
    return this.#remembered;
  }

  forget(): void {
    this.#remembered = undefined;
  }

  /**
   * Called with the result of a handshake in auto mode; undefined if it failed. If the server that answered is not the
   * remembered one, the next run probes.
   */
  onHandshake(negotiated: Negotiated | undefined): void {
    const before = this.#remembered;
    const server = negotiated && announcedServer(negotiated);
    if (before?.era !== 'legacy') {
      this.#remembered = negotiated && { era: negotiated.era, server: announcedServer(negotiated), at: this.#now };
    } else if (before.server !== server) this.#remembered = undefined;
  }
}
