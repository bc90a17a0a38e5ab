import { useRef } from 'react';
import type { Log } from '@/lib/store/log';

interface Keyed {
  readonly key: string;
}

/** The entry that a panel shows. */
export interface Shown<T> {
  /** undefined if the wanted entry is not in the list. */
  readonly entry: T | undefined;
  /** The list had the entry before. */
  readonly isGone: boolean;
}

/**
 * Returns the entry to show: the wanted one, or else the one that was shown, or the first. One that the list no longer
 * has stays, because somebody may be typing there, unless it is of another connection (`isOther`), whose frames this
 * one does not have.
 */
export function steadyEntry<T extends Keyed>(
  items: readonly T[],
  wanted: string | undefined,
  before: T | undefined,
  isOther = false,
): Shown<T> {
  const key = wanted ?? before?.key ?? items[0]?.key;
  const entry = items.find((item) => item.key === key);
  if (entry !== undefined || isOther || before === undefined || key !== before.key) return { entry, isGone: false };
  return { entry: before, isGone: true };
}

/** Returns the entry to show, see {@link steadyEntry}. A moment of the past has only what the list had then. */
export function useSteadyEntry<T extends Keyed>(log: Log, items: readonly T[], wanted: string | undefined): Shown<T> {
  const before = useRef<{ readonly log: Log; readonly entry: T }>(undefined);
  const isWhole = log === log.whole;
  const known = isWhole ? before.current : undefined;
  const shown = steadyEntry(items, wanted, known?.entry, known?.log !== log);
  if (shown.entry !== undefined && isWhole) before.current = { log, entry: shown.entry };
  return shown;
}
