import { parseExact } from '@/lib/compare/exact-json';
import { AS_IT_IS } from '@/lib/compare/normalise';
import { anyValues, fitsPieces, hasPlaceholder, piecesOf } from '@/lib/compare/placeholders';
import { type Difference, valueDifferences } from '@/lib/compare/value-diff';
import { canonicalOf } from '@/lib/session/canonical-json';
import type { RecordedCall, RecordedNotice, RecordedSession } from '@/lib/session/recorded-session';
import { canonicalParams, requestKey } from '@/lib/session/request-key';
import { JsonSource } from '@/lib/wire/json-source';
import { LIMITS } from '@/lib/wire/limits';

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
  readonly #redacted: ReadonlyMap<string, readonly RedactedLine[]>;
  readonly #methods: ReadonlyMap<string, Line>;
  readonly #notices: ReadonlyMap<string, readonly RecordedNotice[]>;

  constructor({ sent }: RecordedSession) {
    const all = sent.filter((message) => message.kind === 'call');
    const calls = all.filter(({ method, answer }) => answer || !OPENINGS.has(method));
    this.#same = grouped(calls, ({ method, params }) => keyOf(method, params));
    this.#rounds = grouped(calls, ({ method, params }) => roundKey(method, params));
    this.#methods = grouped(calls, ({ method }) => method);
    const redacted = [...this.#same.values()].filter(([first]) => first?.params && hasPlaceholder(first.params));
    this.#redacted = grouped(redacted.map(redactedLine), ({ calls: [first] }) => first!.method);
    const notices = sent.filter((message) => message.kind === 'notice');
    this.#notices = grouped(notices, ({ method }) => method);
  }

  /** The methods that it has calls of. */
  get methods(): readonly string[] {
    return [...this.#methods.keys()];
  }

  /** The tools, prompts or the like that its calls of this method are about. */
  namesOf(method: string): readonly string[] {
    return [...new Set((this.#methods.get(method) ?? []).flatMap(({ name }) => name ?? []))];
  }

  /** The calls that answer this request; undefined if it was not recorded. */
  find(method: string, params: string | undefined): Found | undefined {
    const same = this.#same.get(keyOf(method, params));
    if (same) return { calls: same, how: 'same' };
    const redacted = this.#redactedLine(method, params);
    if (redacted) return { calls: redacted, how: 'redacted' };
    const round = roundKey(method, params);
    const rounds = round === undefined ? undefined : this.#rounds.get(round);
    return rounds && { calls: rounds, how: 'other-input' };
  }

  /** There may be thousands, which are told apart as texts before any is parsed. */
  #redactedLine(method: string, params: string | undefined): Line | undefined {
    const lines = this.#redacted.get(method);
    if (!lines) return undefined;
    const asked = canonicalParams(params);
    const alike = lines.filter(({ pieces }) => fitsPieces(pieces, asked)).slice(0, LIMITS.replayCandidates);
    return alike.find(({ calls: [first] }) => differences(first!.params, params).length === 0)?.calls;
  }

  /** The client's notifications of this method, in order. */
  notices(method: string): readonly RecordedNotice[] {
    return this.#notices.get(method) ?? [];
  }

  /** Of the calls of this method, and of this name if there are any, the one that differs least. */
  nearest(method: string, name: string | undefined, params: string | undefined): Nearest | undefined {
    const all = this.#methods.get(method) ?? [];
    const named = all.filter((call) => call.name === name);
    let best: Nearest | undefined;
    for (const call of (named.length > 0 ? named : all).slice(0, LIMITS.replayCandidates)) {
      const found = differences(call.params, params);
      if (!best || found.length < best.differences.length) best = { call, differences: found };
    }
    return best;
  }
}

/** A line, and what the canonical params of its requests have around what was taken out. */
interface RedactedLine {
  readonly calls: Line;
  readonly pieces: readonly string[];
}

function redactedLine(calls: Line): RedactedLine {
  return { calls, pieces: piecesOf(anyValues(canonicalParams(calls[0]!.params))) };
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
