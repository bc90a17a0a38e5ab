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
export type ServerLists = { readonly [K in ListKind]?: readonly ListedItem[] };

/** One difference between two readings of a list. */
export interface ListChange {
  readonly kind: ListKind;
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** Returns what appears, vanishes and changes from one reading of a server's lists to another. */
export function listChanges(before: ServerLists, after: ServerLists): readonly ListChange[] {
  return LIST_KINDS.flatMap((kind) => {
    const [old, now] = [byKey(before[kind]), byKey(after[kind])];
    const gone = [...old.keys()].filter((key) => !now.has(key));
    const isNew = [...now.keys()].filter((key) => !old.has(key));
    const other = [...old.keys()].filter((key) => now.has(key) && !isEqual(old.get(key)!, now.get(key)!));
    return [
      ...gone.map((key) => ({ kind, key, change: 'removed' as const })),
      ...isNew.map((key) => ({ kind, key, change: 'added' as const })),
      ...other.map((key) => ({ kind, key, change: 'changed' as const })),
    ];
  });
}

function byKey(items: readonly ListedItem[] = []): ReadonlyMap<string, JsonObject> {
  return new Map(items.map(({ key, raw }) => [key, raw]));
}

function isEqual(one: JsonObject, other: JsonObject): boolean {
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)];
  return text === otherText || canonicalJson(text) === canonicalJson(otherText);
}
