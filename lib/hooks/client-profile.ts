import { useMemo } from 'react';
import type { Log } from '@/lib/store/log';
import { type ClientProfile, readProfile } from '@/lib/wire/client-profile';
import { useLogState } from './log';
import { useSettings } from './settings';

/** Returns how mcp-inspect presents itself on a connection now. */
export function useProfile(log: Log): ClientProfile {
  const now = useLogState(log, (state) => state.connection.profile);
  const start = useLogState(log, (state) => state.connection.start);
  return useMemo(() => readProfile(now === undefined ? (start ?? {}) : { profile: now }), [now, start]);
}

/** Returns how long a request waits without a response or progress, in ms: the connection's time, or the user's. */
export function useRequestTimeout(log: Log): number {
  const { timeoutMs } = useSettings();
  return useProfile(log).timeouts?.silenceMs ?? timeoutMs;
}
