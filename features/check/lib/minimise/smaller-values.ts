import type { JsonSource } from '@/lib/json/source';

/** A JSON value that can lose its parts. Numbers and strings keep their spelling. */
export type ValueTree =
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: ValueTree])[] }
  | { readonly kind: 'array'; readonly items: readonly ValueTree[] }
  | { readonly kind: 'scalar'; readonly text: string };

export function treeOf(source: JsonSource): ValueTree {
  const { kind } = source;
  if (kind !== 'object' && kind !== 'array') return { kind: 'scalar', text: source.text };
  const { children } = source.children(Number.POSITIVE_INFINITY);
  if (kind === 'array') return { kind, items: children.map((child) => treeOf(child.source)) };
  return { kind, members: children.map(({ name, source: value }) => [name!, treeOf(value)] as const) };
}

/** Writes a value as JSON. */
export function treeText(tree: ValueTree): string {
  if (tree.kind === 'scalar') return tree.text;
  if (tree.kind === 'array') return `[${tree.items.map(treeText).join(',')}]`;
  return `{${tree.members.map(([key, value]) => `${JSON.stringify(key)}:${treeText(value)}`).join(',')}}`;
}

/**
 * Yields values with one part of this one left out, the smallest first at each level: everything, halves, then single
 * members, items and pieces of strings. The outer levels come first.
 */
function* smallerValues(tree: ValueTree): Generator<ValueTree> {
  let level: readonly Place[] = [{ tree, put: (value) => value }];
  while (level.length > 0) {
    for (const { tree: part, put } of level) for (const smaller of smallerParts(part)) yield put(smaller);
    level = level.flatMap(placesIn);
  }
}

/** A value in a tree, and the tree with another one in its place. */
interface Place {
  readonly tree: ValueTree;
  put(value: ValueTree): ValueTree;
}

function placesIn({ tree, put }: Place): readonly Place[] {
  if (tree.kind === 'array')
    return tree.items.map((item, at) => ({
      tree: item,
      put: (value) => put({ kind: 'array', items: tree.items.with(at, value) }),
    }));
  if (tree.kind === 'scalar') return [];
  return tree.members.map(([key, member], at) => ({
    tree: member,
    put: (value) => put({ kind: 'object', members: tree.members.with(at, [key, value]) }),
  }));
}

function* smallerParts(tree: ValueTree): Generator<ValueTree> {
  if (tree.kind === 'object') {
    for (const members of shorter(tree.members, tree.members.length)) yield { kind: 'object', members };
  } else if (tree.kind === 'array') {
    for (const items of shorter(tree.items, tree.items.length)) yield { kind: 'array', items };
  } else for (const text of smallerScalars(tree.text)) yield { kind: 'scalar', text };
}

/** Strings up to this length lose single characters, too. */
const SINGLE_CHARS = 12;

function* smallerScalars(text: string): Generator<string> {
  if (text.startsWith('"')) {
    const characters = [...(JSON.parse(text) as string)];
    const singles = characters.length <= SINGLE_CHARS ? characters.length : 0;
    for (const list of shorter(characters, singles)) yield JSON.stringify(list.join(''));
  } else if (/^-?\d/.test(text) && text.length > 1) yield* ['0', '1'];
}

/** Yields a list without everything, without either half, without each quarter, and without each of some items. */
function* shorter<T>(list: readonly T[], singles: number): Generator<readonly T[]> {
  const { length } = list;
  if (length === 0) return;
  yield [];
  for (let parts = 2; parts <= 4 && parts < length; parts *= 2) {
    const size = Math.ceil(length / parts);
    for (let at = 0; at < length; at += size) yield list.toSpliced(at, size);
  }
  if (length > 1) for (let at = 0; at < singles; at++) yield list.toSpliced(at, 1);
}

/** Values that are tried together: first the promising ones, which drop much, then as many as one server gets. */
const FIRST = 10;
const TOGETHER = 100;
/** Most characters of all values that are tried, so that very large arguments end. */
const MOST_CHARS = 64 * 1024 * 1024;

/**
 * Makes a failing value smaller as long as a smaller one fails. `firstFailing` tries values in turn, and returns the
 * first that fails.
 */
export async function smallestValue(
  tree: ValueTree,
  firstFailing: (values: readonly ValueTree[]) => Promise<ValueTree | undefined>,
): Promise<ValueTree> {
  const tried = new TriedValues();
  let found = tree;
  for (;;) {
    const values = tried.newOnes(smallerValues(found));
    let smaller: ValueTree | undefined;
    let some = take(values, FIRST);
    while (some.length > 0) {
      smaller = await firstFailing(some);
      some = smaller ? [] : take(values, TOGETHER);
    }
    if (!smaller) return found;
    found = smaller;
  }
}

function take<T>(values: Iterator<T>, most: number): readonly T[] {
  const taken: T[] = [];
  while (taken.length < most) {
    const { value, done } = values.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

class TriedValues {
  readonly #texts = new Set<string>();
  #chars = 0;

  /** Yields the values that were not tried before, until there were too many. */
  *newOnes(values: Iterable<ValueTree>): Generator<ValueTree> {
    for (const value of values) {
      const text = treeText(value);
      if (this.#texts.has(text)) continue;
      this.#chars += text.length;
      if (this.#chars > MOST_CHARS) return;
      this.#texts.add(text);
      yield value;
    }
  }
}
