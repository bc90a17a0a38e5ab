import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** How many questions wait for the person. */
export function InboxBadge({ log }: { readonly log: Log }) {
  const count = useLogState(log, (state) => state.inbox.waiting.length);
  if (count === 0) return null;
  // Of the past: nobody can answer any more.
  return <span className={log === log.whole ? 'font-medium text-accent' : undefined}>{count}</span>;
}
