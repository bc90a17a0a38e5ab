import { fitsPieces, hasPlaceholder, piecesOf } from '@/lib/compare/placeholders';
import { lastMembers } from '@/lib/session/canonical-json';
import type { RecordedCall } from '@/lib/session/recorded-session';
import { canonicalParams } from '@/lib/session/request-key';
import { JsonSource } from '@/lib/wire/json-source';

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
  if (value.kind === 'string') return fitsPieces(pieces, value.value as string);
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
