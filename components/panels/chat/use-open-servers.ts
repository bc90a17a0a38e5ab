import { useMemo } from 'react';
import { useConnections } from '@/lib/hooks/connections';
import { type ConnectionSummary, entryOf } from '@/lib/wire/command';

/** A server that a chat can use. */
export interface OpenServer {
  /** Stays the same when the server is restarted. */
  readonly entry: string;
  readonly name: string;
}

/** Returns the servers that a chat can use: those whose newest run is open, and that the proxy talks to. */
export function useOpenServers(): readonly OpenServer[] {
  const { connections } = useConnections();
  return useMemo(() => openServers(connections), [connections]);
}

function openServers(connections: readonly ConnectionSummary[]): readonly OpenServer[] {
  const newest = new Map<string, ConnectionSummary>();
  for (const one of connections) {
    if (!one.via && !one.recording && one.trial === undefined) newest.set(entryOf(one), one);
  }
  return [...newest].flatMap(([entry, { state, name }]) => (state === 'open' ? { entry, name } : []));
}
