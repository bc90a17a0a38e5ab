import type { ListChanges } from './state';

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
