import { useMemo } from 'react';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/**
 * What time it is in a log, in microseconds since the connection began: of one that is over, or that nobody drives, the time of its
 * last frame.
 */
export function useLogClock(log: Log): () => number {
  const startedAt = useLogState(log, ({ connection }) => connection.start?.at);
  const live = useLogState(log, ({ connection: { state } }) => state !== 'closed' && state !== 'failed');
  return useMemo(() => {
    const began = live && startedAt !== undefined ? Date.parse(startedAt) : undefined;
    return () => {
      const last = log.size === 0 ? 0 : log.columns.time(log.size - 1);
      return began === undefined ? last : Math.max(last, (Date.now() - began) * 1000);
    };
  }, [log, startedAt, live]);
}
