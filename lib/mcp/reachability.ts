import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Failure, LifecycleEvent } from '@/lib/wire/lifecycle';

/**
 * Wait before a server that can't be reached is tried again: the first, and the longest after doubling. A dev server
 * is back within a second or two; one that is down for hours costs little.
 */
export const SERVER_RETRY_FIRST_MS = 500;
const SERVER_RETRY_LAST_MS = 15_000;
/** A connection that held this long after a recovery has recovered: the next loss starts from the first delay. */
export const RECOVERED_MS = 3000;
/** Checks in a row whether a server restarted that may fail before we stop. */
export const RESTART_CHECKS = 5;

/** The connection, as far as {@link Reachability} needs it. */
export interface ReachabilityPort {
  readonly clock: Clock;
  logEvent(event: LifecycleEvent): void;
  /** Asks once whether the server is there; see the transport's `reconnect`. Never rejects. */
  reconnect(retryMs: number): Promise<void>;
  /** Renews what a restart may have changed. False: that failed, so it is tried again. Never rejects. */
  recover(): Promise<boolean>;
  /** It was tried `RESTART_CHECKS` times, though the server answers. */
  gaveUp(): void;
}

/** A server that can't be reached. */
export interface Unreachable {
  /** On the clock. */
  readonly since: number;
  /** One sentence. */
  readonly message: string;
}

/**
 * Knows whether the server of an open connection can be reached, tries again with growing delays while it can't, and
 * has the connection recover once it answers. A server that may have restarted unseen is asked the same way, without a
 * word unless it is gone.
 */
export class Reachability {
  readonly #port: ReachabilityPort;
  #unreachable: Unreachable | undefined;
  /** The connection was lost, and the server has not shown since that it still knows us. */
  #lost = false;
  /** Attempts since it went away. */
  #attempts = 0;
  /** How often the delay was doubled. */
  #level = 0;
  #recoveredAt = Number.NEGATIVE_INFINITY;
  #trying = false;
  #stopped = false;
  #callOff: (() => void) | undefined;

  constructor(port: ReachabilityPort) {
    this.#port = port;
  }

  /** undefined while the server can be reached, as far as we know. */
  get unreachable(): Unreachable | undefined {
    return this.#unreachable;
  }

  /** True from a loss of the connection until the connection has recovered. */
  get lost(): boolean {
    return this.#lost;
  }

  /** A request did not reach the server. */
  failed({ code, message, advice }: Failure): void {
    if (this.#stopped || this.#unreachable) return;
    this.#begin();
    this.#unreachable = { since: this.#port.clock.now(), message };
    this.#attempts = 0;
    this.#port.logEvent({ event: 'unreachable', code, message, advice, retryMs: this.#delay(this.#level) });
    this.#schedule();
  }

  /** The server may have restarted. */
  doubtful(): void {
    if (this.#stopped || this.#lost) return;
    this.#begin();
    this.#check();
  }

  /** The server answered. */
  reached(): void {
    if (this.#stopped || !this.#unreachable) return;
    this.#unreachable = undefined;
    this.#callOff?.();
    this.#port.logEvent({ event: 'reachable', attempts: this.#attempts });
    void this.#recover();
  }

  /** Tries at once. Throws ConnectionError if the server can be reached. */
  retry(): void {
    if (!this.#unreachable) throw new ConnectionError(REACHABLE);
    this.#level = 0;
    if (this.#trying) return;
    this.#callOff?.();
    void this.#try();
  }

  /** The server knows us. */
  recovered(): void {
    this.#lost = false;
    this.#recoveredAt = this.#port.clock.now();
  }

  /** Nothing is tried from now on. */
  stop(): void {
    this.#stopped = true;
    this.#unreachable = undefined;
    this.#callOff?.();
  }

  /** A loss soon after a recovery goes on with the delays of the one before. */
  #begin(): void {
    if (!this.#lost && this.#port.clock.now() - this.#recoveredAt > RECOVERED_MS) this.#level = 0;
    this.#lost = true;
  }

  #delay(level: number): number {
    return Math.min(SERVER_RETRY_FIRST_MS * 2 ** level, SERVER_RETRY_LAST_MS);
  }

  #schedule(): void {
    this.#callOff?.();
    this.#callOff = this.#port.clock.after(this.#delay(this.#level++), () => void this.#try());
  }

  async #try(): Promise<void> {
    const wasUnreachable = this.#unreachable !== undefined;
    this.#trying = true;
    if (wasUnreachable) this.#attempts++;
    await this.#port.reconnect(this.#delay(this.#level));
    this.#trying = false;
    if (this.#stopped) return;
    if (this.#unreachable && wasUnreachable) this.#schedule();
    else if (!this.#unreachable && !wasUnreachable) void this.#recover();
  }

  async #recover(): Promise<void> {
    if (await this.#port.recover()) this.recovered();
    else if (!this.#unreachable && !this.#stopped) this.#check();
  }

  /** Asks again a little later, but not for ever. */
  #check(): void {
    if (this.#level < RESTART_CHECKS) {
      this.#schedule();
      return;
    }
    this.#lost = false;
    this.#port.gaveUp();
  }
}

const REACHABLE: Failure = {
  code: 'reachable',
  message: 'The server can be reached, so there is nothing to retry.',
  advice: 'Send your request again.',
};
