import type { PinEntry } from '@/features/check/lib/pins/pins-api';
import { jsonIn } from '@/lib/json/parse';
import { isNumber, isObject, isText, objectWith, optional, own } from '@/lib/json/value';
import { isPinOutcome, type PinOutcome, type PinVerdict } from '@/lib/wire/pins';

/** Pinned calls whose outcomes are kept. No pins file has more. */
const MOST_OUTCOMES = 10_000;

/** The outcomes of pinned calls, by the steps in a log. The same object until there is another step. */
export interface PinResults {
  /** The last outcome of each call, by key. */
  readonly outcomes: ReadonlyMap<string, PinOutcome>;
  /** Set from the start of a run to its end. */
  readonly running?: { readonly done: number; readonly of: number };
  /** A sentence, if the last run did not play all its calls. */
  readonly why?: string;
}

/** Reads the steps of played pins in the order of their frames. */
export class PinResultsReader {
  readonly #outcomes = new Map<string, PinOutcome>();
  #results: PinResults = { outcomes: this.#outcomes };

  get results(): PinResults {
    return this.#results;
  }

  /** Reads the text of a lifecycle frame, which anybody can have written into a recording. Never throws. */
  readEvent(text: string): void {
    if (!text.startsWith('{"event":"pins"')) return;
    const event = jsonIn(text);
    const phase = isObject(event) ? own(event, 'phase') : undefined;
    if (phase === 'started' && STARTED(event)) {
      this.#results = { outcomes: this.#outcomes, running: { done: 0, of: event.calls } };
    } else if (phase === 'ended' && ENDED(event)) {
      const { why } = event;
      this.#results = { outcomes: this.#outcomes, ...(why !== undefined && { why }) };
    } else if (phase === 'played' && isPinOutcome(event)) this.#addOutcome(event);
  }

  #addOutcome(outcome: PinOutcome): void {
    const { running } = this.#results;
    if (this.#outcomes.has(outcome.key) || this.#outcomes.size < MOST_OUTCOMES)
      this.#outcomes.set(outcome.key, outcome);
    this.#results = {
      outcomes: this.#outcomes,
      ...(running && { running: { ...running, done: running.done + 1 } }),
    };
  }
}

const STARTED = objectWith({ calls: isNumber });
const ENDED = objectWith({ why: optional(isText) });

/**
 * How a pinned call stands. `unplayed`: not played on this connection · `outdated`: its accepted answer has changed
 * since it was played.
 */
export type PinStatus = PinVerdict | 'unplayed' | 'outdated';

/** Returns how a call of the file stands, by its last outcome. */
export function pinStatus({ accepted }: Pick<PinEntry, 'accepted'>, outcome: PinOutcome | undefined): PinStatus {
  if (!outcome) return 'unplayed';
  if (accepted?.digest === outcome.accepted) return outcome.verdict;
  // The answer was accepted since.
  return accepted && accepted.digest === outcome.answer ? 'same' : 'outdated';
}

/** Statuses from the most to the least urgent. */
export const PIN_STATUSES = ['broken', 'changed', 'new', 'skipped', 'outdated', 'unplayed', 'same'] as const;

/** Returns true if a call has an answer that could be accepted. */
export function canAccept(status: PinStatus, answer: string | undefined): boolean {
  return answer !== undefined && (status === 'changed' || status === 'broken' || status === 'new');
}
