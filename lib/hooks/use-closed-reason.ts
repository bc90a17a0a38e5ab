import type { Log } from '@/lib/store/log';
import { canSend } from '@/lib/wire/lifecycle';
import { useConnections } from './use-connections';
import { useLogState } from './use-log';

const RECORDED = 'This is a recording: there is no server to send anything to.';
const ENDED = 'Not connected: restart the server first.';

/** Why nothing can be sent on this connection; undefined while something can. */
export function useClosedReason(log: Log): string | undefined {
  const open = useLogState(log.whole, (state) => canSend(state.connection.state));
  const { connections } = useConnections();
  const recorded = connections.find(({ id }) => id === log.connection)?.recording !== undefined;
  if (recorded) return RECORDED;
  return open ? undefined : ENDED;
}
