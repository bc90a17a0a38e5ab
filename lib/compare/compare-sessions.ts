import type { RecordedCall, RecordedSession } from '@/lib/session/recorded-session';
import { type CallComparison, compareCalls } from './call-diff';
import { catalogueOf, type ListName } from './catalogue';
import { type CatalogueChange, compareCatalogues } from './catalogue-diff';
import { type CallPair, comparedCalls, pairCalls } from './pair-calls';
import { listed, type Unlisted, unlisted } from './unlisted';
import type { Comparing } from './value-diff';

/** How two sessions with a server differ. */
export interface Comparison {
  readonly catalogue: readonly CatalogueChange[];
  /** Lists that were compared. */
  readonly listed: readonly ListName[];
  /** Lists that one of them or both have not, so that nothing can be said of them. */
  readonly unlisted: readonly Unlisted[];
  /** In the order of the first, then what only the second has. */
  readonly calls: readonly CallComparison[];
}

/** How many calls are done, of how many; 0 of 0 as long as nobody knows. */
export interface Progress {
  readonly done: number;
  readonly of: number;
}

/** Compares them, in steps that are short as far as single messages are. `pairs`: which calls belong together, if that is known. */
export function* compareSessions(
  before: RecordedSession,
  after: RecordedSession,
  how: Comparing,
  pairs?: readonly CallPair[],
): Generator<Progress, Comparison> {
  const was = yield* beginning(catalogueOf(before));
  const is = yield* beginning(catalogueOf(after));
  const catalogue = yield* beginning(compareCatalogues(was, is, how));
  const all = pairs ?? (yield* beginning(pairCalls(comparedCalls(before), comparedCalls(after))));
  const calls: CallComparison[] = [];
  for (const pair of all) {
    calls.push(compareCalls(pair, how));
    yield { done: calls.length, of: all.length };
  }
  return { catalogue, listed: listed(was, is), unlisted: unlisted(was, is), calls };
}

const NOT_KNOWN: Progress = { done: 0, of: 0 };

function* beginning<T>(work: Generator<void, T>): Generator<Progress, T> {
  let step = work.next();
  for (; !step.done; step = work.next()) yield NOT_KNOWN;
  return step.value;
}

/** True if something was compared, nothing differs, and nothing is on one side only. What was skipped is not known to differ. */
export function isEqual(comparison: Comparison): boolean {
  const { catalogue, calls } = comparison;
  const alike = catalogue.length === 0 && calls.every(({ verdict }) => verdict === 'same' || verdict === 'skipped');
  return alike && !comparedNothing(comparison);
}

/** True if there was no list and no call to compare, and nothing else has changed. */
export function comparedNothing({ catalogue, listed, calls }: Comparison): boolean {
  return catalogue.length + listed.length === 0 && calls.every(({ verdict }) => verdict === 'skipped');
}

/** A call in a word or two: `tools/call echo`. */
export function callName({ method, name }: Pick<RecordedCall, 'method' | 'name'>): string {
  return name === undefined ? method : `${method} ${name}`;
}
