import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import { METHOD } from '@/lib/wire/protocol-names';
import type { Engine } from './engine';

/** The notification to subscribe to for each capability. */
const CHANGES: readonly (readonly [capability: string, notification: string])[] = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
];

/**
 * Subscribes to list changes of a modern server, which sends them only on a stream that the client asked for
 * (2026-07-28, subscriptions). Asks again when the stream is lost, but not when the server refused or ended it.
 */
export class Subscription {
  readonly #engine: Pick<Engine, 'sendRequest' | 'cancel'>;
  readonly #clock: Clock;
  readonly #isReachable: () => boolean;
  #stopped = false;
  /** Id of the pending request. */
  #id: RequestId | undefined;
  #cancelTimer: (() => void) | undefined;

  /** A lost stream is not asked for again while `isReachable` returns false. */
  constructor(engine: Pick<Engine, 'sendRequest' | 'cancel'>, clock: Clock, isReachable: () => boolean = () => true) {
    this.#engine = engine;
    this.#clock = clock;
    this.#isReachable = isReachable;
  }

  /** Subscribes to all changes that these capabilities of the server declare. */
  start(capabilities: JsonObject): void {
    const declared = CHANGES.filter(([capability]) => {
      const value = own(capabilities, capability);
      return isObject(value) && own(value, 'listChanged') === true;
    });
    if (declared.length === 0) return;
    const notifications = Object.fromEntries(declared.map(([, notification]) => [notification, true]));
    void this.#listen(JSON.stringify({ notifications }), 0);
  }

  /** Sends no more requests. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  /** Stops and cancels the open stream, because another subscription replaces this one. */
  leave(): void {
    this.stop();
    if (this.#id !== undefined) this.#engine.cancel(this.#id, 'Subscribed again');
  }

  async #listen(params: string, losses: number): Promise<void> {
    const since = this.#clock.now();
    try {
      const { id, outcome: ended } = this.#engine.sendRequest(METHOD.listen, params);
      this.#id = id;
      const outcome = await ended;
      this.#id = undefined;
      if (outcome.kind !== 'lost' || isRefusal(outcome.http?.status) || this.#stopped) return;
    } catch (error) {
      if (error instanceof ConnectionError) return;
      throw error;
    }
    // A stream that lasted resets the count. One that is lost at once, again and again, is given up.
    const lost = this.#clock.now() - since > LIMITS.streamRetryLastMs ? 1 : losses + 1;
    if (lost > LIMITS.streamRetries) return;
    const delay = Math.min(LIMITS.streamRetryFirstMs * 2 ** (lost - 1), LIMITS.streamRetryLastMs);
    this.#cancelTimer = this.#clock.after(delay, () => {
      if (this.#isReachable()) void this.#listen(params, lost);
    });
  }
}

/** Returns true for HTTP statuses that the server would repeat. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}
