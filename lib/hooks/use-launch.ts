import { useSyncExternalStore } from 'react';
import { type LaunchState, pageLaunch } from './page-launch';

export { requestNewLink } from '@/lib/client/launch';

const LAUNCHING: LaunchState = { state: 'launching' };

/** The way to the page's client. Starts it on first use. */
export function useLaunch(): LaunchState {
  return useSyncExternalStore(
    pageLaunch.subscribe,
    () => pageLaunch.state,
    () => LAUNCHING,
  );
}
