import { useClient } from '@/lib/hooks/client';
import { useRequestTimeout } from '@/lib/hooks/client-profile';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { type Log, lastExchange } from '@/lib/store/log';

/** Declared size of a resource from which a person decides whether to read it, in bytes. */
const LARGE = 1024 * 1024;

/** Sends a request of a method for what it is about. `params` are those of a resource unless set. */
type FirstRead = (
  about: string,
  how?: { readonly size?: unknown; readonly method?: string; readonly params?: string },
) => void;

/** Returns a function that reads a resource, a directory or a prompt, if it was not read yet and is not large. */
export function useFirstRead(log: Log): FirstRead {
  const client = useClient();
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const timeoutMs = useRequestTimeout(log);
  return (about, { size, method = 'resources/read', params = JSON.stringify({ uri: about }) } = {}) => {
    if (closed !== undefined || readOnly || (typeof size === 'number' && size >= LARGE)) return;
    if (lastExchange(log, method, about) !== undefined) return;
    // If it fails, its button is still there.
    client.send({ type: 'request', connection: log.connection, method, params, timeoutMs }).catch(() => {});
  };
}
