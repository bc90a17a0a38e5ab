import { useCallback, useSyncExternalStore } from 'react';
import { Drafts } from './drafts';

const drafts = new Drafts(() => window.sessionStorage);

/**
 * State that survives unmounting and reloads of this tab, shared by all who use the key. Values must be JSON, and `T` must be
 * what the key always held: a key of changed meaning needs a new name. Not for secrets.
 */
export function useDraft<T>(key: string, initial: T): [T, (next: T | ((current: T) => T)) => void] {
  const stored = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.get(key) as T | undefined,
    () => undefined,
  );
  const set = useCallback(
    (next: T | ((current: T) => T)) => {
      const held = drafts.get(key) as T | undefined;
      const current = held === undefined ? initial : held;
      drafts.set(key, typeof next === 'function' ? (next as (current: T) => T)(current) : next);
    },
    [key, initial],
  );
  return [stored === undefined ? initial : stored, set];
}
