import { INTERCEPT_LIMITS } from '@/lib/wire/intercept';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { idKey } from '@/lib/wire/message';

/** A request of the host that waits at mcp-inspect. Times are in microseconds. */
export interface HeldRequest {
  /** seq of the event since which it waits. */
  readonly seq: number;
  readonly id: unknown;
  readonly method: string;
  readonly at: number;
  /** Time of the last progress that mcp-inspect reported. */
  progressAt?: number;
}

/**
 * The requests of a host that a rule holds or delays. They are on channel `protocol` only once they are passed on. The
 * host may have given them up before.
 */
export class HeldRequests {
  /** By the number of the hold. */
  readonly #waiting = new Map<number, HeldRequest>();
  /** Requests that were given up meanwhile, by seq of their event: time of that, and if it was a timeout. */
  readonly #givenUp = new Map<number, { readonly at: number; readonly isTimeout: boolean }>();

  addEvent(seq: number, at: number, event: LifecycleEvent): void {
    if (event.event === 'held') {
      const { hold, direction, kind, id, method } = event;
      if (direction !== 'to-server' || kind !== 'request' || this.#waiting.has(hold)) return;
      bounded(this.#waiting, hold, { seq, at, id, method: method ?? '' });
    } else if (event.event === 'intercepted' && event.hold !== undefined) {
      const waiting = this.#waiting.get(event.hold);
      if (event.did !== 'progress') this.#waiting.delete(event.hold);
      else if (waiting) waiting.progressAt = at;
    }
  }

  /** Returns the request with this id that waits. */
  waitingFor(id: unknown): HeldRequest | undefined {
    const key = idKey(id);
    for (const held of this.#waiting.values()) if (idKey(held.id) === key) return held;
    return undefined;
  }

  /** Notes that the host gave up a request that waits. */
  giveUp({ seq }: HeldRequest, at: number, isTimeout: boolean): void {
    bounded(this.#givenUp, seq, { at, isTimeout });
  }

  /** Returns when the host gave up the request that waited since this event; undefined if it did not. */
  givenUp(heldSeq: number | undefined): { readonly at: number; readonly isTimeout: boolean } | undefined {
    return heldSeq === undefined ? undefined : this.#givenUp.get(heldSeq);
  }
}

function bounded<T>(map: Map<number, T>, key: number, value: T): void {
  map.set(key, value);
  if (map.size > INTERCEPT_LIMITS.held) map.delete(map.keys().next().value!);
}
