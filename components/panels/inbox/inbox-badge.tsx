import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** How many questions wait for the person. */
export function InboxBadge({ log }: { readonly log: Log }) {
  const count = useLogState(log, (state) => state.inbox.waiting.length);
  if (count === 0) return null;
  return <span className="font-medium text-accent">{count}</span>;
}
