import type { JsonSource } from '@/lib/json/source';

/** A JSON value of which parts can be left out. Numbers and strings keep their spelling. */
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
 * Lists values with one part of this one left out, the smallest first at each level: everything, halves, then single
 * members, items and pieces of strings. The outer levels come first.
 */
export function smallerValues(tree: ValueTree): readonly ValueTree[] {
  const found: ValueTree[] = [];
  let level: readonly Place[] = [{ tree, put: (value) => value }];
  while (level.length > 0) {
    for (const { tree: part, put } of level) found.push(...smallerParts(part).map(put));
    level = level.flatMap(placesIn);
  }
  return found;
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

function smallerParts(tree: ValueTree): readonly ValueTree[] {
  if (tree.kind === 'object')
    return shorter(tree.members, (length) => length).map((members) => ({ kind: 'object', members }));
  if (tree.kind === 'array') return shorter(tree.items, (length) => length).map((items) => ({ kind: 'array', items }));
  return smallerScalars(tree.text).map((text) => ({ kind: 'scalar', text }));
}

/** Strings up to this length lose single characters, too. */
const SINGLE_CHARS = 12;

function smallerScalars(text: string): readonly string[] {
  if (text.startsWith('"')) {
    const characters = [...(JSON.parse(text) as string)];
    const lists = shorter(characters, (length) => (length <= SINGLE_CHARS ? length : 0));
    return lists.map((list) => JSON.stringify(list.join('')));
  }
  return /^-?\d/.test(text) && text.length > 1 ? ['0', '1'] : [];
}

/** Lists a list without everything, without either half, without each quarter, and without single items. */
function shorter<T>(list: readonly T[], singles: (length: number) => number): readonly (readonly T[])[] {
  const { length } = list;
  if (length === 0) return [];
  const lists: (readonly T[])[] = [[]];
  for (let parts = 2; parts <= 4 && parts < length; parts *= 2) {
    const size = Math.ceil(length / parts);
    for (let at = 0; at < length; at += size) lists.push(list.toSpliced(at, size));
  }
  if (length > 1) for (let at = 0; at < singles(length); at++) lists.push(list.toSpliced(at, 1));
  return lists;
}

/**
 * Makes a failing value smaller as long as a smaller one fails. `firstFailing` tries values in turn, and returns the
 * first that fails.
 */
export async function smallestValue(
  tree: ValueTree,
  firstFailing: (values: readonly ValueTree[]) => Promise<ValueTree | undefined>,
): Promise<ValueTree> {
  const tried = new Set<string>();
  let found = tree;
  for (;;) {
    const next = smallerValues(found).filter((value) => {
      const text = treeText(value);
      const isNew = !tried.has(text);
      tried.add(text);
      return isNew;
    });
    const smaller = next.length === 0 ? undefined : await firstFailing(next);
    if (!smaller) return found;
    found = smaller;
  }
}
