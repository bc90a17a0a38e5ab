import { isObject, type JsonObject } from '@/lib/json/value';
import type { Entry, ListChanges } from './state';

/** Compares two readings of a list. Entries are paired by key; the order of entries and of members does not matter. */
export function listChanges(before: readonly Entry[], after: readonly Entry[], seq: number): ListChanges {
  const left = new Map(before.map((entry) => [entry.key, entry]));
  const added: Entry[] = [];
  const changed: { before: Entry; after: Entry }[] = [];
  for (const entry of after) {
    const old = left.get(entry.key);
    if (!old) added.push(entry);
    else if (!isSame(old.raw, entry.raw)) changed.push({ before: old, after: entry });
    left.delete(entry.key);
  }
  return { seq, added, removed: [...left.values()], changed };
}

/** Formats the numbers of added, removed and changed entries: `+2 −1 ~3`, or `no change`. */
export function listChangesText({ added, removed, changed }: ListChanges): string {
  const parts = [
    ['+', added],
    ['−', removed],
    ['~', changed],
  ] as const;
  const said = parts.flatMap(([sign, { length }]) => (length > 0 ? [`${sign}${length}`] : []));
  return said.join(' ') || 'no change';
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  // Most entries are equal, member order included, which is quick to see.
  return JSON.stringify(a) === JSON.stringify(b) || sorted(a) === sorted(b);
}

/** Writes JSON with sorted members, so that equal values are equal texts. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
