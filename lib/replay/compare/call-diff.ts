import { parseExact } from '@/lib/json/exact';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import { META_KEY } from '@/lib/wire/protocol-names';
import type { RecordedAnswer, RecordedCall, RecordedTraffic } from '../traffic/recorded-traffic';
import { requestKey, shortKey } from '../traffic/request-matching';
import { DEFAULT_NORMALISER } from './normalise';
import { type CompareOptions, type Difference, type DiffPath, shortJson, valueDifferences } from './value-diff';

/** Two calls that belong together, or one call that the other side lacks. */
export interface CallPair {
  readonly before: RecordedCall | undefined;
  readonly after: RecordedCall | undefined;
  /** Why the call was not sent again. */
  readonly skipped?: string;
}

/** Requests that are not compared as calls: handshakes, subscriptions, and lists, which the catalogue compares. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'subscriptions/listen',
  ...LISTINGS.map(([method]) => method),
]);

/**
 * Returns the calls whose answers are compared, including refused lists, since the catalogue has no items for these.
 */
export function comparedCalls({ sent }: RecordedTraffic): readonly RecordedCall[] {
  return sent.filter(
    (message) => message.kind === 'call' && (!NOT_COMPARED.has(message.method) || isRefusedList(message)),
  ) as readonly RecordedCall[];
}

function isRefusedList({ method, answer }: RecordedCall): boolean {
  return answer?.kind === 'error' && LISTINGS.some(([known]) => known === method);
}

/**
 * Pairs calls with equal method and params, in order. Pairs the rest after normalising values that differ from run to
 * run. Returns the pairs in the order of `before`, then the calls that are only in `after`. Yields after each call.
 */
export function* pairCalls(
  before: readonly RecordedCall[],
  after: readonly RecordedCall[],
): Generator<void, readonly CallPair[]> {
  // Numbers instead of objects, since a recording can have half a million calls.
  const partners = new Int32Array(before.length).fill(NOBODY);
  const taken = new Uint8Array(after.length);
  const next = new Int32Array(after.length);
  // A common beginning needs no keys in memory: its pairs are the same.
  for (let at = 0; at < Math.min(before.length, after.length) && areAlike(before[at]!, after[at]!); at++) {
    partners[at] = at;
    yield;
    taken[at] = 1;
    yield;
  }
  for (const keyOf of KEYS) {
    /** The first waiting call of each key. `next` has the one after each. */
    const waiting = new Map<string, number>();
    for (let at = after.length - 1; at >= 0; at--) {
      if (taken[at] === 1) continue;
      const key = keyOf(after[at]!);
      next[at] = waiting.get(key) ?? NOBODY;
      waiting.set(key, at);
      yield;
    }
    for (const [at, call] of before.entries()) {
      if (partners[at] !== NOBODY) continue;
      const key = keyOf(call);
      const partner = waiting.get(key) ?? NOBODY;
      yield;
      if (partner === NOBODY) continue;
      waiting.set(key, next[partner]!);
      partners[at] = partner;
      taken[partner] = 1;
    }
  }
  return [
    ...before.map((call, at) => ({ before: call, after: after[partners[at]!] })),
    ...after.filter((_, at) => taken[at] === 0).map((call) => ({ before: undefined, after: call })),
  ];
}

/** Stands for no call. */
const NOBODY = -1;

const KEYS: readonly ((call: RecordedCall) => string)[] = [
  ({ method, params }) => shortKey(requestKey(method, params)),
  ({ method, params }) => shortKey(DEFAULT_NORMALISER.text(requestKey(method, params), undefined)),
];

function areAlike(one: RecordedCall, other: RecordedCall): boolean {
  if (one.method !== other.method) return false;
  const [params, others] = [one.params, other.params];
  return params === others || requestKey(one.method, params) === requestKey(other.method, others);
}

/** The comparison of two answers to a call. */
export interface CallComparison extends CallPair {
  readonly verdict: 'same' | 'different' | 'only-before' | 'only-after' | 'skipped';
  /** How the calls ended, if differently: `a result`, `error -32602` … */
  readonly ends: readonly [before: string, after: string] | undefined;
  readonly differences: readonly Difference[];
}

