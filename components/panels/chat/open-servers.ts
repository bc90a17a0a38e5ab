import { useMemo } from 'react';
import { modelNameProblem } from '@/components/model/model-name';
import type { ChatSettings } from '@/lib/chat/chat-frame';
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

/** Returns why no message can be sent; undefined if one can. `connections`: entries of the servers in use. */
export function blockedReason(
  { model }: ChatSettings,
  connections: readonly string[],
  open: readonly OpenServer[],
): string | undefined {
  if (model.trim() === '') return 'Choose a model in the chat settings';
  if (model.startsWith('recorded:')) return 'To go on, choose a model in the chat settings';
  const problem = modelNameProblem(model);
  if (problem !== undefined) return problem;
  const isGone = connections.some((entry) => !open.some((one) => one.entry === entry));
  return isGone ? 'A server of this chat has ended. Restart it, or untick it' : undefined;
}
