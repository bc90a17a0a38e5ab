import type { Log } from '@/lib/store/log';
import { useConnections } from './use-connections';

/** True if what is shown is over, a recording or a moment of the past: forms then hold what was sent, and send nothing. */
export function useReadOnly(log: Log): boolean {
  const { connections } = useConnections();
  const recorded = connections.find(({ id }) => id === log.connection)?.recording !== undefined;
  return recorded || log !== log.whole;
}
