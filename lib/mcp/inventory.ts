import { LISTINGS } from '@/lib/protocol/methods';
import type { Clock } from '@/lib/wire/clock';
import { isObject, own } from '@/lib/wire/message';
import type { Engine } from './engine';
import type { Negotiated } from './handshake';
import { ListReader } from './list-reader';
import { Subscription } from './subscription';

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
