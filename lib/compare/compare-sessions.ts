import type { RecordedCall, RecordedSession } from '@/lib/session/recorded-session';
import { type CallComparison, compareCalls } from './call-diff';
import { type Catalogue, catalogueOf, type ListName } from './catalogue';
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

/** Compares them a step at a time: what it yields is how many calls are done, of how many. */
export function* compareSessions(
  before: RecordedSession,
  after: RecordedSession,
  how: Comparing,
  pairs: readonly CallPair[] = pairCalls(comparedCalls(before), comparedCalls(after)),
): Generator<{ readonly done: number; readonly of: number }, Comparison> {
  const [was, is]: [Catalogue, Catalogue] = [catalogueOf(before), catalogueOf(after)];
  yield { done: 0, of: pairs.length };
  const catalogue = compareCatalogues(was, is, how);
  const calls: CallComparison[] = [];
  for (const pair of pairs) {
    calls.push(compareCalls(pair, how));
    yield { done: calls.length, of: pairs.length };
  }
  return { catalogue, listed: listed(was, is), unlisted: unlisted(was, is), calls };
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
