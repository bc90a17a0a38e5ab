import { navigate } from '@/lib/hooks/location';
import type { Log } from '@/lib/store/log';

/** Shows stderr: in the server’s view, or its first line in the log before the server has responded. */
export function showStderr(log: Log): void {
  const { connection, server, stderr } = log.state;
  if (connection.opened || server.seq !== undefined) navigate({ panel: 'server', item: 'stderr' });
  else navigate({ frame: stderr.seqs[0] });
}
