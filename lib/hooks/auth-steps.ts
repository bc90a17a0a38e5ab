import { useSyncExternalStore } from 'react';
import { authorizationIn, type SeenAuthorization } from '@/lib/auth-steps/auth-steps';
import type { Log } from '@/lib/store/log';

/** Returns everything that a log says about authorization. Renders again when that changes. */
export function useAuthorization(log: Log): SeenAuthorization {
  const seen = () => authorizationIn(log);
  return useSyncExternalStore(log.subscribe, seen, seen);
}
