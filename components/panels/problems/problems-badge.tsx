import { formatCount } from '@/components/ui/format';
import { useProblems } from '@/lib/hooks/use-problems';
import type { Log } from '@/lib/store/log';

/** How many problems there are, besides what is only good to know. */
export function ProblemsBadge({ log }: { readonly log: Log }) {
  const list = useProblems(log);
  const { count } = list;
  if (count === 0) return null;
  const grave = list.all.some(({ severity }) => severity === 'error');
  return <span className={grave ? 'text-error' : 'text-warn'}>{formatCount(count)}</span>;
}