/** Compares the answers to two calls, and what the server asked during them. */
export function compareCalls(pair: CallPair, how: CompareOptions): CallComparison {
  const { before, after, skipped } = pair;
  if (skipped !== undefined) return { ...pair, verdict: 'skipped', ends: undefined, differences: NONE };
  if (!before || !after) {
    return { before, after, verdict: before ? 'only-before' : 'only-after', ends: undefined, differences: NONE };
  }
  const { ends, differences: inAnswers } = compareAnswers(before, after, how);
  const found = [...inAnswers, ...serverRequestDifferences(before, after, how)];
  const differences = found.length > 0 ? found : NONE;
  // Not `...pair`: an object that is spread takes three times the memory, and half a million of these are kept.
  return { before, after, verdict: ends || found.length > 0 ? 'different' : 'same', ends, differences };
}

const NONE: readonly Difference[] = [];

function compareAnswers(
  before: RecordedCall,
  after: RecordedCall,
  how: CompareOptions,
): Pick<CallComparison, 'ends' | 'differences'> {
  const comparable = before.answer?.kind === after.answer?.kind;
  // Most answers are equal, and parsing them takes most of the time.
  if (comparable && before.answer && before.answer.text === after.answer?.text) return ALIKE;
  const [was, is] = [before, after].map(({ answer }) => (answer ? readAnswer(answer) : undefined));
  const [endBefore, endAfter] = [endOf(before, was), endOf(after, is)];
  const ends = endBefore === endAfter ? undefined : ([endBefore, endAfter] as const);
  // An error and a result share no member, so there is nothing to compare.
  return { ends, differences: comparable ? valueDifferences(was, is, withoutRelease(how)) : NONE };
}

/** Leaves out the server’s own version, which modern servers send in each answer. A release changes it. */
function withoutRelease(how: CompareOptions): CompareOptions {
  return how.mode === 'strict' ? how : { ...how, ignores: (path) => isRelease(path) || how.ignores?.(path) === true };
}

const RELEASE = ['_meta', META_KEY.serverInfo, 'version'];

function isRelease(path: DiffPath): boolean {
  return path.length === RELEASE.length && path.every((part, at) => part === RELEASE[at]);
}

const ALIKE = { ends: undefined, differences: NONE };

/** Parses an answer. Invalid or huge JSON is compared as text. */
function readAnswer({ text }: RecordedAnswer): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

/** The words that the message log has for these outcomes. */
const UNANSWERED = {
  cancelled: 'cancelled',
  timeout: 'timed out',
  lost: 'no response',
  open: 'no response',
};

/** Describes how a call ended. Another error code is a change of structure. */
function endOf({ answer, unanswered }: RecordedCall, value: unknown): string {
  if (!answer) return UNANSWERED[unanswered?.why ?? 'open'];
  const body: JsonObject = isObject(value) ? value : {};
  if (answer.kind === 'error') return `error ${shortJson(own(body, 'code'))}`;
  const type = own(body, 'resultType');
  if (type !== undefined && type !== 'complete') return `a result of type ${shortJson(type)}`;
  return own(body, 'isError') === true ? 'a result with isError' : 'a result';
}

/** Compares what the server asked the client during the call, by method. */
function serverRequestDifferences(
  before: RecordedCall,
  after: RecordedCall,
  how: CompareOptions,
): readonly Difference[] {
  return valueDifferences(serverRequestsOf(before), serverRequestsOf(after), how, ['asked']);
}

/** Requests that servers send at any time, independent of calls. */
const FOR_NO_CALL: ReadonlySet<string> = new Set(['ping', 'roots/list']);

function serverRequestsOf({ during }: RecordedCall): JsonObject {
  const asked: Record<string, unknown[]> = Object.create(null);
  for (const event of during) {
    if (event.kind !== 'request' || FOR_NO_CALL.has(event.method)) continue;
    asked[event.method] ??= [];
    asked[event.method]!.push(event.params === undefined ? {} : parseExact(event.params));
  }
  return asked;
}
