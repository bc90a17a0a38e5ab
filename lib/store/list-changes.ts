import { canonicalJson } from '@/lib/json/canonical';
import type { JsonObject } from '@/lib/json/value';

/** The lists of a server, in the order in which people look at them. */
export const LIST_KINDS = ['tools', 'resources', 'templates', 'prompts'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** A listed item by a key that is unique in its list. */
export interface ListedItem {
  readonly key: string;
  readonly raw: JsonObject;
}

/** The lists of a server. Absent: a list that it does not have or that could not be read. */
export type ListedItems = { readonly [K in ListKind]?: readonly ListedItem[] };

/** One difference between two readings of a list. */
export interface ListChange {
  readonly kind: ListKind;
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** How two readings of a list differ. */
export interface ItemChanges<T> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
  readonly changed: readonly { readonly before: T; readonly after: T }[];
}

/** Returns what appears, vanishes and changes from one reading of a server's lists to another. */
export function listChanges(before: ListedItems, after: ListedItems): readonly ListChange[] {
  return LIST_KINDS.flatMap((kind) => {
    const { added, removed, changed } = itemChanges(before[kind] ?? [], after[kind] ?? []);
    return [
      ...removed.map(({ key }) => ({ kind, key, change: 'removed' as const })),
      ...added.map(({ key }) => ({ kind, key, change: 'added' as const })),
      ...changed.map(({ after: { key } }) => ({ kind, key, change: 'changed' as const })),
    ];
  });
}

/** Compares two readings of a list. Items are paired by key; the order of items and of members does not matter. */
export function itemChanges<T extends ListedItem>(before: readonly T[], after: readonly T[]): ItemChanges<T> {
  const left = new Map(before.map((item) => [item.key, item]));
  const added: T[] = [];
  const changed: { before: T; after: T }[] = [];
  for (const item of after) {
    const old = left.get(item.key);
    if (!old) added.push(item);
    else if (!isEqual(old.raw, item.raw)) changed.push({ before: old, after: item });
    left.delete(item.key);
  }
  return { added, removed: [...left.values()], changed };
}

function isEqual(one: JsonObject, other: JsonObject): boolean {
  // Most items are equal, member order included, which is quick to see.
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)];
  return text === otherText || canonicalJson(text) === canonicalJson(otherText);
}
