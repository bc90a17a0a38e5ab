import { useCallback, useMemo } from 'react';
import { connectionEntries, connectionLabels } from '@/components/exchange/connection-labels';
import type { ChatSettings } from '@/features/chat/lib/chat-frame';
import { useConnections } from '@/lib/hooks/connections';
import { type ConnectionSummary, entryOf } from '@/lib/wire/command';
import { modelNameProblem } from './model/model-name';

/** A server that a chat can use. */
export interface OpenServer {
  /** Stays the same when the server is restarted. */
  readonly entry: string;
  /** As in the list of servers. */
  readonly name: string;
}

/** Returns the servers that a chat can use: those whose newest run is open, and that the proxy talks to. */
export function useOpenServers(): readonly OpenServer[] {
  const { connections } = useConnections();
  return useMemo(() => openServers(connections), [connections]);
}

/** Returns a function that names a server, open or not, as the list of servers does; undefined if it is not there. */
export function useServerNames(): (entry: string) => string | undefined {
  const { connections } = useConnections();
  const names = useMemo(() => {
    const labels = connectionLabels(connections);
    return new Map(connectionEntries(connections).map(({ id, newest }) => [id, labels.get(newest.id)!]));
  }, [connections]);
  return useCallback((entry) => names.get(entry), [names]);
}

function openServers(connections: readonly ConnectionSummary[]): readonly OpenServer[] {
  const labels = connectionLabels(connections);
  const newest = new Map<string, ConnectionSummary>();
  for (const one of connections) {
    if (!one.via && !one.recording && one.trial === undefined) newest.set(entryOf(one), one);
  }
  return [...newest].flatMap(([entry, { id, state }]) => (state === 'open' ? { entry, name: labels.get(id)! } : []));
}

/** Returns why no message can be sent; undefined if one can. `connections`: entries of the servers in use. */
export function blockedReason(
  { model }: ChatSettings,
  connections: readonly string[],
  open: readonly OpenServer[],
  nameOf: (entry: string) => string | undefined,
): string | undefined {
  if (model.trim() === '') return 'Choose a model in the chat settings';
  if (model.startsWith('recorded:')) return 'To go on, choose a model in the chat settings';
  const problem = modelNameProblem(model);
  if (problem !== undefined) return problem;
  const gone = connections.find((entry) => !open.some((one) => one.entry === entry));
  return gone === undefined
    ? undefined
    : `${nameOf(gone) ?? 'A server of this chat'} has ended. Restart it, or untick it`;
}
