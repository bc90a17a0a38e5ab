import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Failure, LifecycleEvent } from '@/lib/wire/lifecycle';

/**
 * Milliseconds before an unreachable server is tried again: at first, and at most after doubling. A dev server is back
 * within a second or two. A server that is down for hours should cost little.
 */
export const SERVER_RETRY_FIRST_MS = 500;
const SERVER_RETRY_LAST_MS = 15_000;
/** Milliseconds that a recovered connection has to hold before the next loss starts from the first delay again. */
export const RECOVERED_MS = 3000;
/** Failed recoveries in a row, while the server answers, before we give up. */
export const RESTART_CHECKS = 5;

/** The connection, as far as {@link Reachability} needs it. */
interface ReachabilityPort {
  readonly clock: Clock;
  logEvent(event: LifecycleEvent): void;
  /** Tries once to reach the server; see {@link Transport.reconnect}. Never rejects. */
  reconnect(retryMs: number): Promise<void>;
  /** Restores what a restart may have changed. Resolves with false to be called again. Never rejects. */
  recover(): Promise<boolean>;
  /** Called when {@link recover} failed {@link RESTART_CHECKS} times, although the server answers. */
  onGiveUp(): void;
}

export interface Unreachable {
  /** On the clock. */
  readonly since: number;
  /** One sentence. */
  readonly message: string;
}

/**
 * Tracks whether the server of an open connection can be reached. Tries again with growing delays while it can't, and
 * makes the connection recover once it answers. A possible restart is checked the same way, but logged only if the
 * server is gone.
 */
export class Reachability {
  readonly #port: ReachabilityPort;
  #unreachable: Unreachable | undefined;
  /** True from a loss of the connection until it has recovered. */
  #lost = false;
  /** Attempts since the server became unreachable. */
  #attempts = 0;
  /** Number of times the delay was doubled. */
  #level = 0;
  #recoveredAt = Number.NEGATIVE_INFINITY;
  #trying = false;
  #stopped = false;
  #cancelTimer: (() => void) | undefined;

  constructor(port: ReachabilityPort) {
    this.#port = port;
  }

  /** undefined while the server can be reached, as far as known. */
  get unreachable(): Unreachable | undefined {
    return this.#unreachable;
  }

  /** True from a loss of the connection until the connection has recovered. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Called when a request did not reach the server. */
  onUnreachable({ code, message, advice }: Failure): void {
    if (this.#stopped || this.#unreachable) return;
    this.#beginLoss();
    this.#unreachable = { since: this.#port.clock.now(), message };
    this.#attempts = 0;
    this.#port.logEvent({ event: 'unreachable', code, message, advice, retryMs: this.#delay(this.#level) });
    this.#schedule();
  }

  /** Called when the server may have restarted. */
  onPossibleRestart(): void {
    if (this.#stopped || this.#lost) return;
    this.#beginLoss();
    this.#checkAgain();
  }

  /** Called when the server answered. */
  onReached(): void {
    if (this.#stopped || !this.#unreachable) return;
    this.#unreachable = undefined;
    this.#cancelTimer?.();
    this.#port.logEvent({ event: 'reachable', attempts: this.#attempts });
    void this.#recover();
  }

  /** Tries now. Throws ConnectionError if the server can be reached. */
  retry(): void {
    if (!this.#unreachable) throw new ConnectionError(REACHABLE);
    this.#level = 0;
    if (this.#trying) return;
    this.#cancelTimer?.();
    void this.#try();
  }

  /** Called when the connection has a working session again. */
  onRecovered(): void {
    this.#lost = false;
    this.#recoveredAt = this.#port.clock.now();
  }

  /** Makes no more attempts. */
  stop(): void {
    this.#stopped = true;
    this.#unreachable = undefined;
    this.#cancelTimer?.();
  }

  /** A loss soon after a recovery continues with the delays of the previous loss. */
  #beginLoss(): void {
    if (!this.#lost && this.#port.clock.now() - this.#recoveredAt > RECOVERED_MS) this.#level = 0;
    this.#lost = true;
  }

  #delay(level: number): number {
    return Math.min(SERVER_RETRY_FIRST_MS * 2 ** level, SERVER_RETRY_LAST_MS);
  }

  #schedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#port.clock.after(this.#delay(this.#level++), () => void this.#try());
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
    if (await this.#port.recover()) this.onRecovered();
    else if (!this.#unreachable && !this.#stopped) this.#checkAgain();
  }

  /** Tries again a little later, {@link RESTART_CHECKS} times at most. */
  #checkAgain(): void {
    if (this.#level < RESTART_CHECKS) {
      this.#schedule();
      return;
    }
    this.#lost = false;
    this.#port.onGiveUp();
  }
}

const REACHABLE: Failure = {
  code: 'reachable',
  message: 'The server can be reached.',
  advice: 'Send your request again.',
};
