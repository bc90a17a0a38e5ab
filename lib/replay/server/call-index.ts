import { canonicalSource, lastMembers } from '@/lib/json/canonical';
import { parseExact } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { NO_NORMALISER } from '../compare/normalise';
import { type Difference, valueDifferences } from '../compare/value-diff';
import { hasPlaceholder, matchesPieces, piecesOf } from '../traffic/placeholders';
import type { RecordedCall, RecordedNotification, RecordedTraffic } from '../traffic/recorded-traffic';
import { canonicalParams, requestKey, shortKey } from '../traffic/request-matching';

/** Most recorded calls compared with a request that was not recorded. */
const REPLAY_CANDIDATES = 200;

/** Calls that answer one request, in recorded order. */
interface Line {
  /** Returns the call at an index; undefined beyond the last. */
  at(index: number): RecordedCall | undefined;
}

/** Recorded calls that answer a request. There is at least one. */
interface FoundCalls {
  readonly calls: Line;
  /** `other-input`: a later round (2026-07-28) of the same question, recorded with another input. */
  readonly how: 'same' | 'redacted' | 'other-input';
}

/** The recorded call most like a request, and their differences. `before` is the recorded side. */
interface NearestCall {
  readonly call: RecordedCall;
  readonly differences: readonly Difference[];
}

/** Requests that open a connection. Unanswered ones are not indexed, since they were attempts on another transport. */
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Requests whose params only identify the client, so any recorded one matches. */
const ALIKE: ReadonlySet<string> = new Set([...OPENINGS, 'ping']);

const BESIDE_INPUT: ReadonlySet<string> = new Set(['_meta', 'inputResponses']);

/**
 * An index of recorded calls by method and params. See {@link requestKey}. It reads the params of calls when they are
 * asked for, and only as far as the next call that matches, because a recording can have a million.
 */
export class CallIndex {
  readonly #methods: ReadonlyMap<string, MethodCalls>;
  readonly #notices: ReadonlyMap<string, readonly RecordedNotification[]>;

