import { countOf, formatCount } from '@/lib/wire/format';
import { tokensOfTools } from '@/lib/wire/token-estimate';
import type { RecordedCall, RecordedTraffic } from '../traffic/recorded-traffic';
import { type CallComparison, type CallPair, compareCalls, comparedCalls, pairCalls } from './call-diff';
import {
  catalogueOf,
  comparedLists,
  type ListName,
  type MissingList,
  missingLists,
  type RecordedOffers,
} from './catalogue';
import { type CatalogueChange, compareCatalogues } from './catalogue-diff';
import type { CompareOptions } from './value-diff';

/** How two recordings of a server differ. */
export interface Comparison {
  readonly catalogue: readonly CatalogueChange[];
  /** Lists that were compared. */
  readonly listed: readonly ListName[];
  /** Lists that can’t be compared, because one or both sides lack them. */
  readonly unlisted: readonly MissingList[];
  /** Estimated tokens of the tools of each side; undefined without their list. */
  readonly tokens: readonly [before: number | undefined, after: number | undefined];
  /** Calls in the order of the first recording, then those only in the second. */
  readonly calls: readonly CallComparison[];
}

/** Progress of a comparison. `of` is 0 while unknown. */
interface ComparisonProgress {
  readonly what: 'Comparing lists' | 'Matching calls' | 'Comparing calls';
  readonly done: number;
  readonly of: number;
}

/** Describes progress in units; undefined while unknown. */
export function comparedText({ done, of }: Pick<ComparisonProgress, 'done' | 'of'>): string | undefined {
  return of === 0 ? undefined : `${formatCount(done)} of ${countOf(of, 'call')}`;
}

/**
 * Compares two recordings. Yields after each list item and each call. `pairs`: the calls that belong together, if
 * known.
 */
export function* compareTraffic(
  before: RecordedTraffic,
  after: RecordedTraffic,
  how: CompareOptions,
  pairs?: readonly CallPair[],
): Generator<ComparisonProgress, Comparison> {
  const was = yield* reported(catalogueOf(before), LISTS);
  const is = yield* reported(catalogueOf(after), LISTS);
  const catalogue = yield* reported(compareCatalogues(was, is, { mode: how.mode, normaliser: how.normaliser }), LISTS);
  const all = pairs ?? (yield* matched(comparedCalls(before), comparedCalls(after)));
  const calls: CallComparison[] = [];
  for (const pair of all) {
    calls.push(compareCalls(pair, how));
    yield { what: 'Comparing calls', done: calls.length, of: all.length };
  }
  const tokens = [tokensIn(was), tokensIn(is)] as const;
  return { catalogue, listed: comparedLists(was, is), unlisted: missingLists(was, is), tokens, calls };
}

function tokensIn({ lists }: RecordedOffers): number | undefined {
  const tools = lists.get('tools');
  return tools && tokensOfTools(tools.items.map(({ item }) => item));
}

const LISTS: ComparisonProgress = { what: 'Comparing lists', done: 0, of: 0 };

function* reported<T>(work: Generator<void, T>, progress: ComparisonProgress): Generator<ComparisonProgress, T> {
  let step = work.next();
  for (; !step.done; step = work.next()) yield progress;
  return step.value;
}

/** Most calls are matched when they are looked at for the first time. */
function* matched(
  before: readonly RecordedCall[],
  after: readonly RecordedCall[],
): Generator<ComparisonProgress, readonly CallPair[]> {
  const of = before.length + after.length;
  const work = pairCalls(before, after);
  let step = work.next();
  for (let done = 1; !step.done; step = work.next()) yield { what: 'Matching calls', done: Math.min(done++, of), of };
  return step.value;
}

/** True if something was compared and nothing differs or is on one side only. Skipped calls count as equal. */
export function isEqual(comparison: Comparison): boolean {
  const { catalogue, calls } = comparison;
  const alike = catalogue.length === 0 && calls.every(({ verdict }) => verdict === 'same' || verdict === 'skipped');
  return alike && !comparedNothing(comparison);
}

/** True if there was no list and no call to compare, and nothing else changed. */
export function comparedNothing({ catalogue, listed, calls }: Comparison): boolean {
  return catalogue.length + listed.length === 0 && calls.every(({ verdict }) => verdict === 'skipped');
}

/** Names a call: `tools/call echo`. */
export function callName({ method, name }: Pick<RecordedCall, 'method' | 'name'>): string {
  return name === undefined ? method : `${method} ${name}`;
}

/** Counts of what a comparison found. */
interface ComparisonSummary {
  readonly changes: number;
  readonly breaking: number;
  readonly different: number;
  /** Calls that only one side has. */
  readonly alone: number;
  readonly same: number;
  readonly skipped: number;
  /** Lists that were compared, and those that were not. */
  readonly listed: number;
  readonly unlisted: number;
}

export function summarise({ catalogue, listed, unlisted, calls }: Comparison): ComparisonSummary {
  const count = (...verdicts: readonly CallComparison['verdict'][]): number =>
    calls.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    changes: catalogue.length,
    breaking: catalogue.filter(({ breaking }) => breaking !== undefined).length,
    different: count('different'),
    alone: count('only-before', 'only-after'),
    same: count('same'),
    skipped: count('skipped'),
    listed: listed.length,
    unlisted: unlisted.length,
  };
}

/** Sums up a comparison in one sentence: `Different: 2 of 3 calls got a different response, 1 call skipped.` */
export function summaryText(summary: ComparisonSummary): string {
  const { changes, breaking, different, alone, same, skipped, listed } = summary;
  const equal = changes + different + alone === 0;
  if (equal && listed + same === 0) {
    const calls = skipped === 0 ? 'no calls' : `${countOf(skipped, 'call')} skipped`;
    return `Nothing could be compared: no list in common, ${calls}.`;
  }
  const ofThem = breaking > 0 ? ` (${formatCount(breaking)} breaking)` : '';
  const parts = [
    equal && offersText(summary),
    changes > 0 && `${countOf(changes, 'change')} in what the server offers${ofThem}`,
    different > 0 && `${formatCount(different)} of ${countOf(different + same, 'call')} got a different response`,
    alone > 0 && `${countOf(alone, 'call')} on one side only`,
    different === 0 && same > 0 && `${countOf(same, 'call')} got the same response`,
    different + alone + same + skipped === 0 && 'no calls to compare',
    skipped > 0 && `${countOf(skipped, 'call')} skipped`,
  ];
  return `${equal ? 'No difference' : 'Different'}: ${parts.filter(Boolean).join(', ')}.`;
}

function offersText({ listed, unlisted }: ComparisonSummary): string {
  if (unlisted === 0) return 'the server offers the same';
  return `what the server offers was ${listed === 0 ? 'not compared' : 'only partly compared'}`;
}

/** Says what the tools take of a model’s context; undefined if neither side has their list. */
export function toolTokensText({ tokens: [before, after] }: Pick<Comparison, 'tokens'>): string | undefined {
  if (before === undefined && after === undefined) return undefined;
  const shown = (tokens: number | undefined): string =>
    tokens === undefined ? 'unknown' : `~${countOf(tokens, 'token')}`;
  return `Tools: ${shown(before)} before, ${shown(after)} after${growthText(before, after)}.`;
}

function growthText(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined || before === 0 || before === after) return '';
  const percent = ((after - before) / before) * 100;
  const rounded = Math.abs(percent) < 10 ? percent.toFixed(1) : String(Math.round(percent));
  return ` (${percent > 0 ? '+' : ''}${rounded}%)`;
}
