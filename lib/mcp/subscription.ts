import { isObject, type JsonObject, own, type RequestId } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { Engine } from './engine';

const METHOD = 'subscriptions/listen';

/** What to listen to, by the capability that promises it. */
const CHANGES: readonly (readonly [capability: string, notification: string])[] = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
];

/**
 * Modern servers tell of changes only on a stream that was asked for (2026-07-28, subscriptions). This asks for all that the
 * server declares, and again when the stream is lost without a word; a server that refuses or ends it is not asked again.
 */
export class Subscription {
  readonly #engine: Pick<Engine, 'request' | 'cancel'>;
  readonly #clock: Clock;
  readonly #reachable: () => boolean;
  #stopped = false;
  /** The request under way. */
  #id: RequestId | undefined;
  #callOff: (() => void) | undefined;

  /** While the server is not `reachable`, a lost stream is not asked for again. */
  constructor(engine: Pick<Engine, 'request' | 'cancel'>, clock: Clock, reachable: () => boolean = () => true) {
    this.#engine = engine;
    this.#clock = clock;
    this.#reachable = reachable;
  }

  /** Starts with the capabilities of a modern server. */
  start(capabilities: JsonObject): void {
    const promised = CHANGES.filter(([capability]) => {
      const declared = own(capabilities, capability);
      return isObject(declared) && own(declared, 'listChanged') === true;
    });
    if (promised.length === 0) return;
    const notifications = Object.fromEntries(promised.map(([, notification]) => [notification, true]));
    void this.#listen(JSON.stringify({ notifications }), 0);
  }

  /** Nothing is asked for from now on. */
  stop(): void {
    this.#stopped = true;
    this.#callOff?.();
  }

  /** Stops, and ends the stream that is open: another subscription takes its place. */
  leave(): void {
    this.stop();
    if (this.#id !== undefined) this.#engine.cancel(this.#id, 'Subscribed again');
  }

  async #listen(params: string, losses: number): Promise<void> {
    const since = this.#clock.now();
    try {
      const { id, outcome: ended } = this.#engine.request(METHOD, params);
      this.#id = id;
      const outcome = await ended;
      this.#id = undefined;
      if (outcome.kind !== 'lost' || isRefusal(outcome.http?.status) || this.#stopped) return;
    } catch (error) {
      if (error instanceof ConnectionError) return;
      throw error;
    }
    // A stream that lived is a new start; one that is lost at once again and again is not worth asking for.
    const lost = this.#clock.now() - since > LIMITS.streamRetryLastMs ? 1 : losses + 1;
    if (lost > LIMITS.streamRetries) return;
    const delay = Math.min(LIMITS.streamRetryFirstMs * 2 ** (lost - 1), LIMITS.streamRetryLastMs);
    this.#callOff = this.#clock.after(delay, () => {
      if (this.#reachable()) void this.#listen(params, lost);
    });
  }
}

/** The server will say the same to the next one. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}
