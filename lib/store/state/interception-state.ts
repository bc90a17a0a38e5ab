import type { GivenUpHold, HeldMessage, Interception, ShownRule } from '@/lib/wire/intercept';
import { type LifecycleEvent, validLifecycleEvent } from '@/lib/wire/lifecycle';

/** Finished interceptions that are kept, so that a rule that takes every message can't fill the memory. */
const MOST_DONE = 500;
/** Messages that are listed as waiting at once. A recording may claim any number. */
const MOST_WAITING = 2000;

/** A message that waits, or did. */
export interface Held extends HeldMessage {
  /** seq of the event that began it. */
  readonly seq: number;
  /** Log time of that event, in µs. */
  readonly since: number;
  /** seq of the newest progress notification that mcp-inspect sent because of it. */
  readonly progressSeq?: number;
  /** The event that says that nobody waits for the message, or for its response. */
  readonly givenUp?: { readonly seq: number; readonly since: number; readonly reason?: string };
}

/** A message that was intercepted, and how that ended. */
export interface Done extends Interception {
  /** seq of the event. */
  readonly seq: number;
  /** The hold that it ended. */
  readonly held?: Held;
  /** The end that came before a decision. A tap may go on in another recording, where the message still waits. */
  readonly lost?: 'connection' | 'recording';
}

/** The facts of a log about interception. Replaced when they change. */
export interface InterceptionState {
  /** In force now. */
  readonly rules: readonly ShownRule[];
  /** Oldest first. */
  readonly waiting: readonly Held[];
  /** Newest first. */
  readonly done: readonly Done[];
  /** Number of all finished ones. */
  readonly count: number;
  /** Number of messages that each rule took, by name. */
  readonly taken: ReadonlyMap<string, number>;
}

/** Events that end all holds. */
const ENDS: ReadonlySet<LifecycleEvent['event']> = new Set(['closed', 'failed', 'recording-ends']);

/** Derives the state of interception from lifecycle frames, in O(1) each. */
export class InterceptionReader {
  #rules: readonly ShownRule[] = [];
  readonly #waiting = new Map<number, Held>();
  #done: Done[] = [];
  #count = 0;
  readonly #taken = new Map<string, number>();
  #state: InterceptionState | undefined;

  /** The same object until there is another event. */
  get state(): InterceptionState {
    this.#state ??= {
      rules: this.#rules,
      waiting: [...this.#waiting.values()],
      done: this.#done.slice(-MOST_DONE).reverse(),
      count: this.#count,
      taken: new Map(this.#taken),
    };
    return this.#state;
  }

  /** Reads the text of a lifecycle frame, which anybody can have written into a recording. Never throws. */
  readEvent(seq: number, time: number, text: string): void {
    const event = parsed(text);
    if (event === undefined) return;
    if (event.event === 'rules') this.#rules = event.rules;
    else if (event.event === 'held') this.#add({ ...event, seq, since: time });
    else if (event.event === 'given-up') this.#giveUp(seq, time, event);
    else if (event.event === 'intercepted') this.#end(seq, event);
    else if (ENDS.has(event.event)) this.#endAll(seq, event.event === 'recording-ends' ? 'recording' : 'connection');
    else return;
    this.#state = undefined;
  }

  #add(held: Held): void {
    const givenUp = this.#waiting.get(held.hold)?.givenUp;
    this.#waiting.set(held.hold, givenUp ? { ...held, givenUp } : held);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MOST_WAITING) this.#waiting.delete(oldest!);
  }

  #giveUp(seq: number, since: number, { hold, reason }: GivenUpHold): void {
    const held = this.#waiting.get(hold);
    if (!held) return;
    this.#waiting.set(hold, { ...held, givenUp: { seq, since, ...(reason !== undefined && { reason }) } });
  }

  #end(seq: number, event: Interception): void {
    const held = event.hold === undefined ? undefined : this.#waiting.get(event.hold);
    if (event.did === 'progress') {
      if (held) this.#waiting.set(held.hold, { ...held, progressSeq: seq });
      return;
    }
    if (held) this.#waiting.delete(held.hold);
    this.#finish({ ...event, seq, ...(held && { held }) });
  }

  #endAll(seq: number, lost: NonNullable<Done['lost']>): void {
    for (const held of this.#waiting.values()) {
      const { direction, kind, method, name, id, rule, hold } = held;
      const about = {
        direction,
        kind,
        rule,
        hold,
        ...(method !== undefined && { method }),
        ...(name !== undefined && { name }),
        ...(id !== undefined && { id }),
      };
      this.#finish({ ...about, did: 'drop', delivered: 0, withheld: true, seq, held, lost });
    }
    this.#waiting.clear();
    this.#rules = [];
  }

  #finish(done: Done): void {
    this.#done.push(done);
    if (this.#done.length >= 2 * MOST_DONE) this.#done = this.#done.slice(-MOST_DONE);
    this.#count++;
    // Names are bounded by the rules of an honest log, and here for any other.
    if (done.rule !== undefined && (this.#taken.has(done.rule) || this.#taken.size < MOST_DONE))
      this.#taken.set(done.rule, (this.#taken.get(done.rule) ?? 0) + 1);
  }
}

/** Beginnings of the events that matter here. Parsing the others would cost more than they are worth. */
const PREFIX = /^\{"event":"(?:rules|held|given-up|intercepted|closed|failed|recording-ends)"/;

function parsed(text: string): LifecycleEvent | undefined {
  if (!PREFIX.test(text)) return undefined;
  try {
    return validLifecycleEvent(JSON.parse(text));
  } catch {
    return undefined;
  }
}
