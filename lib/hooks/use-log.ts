import { useEffect, useSyncExternalStore } from 'react';
import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';
import type { LogState } from '@/lib/store/state';
import { useClient } from './use-client';

/** A connection's log; attaches to it on first use. */
export function useLog(connection: string): Log {
  const client = useClient();
  useEffect(() => {
    client.attach(connection);
  }, [client, connection]);
  return client.log(connection);
}

/** A part of the log's state. `select` must give the same object for the same state: pick, don't build. */
export function useLogState<T>(log: Log, select: (state: LogState) => T): T {
  const snapshot = () => select(log.state);
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** How many frames the log has. Changes at most once an animation frame. */
export function useLogSize(log: Log): number {
  const snapshot = () => log.size;
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** How many frames the proxy has that are not here yet, as far as is known. */
export function useLogBehind(log: Log): number {
  const snapshot = () => log.last - log.size;
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** The exchange of a request; undefined for no request. Renders again when it is answered or progresses. */
export function useExchange(log: Log, requestSeq: number | undefined): Exchange | undefined {
  const snapshot = () => (requestSeq === undefined ? undefined : log.exchange(requestSeq));
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}
