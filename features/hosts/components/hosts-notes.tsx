import { lazy } from 'react';
import type { HealthNoteProps } from '@/features/page-feature';
import { useLogState } from '@/lib/hooks/log';
import { lastExchange } from '@/lib/store/log';
import { useChosenHosts } from './chosen-hosts';

// Facts about hosts are loaded with these.
const HealthLink = lazy(() => import('./health-link').then((file) => ({ default: file.HealthLink })));
/** The hosts that drop or rename a tool. */
export const LaterObstacles = lazy(() => import('./tool-obstacles').then((file) => ({ default: file.ToolObstacles })));

/** The verdicts on the hosts that a person chose, after the first call of a tool. */
export function HostsHealth({ log }: HealthNoteProps) {
  const { chosen } = useChosenHosts();
  const isCalled = useLogState(log, () => lastExchange(log, 'tools/call') !== undefined);
  if (chosen.length === 0 || !isCalled) return null;
  return <HealthLink log={log} chosen={chosen} />;
}
