import { useCallback } from 'react';
import { useDraft } from '@/lib/hooks/use-draft';

const MOST = 20;
const NONE: readonly string[] = [];

/** Filters used in this tab, the newest first, and what adds one. */
export function useRecentFilters(): readonly [readonly string[], (filter: string) => void] {
  const [recent, setRecent] = useDraft('recent-filters', NONE);
  const remember = useCallback(
    (filter: string) => {
      const text = filter.trim();
      if (text === '') return;
      setRecent((before) =>
        before[0] === text ? before : [text, ...before.filter((one) => one !== text)].slice(0, MOST),
      );
    },
    [setRecent],
  );
  return [recent, remember];
}
