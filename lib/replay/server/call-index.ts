import { canonicalSource, lastMembers } from '@/lib/json/canonical';
import { parseExact } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { NO_NORMALISER } from '../compare/normalise';
import { type Difference, valueDifferences } from '../compare/value-diff';
import { hasPlaceholder, matchesPieces, piecesOf } from '../traffic/placeholders';
import type { RecordedCall, RecordedNotification, RecordedTraffic } from '../traffic/recorded-traffic';
import { canonicalParams, requestKey } from '../traffic/request-matching';

/** Recorded calls that a request without a match is compared with, names told of, and characters of each. */
const REPLAY_CANDIDATES = 200;

/** Where in a value something was taken out: `true` for a string in which it was, else by name or index. */
type Holes = true | ReadonlyMap<string, Holes>;

/** Calls that ask the same but for what was taken out, in the order in which they were recorded. */
interface Group {
  /** Of each string that something was taken out of, what is around it. */
  readonly strings: readonly (readonly string[])[];
  readonly calls: RecordedCall[];
}

/** The calls that have their holes in the same places. */
interface Shape {
  readonly holes: Holes;
  /** By what is left of their params, then by their strings. */
  readonly groups: Map<string, Map<string, Group>>;
}

/**
 * The calls of a method that something was taken out of, to be found by params that have something in its place. Looking one up costs what its
 * params do for each set of places that calls have their holes in, however many calls there are.
 */
export class RedactedCalls {
  readonly #shapes = new Map<string, Shape>();

  add(call: RecordedCall): void {
    const source = JsonSource.parse(canonicalParams(call.params));
    const holes = source && holesIn(source);
    if (!source || !holes) return;
    const shape = entry(this.#shapes, JSON.stringify(placesOf(holes)), () => ({ holes, groups: new Map() }));
    const { rest, taken } = withoutHoles(source, holes);
    const strings = taken.map((one) => piecesOf(one.value as string));
    const alike = entry(shape.groups, rest, () => new Map<string, Group>());
    entry(alike, JSON.stringify(strings), (): Group => ({ strings, calls: [] })).calls.push(call);
  }

  /** The calls that these params may ask for once more; undefined if there are none. */
  find(params: string | undefined): readonly RecordedCall[] | undefined {
    const source = JsonSource.parse(canonicalParams(params));
    if (!source) return undefined;
    for (const { holes, groups } of this.#shapes.values()) {
      const { rest, taken } = withoutHoles(source, holes);
      for (const { strings, calls } of groups.get(rest)?.values() ?? []) {
        if (strings.every((pieces, at) => fits(pieces, taken[at]!))) return calls;
      }
    }
    return undefined;
  }
}

/** What is nothing but a placeholder may have been any value, of any type. */
function fits(pieces: readonly string[], value: JsonSource): boolean {
  if (value.kind === 'string') return matchesPieces(pieces, value.value as string);
  return pieces.length === 2 && pieces.every((piece) => piece === '');
}

/** undefined: none. */
function holesIn(source: JsonSource): Holes | undefined {
  if (source.kind === 'string') return hasPlaceholder(source.value as string) || undefined;
  const holes = [...partsOf(source)].flatMap(([name, part]) => {
    const within = holesIn(part);
    return within ? [[name, within] as const] : [];
  });
  return holes.length > 0 ? new Map(holes) : undefined;
}

/** JSON that is the same for the same places. */
function placesOf(holes: Holes): unknown {
  return holes === true ? 0 : [...holes].map(([name, within]) => [name, placesOf(within)]);
}

/** A canonical value without what stands in these places, and that, in order. What has not all of them has another rest than who has. */
function withoutHoles(
  source: JsonSource,
  holes: Holes,
): { readonly rest: string; readonly taken: readonly JsonSource[] } {
  const taken: JsonSource[] = [];
  const written = (value: JsonSource, within: Holes | undefined): string => {
    if (within === true) {
      taken.push(value);
      return HOLE;
    }
    const parts = within && [...partsOf(value)];
    if (!parts || parts.length === 0) return value.text;
    const named = value.kind === 'object';
    const texts = parts.map(
      ([name, part]) => `${named ? `${JSON.stringify(name)}:` : ''}${written(part, within.get(name))}`,
    );
    return named ? `{${texts.join()}}` : `[${texts.join()}]`;
  };
  return { rest: written(source, holes), taken };
}

/** No JSON. */
const HOLE = '•';

/** Members by name, items by their index; none of what has neither. */
function partsOf(source: JsonSource): ReadonlyMap<string, JsonSource> {
  if (source.kind === 'object') return lastMembers(source);
  if (source.kind !== 'array') return new Map();
  return new Map(source.children(Number.POSITIVE_INFINITY).children.map((item, at) => [String(at), item.source]));
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Calls that ask the same, in the order in which they were recorded. */
type Line = readonly RecordedCall[];

/** How a recorded call fits a request. */
export interface FoundCalls {
  readonly calls: Line;
  /** `other-input`: a later round (2026-07-28) whose input was another; it is the same question answered. */
  readonly how: 'same' | 'redacted' | 'other-input';
}

/** The recorded call that a request is most like, and where the request differs: `before` is what was recorded. */
export interface NearestCall {
  readonly call: RecordedCall;
  readonly differences: readonly Difference[];
}

/** One that nobody answered was a try on another transport. */
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Who asks is all that these say, so any of them is the one that was recorded. */
const ALIKE: ReadonlySet<string> = new Set([...OPENINGS, 'ping']);

const BESIDE_INPUT: ReadonlySet<string> = new Set(['_meta', 'inputResponses']);

/** A recording's calls, to be found by what a client asks. */
export class CallIndex {
  readonly #same: ReadonlyMap<string, Line>;
  readonly #rounds: ReadonlyMap<string, Line>;
  /** By method, those in whose params something was taken out. */
  readonly #redacted: ReadonlyMap<string, RedactedCalls>;
  readonly #methods: ReadonlyMap<string, Line>;
  /** By method and name. */
  readonly #named: ReadonlyMap<string, Line>;
  readonly #names: ReadonlyMap<string, readonly string[]>;
  readonly #notices: ReadonlyMap<string, readonly RecordedNotification[]>;

  constructor({ sent }: RecordedTraffic) {
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
  find(method: string, params: string | undefined): FoundCalls | undefined {
    const same = this.#same.get(keyOf(method, params));
    if (same) return { calls: same, how: 'same' };
    const redacted = this.#redacted.get(method)?.find(params);
    if (redacted) return { calls: redacted, how: 'redacted' };
    const round = roundKey(method, params);
    const rounds = round === undefined ? undefined : this.#rounds.get(round);
    return rounds && { calls: rounds, how: 'other-input' };
  }

  /** The client's notifications of this method, in order. */
  notices(method: string): readonly RecordedNotification[] {
    return this.#notices.get(method) ?? [];
  }

  /** Of the calls of this method, and of this name if there are any, the one that differs least. */
  nearest(method: string, name: string | undefined, params: string | undefined): NearestCall | undefined {
    const known = this.#named.get(nameKey(method, name)) ?? this.#methods.get(method) ?? [];
    let best: NearestCall | undefined;
    for (const call of known.slice(0, REPLAY_CANDIDATES)) {
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
  return JSON.stringify([method, canonicalSource(source, BESIDE_INPUT), names.sort()]);
}

function differences(recorded: string | undefined, asked: string | undefined): readonly Difference[] {
  return valueDifferences(parsed(recorded), parsed(asked), EXACTLY);
}

const EXACTLY = { mode: 'strict', normaliser: NO_NORMALISER } as const;

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
