import { runsOf } from '@/components/exchange/connection-labels';
import type { ConnectionSummary } from '@/lib/wire/command';

/** In place of a connection's id in the address: the person chooses the other run. */
export const CHOOSE = 'choose';

/** Returns the run before this one, or else the next one. */
export function otherRun(
  connections: readonly ConnectionSummary[],
  shown: ConnectionSummary,
): ConnectionSummary | undefined {
  const runs = runsOf(connections, shown);
  const at = runs.findIndex(({ id }) => id === shown.id);
  return runs[at - 1] ?? runs[at + 1];
}
