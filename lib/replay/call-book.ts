import { parseExact } from '@/lib/compare/exact-json';
import { AS_IT_IS } from '@/lib/compare/normalise';
import { hasPlaceholder } from '@/lib/compare/placeholders';
import { type Difference, valueDifferences } from '@/lib/compare/value-diff';
import { canonicalOf } from '@/lib/session/canonical-json';
import type { RecordedCall, RecordedNotice, RecordedSession } from '@/lib/session/recorded-session';
import { canonicalParams, requestKey } from '@/lib/session/request-key';
import { JsonSource } from '@/lib/wire/json-source';
import { LIMITS } from '@/lib/wire/limits';
import { RedactedCalls } from './redacted-calls';

/** Calls that ask the same, in the order in which they were recorded. */
type Line = readonly RecordedCall[];

/** How a recorded call fits a request. */
export interface Found {
  readonly calls: Line;
  /** `other-input`: a later round (2026-07-28) whose input was another; it is the same question answered. */
  readonly how: 'same' | 'redacted' | 'other-input';
}

/** The recorded call that a request is most like, and where the request differs: `before` is what was recorded. */
export interface Nearest {
  readonly call: RecordedCall;
  readonly differences: readonly Difference[];
}

/** One that nobody answered was a try on another transport. */
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Who asks is all that these say, so any of them is the one that was recorded. */
const ALIKE: ReadonlySet<string> = new Set([...OPENINGS, 'ping']);

const BESIDE_INPUT: ReadonlySet<string> = new Set(['_meta', 'inputResponses']);

/** A recording's calls, to be found by what a client asks. */
export class CallBook {
  readonly #same: ReadonlyMap<string, Line>;
  readonly #rounds: ReadonlyMap<string, Line>;
  /** By method, those in whose params something was taken out. */
  readonly #redacted: ReadonlyMap<string, RedactedCalls>;
  readonly #methods: ReadonlyMap<string, Line>;
  /** By method and name. */
  readonly #named: ReadonlyMap<string, Line>;
  readonly #names: ReadonlyMap<string, readonly string[]>;
  readonly #notices: ReadonlyMap<string, readonly RecordedNotice[]>;

  constructor({ sent }: RecordedSession) {
    const all = sent.filter((message) => message.kind === 'call');
    const calls = all.filter(({ method, answer }) => answer || !OPENINGS.has(method));
    this.#same = grouped(calls, ({ method, params }) => keyOf(method, params));
    this.#rounds = grouped(calls, ({ method, params }) => roundKey(method, params));
    this.#methods = grouped(calls, ({ method }) => method);
    this.#named = grouped(calls, ({ method, name }) => nameKey(method, name));
    this.#names = namesOf([...this.#named.values()].map(([first]) => first!));
    this.#redacted = redactedCalls(calls);
    const notices = sent.filter((message) => message.kind === 'notice');
    this.#notices = grouped(notices, ({ method }) => method);
  }

  /** The methods that it has calls of. */
  get methods(): readonly string[] {
    return [...this.#methods.keys()];
  }

  /** The tools, prompts or the like that its calls of this method are about. */
  namesOf(method: string): readonly string[] {
    return this.#names.get(method) ?? [];
  }

  /** The calls that answer this request; undefined if it was not recorded. */
  find(method: string, params: string | undefined): Found | undefined {
    const same = this.#same.get(keyOf(method, params));
    if (same) return { calls: same, how: 'same' };
    const redacted = this.#redacted.get(method)?.find(params);
    if (redacted) return { calls: redacted, how: 'redacted' };
    const round = roundKey(method, params);
    const rounds = round === undefined ? undefined : this.#rounds.get(round);
    return rounds && { calls: rounds, how: 'other-input' };
  }

  /** The client's notifications of this method, in order. */
  notices(method: string): readonly RecordedNotice[] {
    return this.#notices.get(method) ?? [];
  }

  /** Of the calls of this method, and of this name if there are any, the one that differs least. */
  nearest(method: string, name: string | undefined, params: string | undefined): Nearest | undefined {
    const known = this.#named.get(nameKey(method, name)) ?? this.#methods.get(method) ?? [];
    let best: Nearest | undefined;
    for (const call of known.slice(0, LIMITS.replayCandidates)) {
      const found = differences(call.params, params);
      if (!best || found.length < best.differences.length) best = { call, differences: found };
    }
    return best;
  }
}

function redactedCalls(calls: Line): ReadonlyMap<string, RedactedCalls> {
  const found = new Map<string, RedactedCalls>();
  for (const call of calls) {
    if (call.params === undefined || ALIKE.has(call.method) || !hasPlaceholder(call.params)) continue;
    const known = found.get(call.method) ?? new RedactedCalls();
    found.set(call.method, known);
    known.add(call);
  }
  return found;
}

/** By method. */
function namesOf(calls: Line): ReadonlyMap<string, readonly string[]> {
  const named = calls.filter(({ name }) => name !== undefined);
  return new Map(
    [...grouped(named, ({ method }) => method)].map(([method, of]) => [method, of.map(({ name }) => name!)]),
  );
}

function nameKey(method: string, name: string | undefined): string {
  return JSON.stringify([method, name]);
}

function keyOf(method: string, params: string | undefined): string {
  return ALIKE.has(method) ? method : requestKey(method, params);
}

/** What the rounds of one question have in common whatever was answered to it; undefined for a request that answers none. */
function roundKey(method: string, params: string | undefined): string | undefined {
  const source = params?.includes('inputResponses') ? JsonSource.parse(params) : undefined;
  const given = source?.member('inputResponses');
  if (!source || given?.kind !== 'object') return undefined;
  const names = given.children(Number.POSITIVE_INFINITY).children.map(({ name }) => name);
  return JSON.stringify([method, canonicalOf(source, BESIDE_INPUT), names.sort()]);
}

function differences(recorded: string | undefined, asked: string | undefined): readonly Difference[] {
  return valueDifferences(parsed(recorded), parsed(asked), EXACTLY);
}

const EXACTLY = { mode: 'strict', normalising: AS_IT_IS } as const;

function parsed(params: string | undefined): unknown {
  try {
    return parseExact(canonicalParams(params));
  } catch {
    return params;
  }
}

function grouped<T>(items: readonly T[], keyOfItem: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const group = key === undefined ? undefined : groups.get(key);
    if (group) group.push(item);
    else if (key !== undefined) groups.set(key, [item]);
  }
  return groups;
}