  constructor({ sent }: RecordedTraffic) {
    const all = sent.filter((message) => message.kind === 'call');
    const calls = all.filter(({ method, answer }) => answer || !OPENINGS.has(method));
    this.#methods = new Map(
      [...grouped(calls, ({ method }) => method)].map(([method, of]) => [method, new MethodCalls(method, of)]),
    );
    const notices = sent.filter((message) => message.kind === 'notification');
    this.#notices = grouped(notices, ({ method }) => method);
  }

  /** Methods with recorded calls. */
  get methods(): readonly string[] {
    return [...this.#methods.keys()];
  }

  /** Names of the tools, prompts or other targets of a method’s calls. */
  namesOf(method: string): readonly string[] {
    return [...(this.#methods.get(method)?.named.keys() ?? [])].filter((name) => name !== undefined);
  }

  /** Finds the recorded calls that answer a request; undefined if there are none. */
  find(method: string, params: string | undefined): FoundCalls | undefined {
    return this.#methods.get(method)?.find(params);
  }

  /** The client’s notifications of a method, in order. */
  notices(method: string): readonly RecordedNotification[] {
    return this.#notices.get(method) ?? [];
  }

  /** Finds the call with the fewest differences, among the calls of this name or, if there are none, of the method. */
  nearest(method: string, name: string | undefined, params: string | undefined): NearestCall | undefined {
    const known = this.#methods.get(method);
    let best: NearestCall | undefined;
    for (const call of (known?.named.get(name) ?? known?.calls ?? []).slice(0, REPLAY_CANDIDATES)) {
      const found = differences(call.params, params);
      if (!best || found.length < best.differences.length) best = { call, differences: found };
    }
    return best;
  }
}

/** The recorded calls of one method. */
class MethodCalls {
  readonly calls: readonly RecordedCall[];
  readonly #method: string;
  /** How many calls have been read. */
  #read = 0;
  readonly #same = new Map<string, RecordedCall[]>();
  readonly #lines = new Map<string, Line>();
  readonly #rounds = new Map<string, RecordedCall[]>();
  readonly #redacted = new RedactedCalls();
  #named: ReadonlyMap<string | undefined, readonly RecordedCall[]> | undefined;

  constructor(method: string, calls: readonly RecordedCall[]) {
    this.#method = method;
    this.calls = calls;
  }

  /** The calls by name. */
  get named(): ReadonlyMap<string | undefined, readonly RecordedCall[]> {
    this.#named ??= grouped(this.calls, ({ name }) => name);
    return this.#named;
  }

  find(params: string | undefined): FoundCalls | undefined {
    if (ALIKE.has(this.#method)) return { calls: this.calls, how: 'same' };
    const same = this.#lineOf(shortKey(requestKey(this.#method, params)));
    if (same.at(0)) return { calls: same, how: 'same' };
    const redacted = this.#redacted.find(params);
    if (redacted) return { calls: redacted, how: 'redacted' };
    const round = roundKey(this.#method, params);
    const rounds = round === undefined ? undefined : this.#rounds.get(round);
    return rounds && { calls: rounds, how: 'other-input' };
  }

  /** Returns the same line for the same key. It reads further calls when its end is reached. */
  #lineOf(key: string): Line {
    return entry(this.#lines, key, () => ({
      at: (index) => {
        while ((this.#same.get(key)?.length ?? 0) <= index && this.#readNext());
        return this.#same.get(key)?.[index];
      },
    }));
  }

  /** Reads the params of the next call. Returns false after the last. */
  #readNext(): boolean {
    const call = this.calls[this.#read];
    if (!call) return false;
    this.#read++;
    const { params } = call;
    entry(this.#same, shortKey(requestKey(this.#method, params)), (): RecordedCall[] => []).push(call);
    const round = roundKey(this.#method, params);
    if (round !== undefined) entry(this.#rounds, round, (): RecordedCall[] => []).push(call);
    if (params !== undefined && hasPlaceholder(params)) this.#redacted.add(call);
    return true;
  }
}

/**
 * Returns a text that is the same for all rounds of one question, whatever their input; undefined for a request without
 * `inputResponses`.
 */
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

function grouped<Key, T>(items: readonly T[], keyOfItem: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) entry(groups, keyOfItem(item), (): T[] => []).push(item);
  return groups;
}

/** Redacted places in a value: `true` for a redacted string, otherwise the places in its members or items. */
type Holes = true | ReadonlyMap<string, Holes>;

/** Calls that are equal apart from redacted values, in recorded order. */
interface Group {
  /** For each redacted string, the text around its placeholders. */
  readonly strings: readonly (readonly string[])[];
  readonly calls: RecordedCall[];
}

/** Calls with the same redacted places. */
interface Shape {
  readonly holes: Holes;
  /** Groups by the params without their redacted places, then by the redacted strings. */
  readonly groups: Map<string, Map<string, Group>>;
}

/**
 * The redacted calls of a method, found by params with any values in the redacted places. A look-up costs the size of
 * the params for each set of places, however many calls there are.
 */
class RedactedCalls {
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

  /** Finds the calls that these params may repeat; undefined if there are none. */
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

/** A lone placeholder may have been any value of any type. */
function fits(pieces: readonly string[], value: JsonSource): boolean {
  if (value.kind === 'string') return matchesPieces(pieces, value.value as string);
  return pieces.length === 2 && pieces.every((piece) => piece === '');
}

/** Finds the redacted places in a value; undefined if there are none. */
function holesIn(source: JsonSource): Holes | undefined {
  if (source.kind === 'string') return hasPlaceholder(source.value as string) || undefined;
  const holes = [...partsOf(source)].flatMap(([name, part]) => {
    const within = holesIn(part);
    return within ? [[name, within] as const] : [];
  });
  return holes.length > 0 ? new Map(holes) : undefined;
}

/** Returns JSON that identifies the places. */
function placesOf(holes: Holes): unknown {
  return holes === true ? 0 : [...holes].map(([name, within]) => [name, placesOf(within)]);
}

/**
 * Returns a canonical value without its redacted places, and the values there in order. If the value lacks one of the
 * places, the rest matches no recorded call.
 */
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

/** Stands for a redacted place. It is not valid JSON, so no value is equal to it. */
const HOLE = '•';

/** Returns members by name, or items by index; empty for other values. */
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
