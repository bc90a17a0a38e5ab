import { isObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { Engine } from './engine';
import type { Negotiated } from './handshake';
import { Subscription } from './subscription';

/** Quiet time after a list_changed before the list is read again. */
export const LIST_CHANGED_MS = 150;

/**
 * Keeps the log's knowledge of a server complete: reads every list that the server declares, and reads it again when the
 * server says that it changed. What was read is in the log; nothing is kept here.
 */
export class Inventory {
  readonly #engine: Pick<Engine, 'request' | 'cancel' | 'onNotification'>;
  readonly #clock: Clock;
  readonly #reachable: () => boolean;
  #readers: ListReader[] = [];
  #subscription: Subscription | undefined;

  /** `reachable`: false while somebody else sees to it that the server is reached again, and starts this again then. */
  constructor(
    engine: Pick<Engine, 'request' | 'cancel' | 'onNotification'>,
    clock: Clock,
    reachable: () => boolean = () => true,
  ) {
    this.#engine = engine;
    this.#clock = clock;
    this.#reachable = reachable;
  }

  /** Starts with what a handshake agreed on; what was started before is over. */
  start({ capabilities, era }: Pick<Negotiated, 'capabilities' | 'era'>): void {
    this.#subscription?.leave();
    for (const reader of this.#readers) reader.stop();
    this.#readers = [];
    const byNotification = new Map<string, ListReader[]>();
    for (const [method, { capability, changed }] of LISTINGS) {
      if (!isObject(own(capabilities, capability))) continue;
      const reader = new ListReader(this.#engine, this.#clock, method);
      byNotification.set(changed, [...(byNotification.get(changed) ?? []), reader]);
      this.#readers.push(reader);
      reader.read();
    }
    for (const [changed, readers] of byNotification) {
      this.#engine.onNotification(changed, () => {
        for (const reader of readers) reader.changed();
      });
    }
    if (era !== 'modern') return;
    this.#subscription = new Subscription(this.#engine, this.#clock, this.#reachable);
    this.#subscription.start(capabilities);
  }

  /** Reads every list once more: the server may be another one now. */
  readAgain(): void {
    for (const reader of this.#readers) reader.read();
  }

  /** No more requests from now on. */
  stop(): void {
    this.#subscription?.stop();
    for (const reader of this.#readers) reader.stop();
  }
}

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

  /** The server said that the list changed. Storms of this are one reading after {@link LIST_CHANGED_MS} of quiet. */
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
    this.#callOff = this.#clock.after(LIST_CHANGED_MS - quietFor, () => {
      this.#callOff = undefined;
      if (this.#clock.now() - this.#changedAt < LIST_CHANGED_MS) this.#wait();
      else this.read();
    });
  }
}

/**
 * Reads all pages of a list while `wanted`. Ends early on anything but a result, and on a cursor seen before; the log shows
 * which. The empty string is a cursor.
 */
export async function readPages(engine: Pick<Engine, 'request'>, method: string, wanted: () => boolean): Promise<void> {
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

async function readPage(engine: Pick<Engine, 'request'>, method: string, params: string | undefined): Promise<unknown> {
  try {
    const outcome = await engine.request(method, params).outcome;
    return outcome.kind === 'result' ? outcome.result : undefined;
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
}
