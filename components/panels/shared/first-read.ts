import { useClient } from '@/lib/hooks/client';
import { useRequestTimeout } from '@/lib/hooks/client-profile';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { type Log, lastExchange } from '@/lib/store/log';

/** Declared size of a resource from which a person decides whether to read it, in bytes. */
const LARGE = 1024 * 1024;

/** Returns a function that reads a resource, or a directory by `method`, if it was not read yet and is not large. */
export function useFirstRead(log: Log): (uri: string, size?: unknown, method?: string) => void {
  const client = useClient();
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const timeoutMs = useRequestTimeout(log);
  return (uri, size, method = 'resources/read') => {
    if (closed !== undefined || readOnly || (typeof size === 'number' && size >= LARGE)) return;
    if (lastExchange(log, method, uri) !== undefined) return;
    const params = JSON.stringify({ uri });
    // If it fails, the button to read the resource is still there.
    client.send({ type: 'request', connection: log.connection, method, params, timeoutMs }).catch(() => {});
  };
}
