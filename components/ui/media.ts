import { useCallback, useSyncExternalStore } from 'react';

/** One pane at a time. The variant `narrow:` in globals.css. */
export const NARROW = '(width < 640px)';
/** Too low for a panel and the log: a small window, or a usual one at 200 % zoom. */
export const LOW = '(height < 560px)';

/** Returns whether a media query matches, and renders again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
