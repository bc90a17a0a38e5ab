import { isObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { mayHaveLists } from '@/lib/wire/declares';
import { LIMITS } from '@/lib/wire/limits';
import type { Engine } from './engine';
import type { Negotiated } from './handshake';
import { Subscription } from './subscription';

/**
 * Milliseconds without a `list_changed` before the list is read again. This way, many notifications cause only one
 * reading.
 */
export const LIST_CHANGED_MS = 150;

/**
 * Reads every list that the server declares, and again when the server says that it changed. The answers are in the
 * log; nothing is kept here.
 */
export class ServerLists {
  readonly #engine: Pick<Engine, 'sendRequest' | 'cancel' | 'onNotification'>;
  readonly #clock: Clock;
  readonly #isReachable: () => boolean;
  #readers: ListReader[] = [];
  #subscription: Subscription | undefined;

  /**
   * `isReachable` returns false while the connection tries to reach the server again. The connection calls {@link
   * start} afterwards.
   */
  constructor(
    engine: Pick<Engine, 'sendRequest' | 'cancel' | 'onNotification'>,
    clock: Clock,
    isReachable: () => boolean = () => true,
  ) {
    this.#engine = engine;
    this.#clock = clock;
    this.#isReachable = isReachable;
  }

  /** Starts reading after a handshake. A later call replaces the earlier one. */
  start(negotiated: Pick<Negotiated, 'capabilities' | 'invalidCapabilities' | 'era'>): void {
    this.#subscription?.leave();
    for (const reader of this.#readers) reader.stop();
    this.#readers = [];
    const byNotification = new Map<string, ListReader[]>();
    for (const [method, { capability, changed }] of LISTINGS) {
      if (!mayHaveLists(negotiated, capability)) continue;
      const reader = new ListReader(this.#engine, this.#clock, method);
      byNotification.set(changed, [...(byNotification.get(changed) ?? []), reader]);
      this.#readers.push(reader);
      reader.read();
    }
    for (const [changed, readers] of byNotification) {
      this.#engine.onNotification(changed, () => {
        for (const reader of readers) reader.onChanged();
      });
    }
    if (negotiated.era !== 'modern') return;
    this.#subscription = new Subscription(this.#engine, this.#clock, this.#isReachable);
    this.#subscription.start(negotiated.capabilities);
  }

  /** Reads every list again, because the server may have restarted, or the one with this method. */
  readAgain(method?: string): void {
    for (const reader of this.#readers) if (method === undefined || reader.method === method) reader.read();
  }

  /** Sends no more requests. */
  stop(): void {
    this.#subscription?.stop();
    for (const reader of this.#readers) reader.stop();
  }
}

/** Reads all pages of one list, one reading at a time. */
class ListReader {
  readonly #engine: Pick<Engine, 'sendRequest'>;
  readonly #clock: Clock;
  readonly method: string;
  #reading = false;
  /** The list changed during a reading. */
  #stale = false;
  #stopped = false;
  #changedAt = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(engine: Pick<Engine, 'sendRequest'>, clock: Clock, method: string) {
    this.#engine = engine;
    this.#clock = clock;
    this.method = method;
  }

  /** Starts reading. During a reading, schedules one more after it. */
  read(): void {
    if (this.#stopped) return;
    if (this.#reading) {
      this.#stale = true;
      return;
    }
    this.#reading = true;
    void readPages(this.#engine, this.method, () => !this.#stopped).then(() => {
      this.#reading = false;
      if (!this.#stale) return;
      this.#stale = false;
      this.read();
    });
  }

  /** Reads the list again after {@link LIST_CHANGED_MS} without another change. */
  onChanged(): void {
    this.#changedAt = this.#clock.now();
    if (!this.#stopped && this.#cancelTimer === undefined) this.#startTimer();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #startTimer(): void {
    const quietMs = this.#clock.now() - this.#changedAt;
    this.#cancelTimer = this.#clock.after(LIST_CHANGED_MS - quietMs, () => {
      this.#cancelTimer = undefined;
      if (this.#clock.now() - this.#changedAt < LIST_CHANGED_MS) this.#startTimer();
      else this.read();
    });
  }
}

/**
 * Reads all pages of a list while `wanted` returns true. Stops at an error or a repeated cursor; the log shows which.
 * The empty string is a valid cursor.
 */
export async function readPages(
  engine: Pick<Engine, 'sendRequest'>,
  method: string,
  wanted: () => boolean,
): Promise<void> {
  const seen = new Set<string>();
  let params: string | undefined;
  for (let page = 0; page < LIMITS.listPages && wanted(); page++) {
    const result = await readPage(engine, method, params);
    const cursor = isObject(result) ? own(result, 'nextCursor') : undefined;
    if (typeof cursor !== 'string' || seen.has(cursor)) return;
    seen.add(cursor);
    params = JSON.stringify({ cursor });
  }
}

async function readPage(
  engine: Pick<Engine, 'sendRequest'>,
  method: string,
  params: string | undefined,
): Promise<unknown> {
  try {
    const outcome = await engine.sendRequest(method, params).outcome;
    return outcome.kind === 'result' ? outcome.result : undefined;
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
}
