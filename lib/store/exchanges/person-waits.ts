import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { RecentMap } from '../columns/collections';
import type { Derivation } from '../derivation';

/** Requests of a server that a person answers. */
const ASKED_OF_PERSON: ReadonlySet<string | undefined> = new Set(['sampling/createMessage', 'elicitation/create']);

/**
 * How long client requests waited for people: for the answer to a question of the server, or a sign-in.
 */
export class PersonWaits {
  /** By seq of the client request: microseconds in total, and when the last wait ended. */
  readonly #waits = new RecentMap<number, { readonly us: number; readonly until: number }>();

  /**
   * Adds a server's request that was answered or withdrawn, and the client requests that may have waited for it. Their
   * ends have to come in order. Waits that overlap count once.
   */
  addAnswer(requests: readonly number[], method: string | undefined, from: number, to: number): void {
    if (ASKED_OF_PERSON.has(method)) this.addWait(requests, from, to);
  }

  /** Adds a time in which client requests waited for a person. Times have to come in the order of their ends. */
  addWait(requests: readonly number[], from: number, to: number): void {
    for (const request of requests) {
      const { us, until } = this.#waits.get(request) ?? { us: 0, until: 0 };
      this.#waits.set(request, { us: us + Math.max(0, to - Math.max(from, until)), until: Math.max(to, until) });
    }
  }

  /** Returns the microseconds that a client request waited for people, and forgets it. */
  take(request: number): number {
    const us = this.#waits.get(request)?.us ?? 0;
    this.#waits.delete(request);
    return us;
  }
}

/** Finds the times in which a sign-in waits for a person. */
export class SignInWaits implements Derivation {
  readonly #onSignedIn: (from: number, to: number) => void;
  /** The event since which one waits. */
  #since: number | undefined;

  /** `onSignedIn` is called when a person has ended a sign-in, with the seqs of its start and end. */
  constructor(onSignedIn: (from: number, to: number) => void) {
    this.#onSignedIn = onSignedIn;
  }

  addEvent(seq: number, event: LifecycleEvent | undefined): void {
    if (event?.event === 'authorization' && event.phase === 'needed') this.#since = seq;
    else if (event?.event === 'auth-callback' || event?.event === 'authorization') {
      if (this.#since !== undefined) this.#onSignedIn(this.#since, seq);
      this.#since = undefined;
    }
  }
}
