import { isNetworkFailure } from '@/lib/transports/http-failures';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import { asFailure } from './connection-failures';
import type { Engine } from './engine';
import type { Negotiated } from './handshake';
import type { ServerLists } from './listing';
import { RECOVERED_MS, type Reachability } from './reachability';

/** The connection whose sessions these are. */
interface SessionHost {
  readonly clock: Clock;
  readonly engine: Engine;
  /** Read again in each session. Absent: nobody reads lists. */
  readonly lists: ServerLists | undefined;
  /** undefined: a handshake that fails ends the connection. */
  readonly reachability: Reachability | undefined;
  isOpen(): boolean;
  /** A handshake has begun a session again. */
  onSession(negotiated: Negotiated): void;
  logEvent(event: LifecycleEvent): void;
  /** Ends the connection. */
  fail(failure: Failure): Promise<void>;
}

/** The sessions of one connection: it begins a new one when the server has forgotten the last, or was away. */
export class Sessions {
  readonly #host: SessionHost;
  /** Times on the clock when sessions were lost that had only just begun. */
  readonly #earlyLosses: number[] = [];
  /** Start of the current session, on the clock. */
  #began = 0;
  #era: Negotiated['era'] | undefined;
  /** Why no new session could be opened; undefined while the connection has a session. */
  #without: ConnectionError | undefined;
  #renewal: Promise<boolean> | undefined;

  constructor(host: SessionHost) {
    this.#host = host;
  }

  /** The latest handshake after the loss of a session. Resolves with false if the handshake failed. */
  get renewal(): Promise<boolean> | undefined {
    return this.#renewal;
  }

  /** Called after each handshake. */
  onBegun({ era }: Negotiated): void {
    this.#era = era;
    this.#began = this.#host.clock.now();
  }

  /** Opens a new session on the same connection, unless the server forgets sessions as fast as we open them. */
  onLost(reason: string): void {
    const { clock, engine, reachability } = this.#host;
    if (!this.#host.isOpen()) return;
    this.#host.logEvent({ event: 'session-lost', reason });
    engine.onSessionLost();
    const now = clock.now();
    // A server may restart as often as it likes. Without reachability, only requests of the user begin sessions, so
    // that they come to an end.
    const early = reachability?.lost === false && now - this.#began < RECOVERED_MS;
    if (early) this.#earlyLosses.push(now);
    const recent = this.#earlyLosses.filter((at) => now - at < SESSIONS_LOST_MS);
    void (early && recent.length > MAX_SESSIONS_LOST ? this.#host.fail(SESSION_LOST_TOO_OFTEN) : this.#renew());
  }

  /**
   * Recovers after the server was unreachable or may have restarted. A ping finds out about the session: if the server
   * has forgotten it, the transport reports that. The modern era has no sessions, so the handshake is simply repeated.
   * Resolves with false if the server is still away.
   */
  async recover(): Promise<boolean> {
    const { engine, lists } = this.#host;
    if (!this.#host.isOpen()) return true;
    if (this.#without || this.#era === 'modern') return this.#renew();
    try {
      const outcome = await engine.sendRequest('ping').outcome;
      const http = outcome.kind === 'error' || outcome.kind === 'lost' ? outcome.http : undefined;
      if (http?.code === 'session-lost') return (await this.#renewal) ?? false;
      if (http !== undefined) return false;
    } catch (error) {
      if (error instanceof ConnectionError) return false;
      throw error;
    }
    lists?.readAgain();
    return true;
  }

  /** Ends the connection if it has no session. Called when the server has been away for too long. */
  giveUp(): void {
    if (this.#without) void this.#host.fail(this.#without);
  }

  /** Performs the handshake again and reads everything again. Resolves with false if that failed. */
  #renew(): Promise<boolean> {
    this.#renewal = this.#handshakeAgain();
    return this.#renewal;
  }

  async #handshakeAgain(): Promise<boolean> {
    const { engine, lists, reachability } = this.#host;
    try {
      const negotiated = await engine.renew();
      this.#host.onSession(negotiated);
      this.#without = undefined;
      reachability?.onRecovered();
      lists?.start(negotiated);
      return true;
    } catch (error) {
      const failure = asFailure(error);
      if (reachability === undefined || !isTransient(failure)) {
        await this.#host.fail(failure);
        return false;
      }
      this.#without = new ConnectionError(failure);
      reachability.onPossibleRestart();
      return false;
    }
  }
}

/** True for failures of a handshake that may pass, because the server is restarting. */
function isTransient(failure: Failure): boolean {
  const status = 'status' in failure ? Number(failure.status) : 0;
  return isNetworkFailure(failure) || status === 404 || status >= 500;
}

/** Short-lived sessions that may be lost within {@link SESSIONS_LOST_MS} before the connection fails. */
const MAX_SESSIONS_LOST = 3;
const SESSIONS_LOST_MS = 60_000;

const SESSION_LOST_TOO_OFTEN: Failure = {
  code: 'session-lost',
  message: `The server forgot the session more than ${MAX_SESSIONS_LOST} times in ${SESSIONS_LOST_MS / 1000} seconds.`,
  advice: 'Check whether requests reach several instances that don’t share sessions, then restart the connection.',
};
