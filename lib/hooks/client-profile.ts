import { useMemo } from 'react';
import { sentCapabilities } from '@/lib/mcp/declared-capabilities';
import type { Log } from '@/lib/store/log';
import type { ClientCapabilities } from '@/lib/wire/client-capabilities';
import { type ClientProfile, declaredBy, presentProfile } from '@/lib/wire/client-profile';
import { useLogState } from './log';
import { useSettings } from './settings';

/** Returns how mcp-inspect presents itself on a connection now. */
export function useProfile(log: Log): ClientProfile {
  const now = useLogState(log, (state) => state.connection.profile);
  const start = useLogState(log, (state) => state.connection.start);
  return useMemo(() => presentProfile(now, start), [now, start]);
}

/** Returns how long a request waits without a response or progress, in ms: the connection's time, or the user's. */
export function useRequestTimeout(log: Log): number {
  const { timeoutMs } = useSettings();
  return useProfile(log).timeouts?.silenceMs ?? timeoutMs;
}

/** Returns the capabilities declared to the server, as its version has them; undefined before the handshake. */
export function useDeclared(log: Log): ClientCapabilities | undefined {
  const profile = useProfile(log);
  const sent = useSentCapabilities(log);
  return useMemo(() => sent?.(declaredBy(profile)), [profile, sent]);
}

/** Returns what the server's version has of capabilities; undefined before the handshake. */
export function useSentCapabilities(log: Log): ((all: ClientCapabilities) => ClientCapabilities) | undefined {
  const version = useLogState(log, (state) => state.connection.version);
  const { as } = useProfile(log);
  return useMemo(
    () => (version === undefined ? undefined : (all: ClientCapabilities) => sentCapabilities(all, version, as)),
    [version, as],
  );
}
