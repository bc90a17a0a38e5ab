import { useMemo } from 'react';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { type ClientProfile, readProfile } from '@/lib/wire/client-profile';

/** Returns how mcp-inspect presents itself on a connection now. */
export function useProfile(log: Log): ClientProfile {
  const now = useLogState(log, (state) => state.connection.profile);
  const start = useLogState(log, (state) => state.connection.start);
  return useMemo(() => readProfile(now === undefined ? (start ?? {}) : { profile: now }), [now, start]);
}
