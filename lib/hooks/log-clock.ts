import { useMemo } from 'react';
import type { Log } from '@/lib/store/log';
import { useLogState } from './log';

/**
 * Returns the log's clock in µs since the connection started. It stops at the last frame once the connection is over.
 */
export function useLogClock(log: Log): () => number {
  const startedAt = useLogState(log, ({ connection }) => connection.start?.at);
  const live = useLogState(log, ({ connection: { state } }) => state !== 'closed' && state !== 'failed');
  return useMemo(() => {
    const startMs = live && startedAt !== undefined ? Date.parse(startedAt) : undefined;
    return () => {
      const last = log.size === 0 ? 0 : log.columns.time(log.size - 1);
      return startMs === undefined ? last : Math.max(last, (Date.now() - startMs) * 1000);
    };
  }, [log, startedAt, live]);
}
