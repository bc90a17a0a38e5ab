'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Client } from '@/lib/client/client';
import type { ConnectionsReply } from '@/lib/wire/api';
import type { Event } from '@/lib/wire/command';

/** Provides a client to the components inside, and updates queries with its events. */
export function ClientProvider({ client, children }: { readonly client: Client; readonly children: ReactNode }) {
  // Another client belongs to another proxy with other connections.
  // biome-ignore lint/correctness/useExhaustiveDependencies: made again for each client
  const queries = useMemo(makeQueries, [client]);
  useEffect(() => patchConnections(client, queries), [client, queries]);
  return (
    <QueryClientProvider client={queries}>
      <ClientContext value={client}>{children}</ClientContext>
    </QueryClientProvider>
  );
}

/** Data does not go stale with time, since events say when it has changed. */
function makeQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The proxy is mostly on this machine, and responds even when the browser calls itself offline.
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}

export type { ClientStatus, CommandBody } from '@/lib/client/client';
export type { FileToOpen } from '@/lib/client/direct-link';

const ClientContext = createContext<Client | undefined>(undefined);

/** Returns the page's client and renders again when its `status` changes. Only inside a ClientProvider. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('useClient must be used inside a ClientProvider.');
  useSyncExternalStore(
    client.subscribe,
    () => client.status,
    () => client.status,
  );
  return client;
}

/** Returns how many commands wait for confirmation in the terminal. */
export function useConfirming(): number {
  const client = useClient();
  const [commands, setCommands] = useState(0);
  useEffect(
    () =>
      client.onEvent((event) => {
        if (event.type === 'confirming') setCommands(event.commands);
        // Another socket begins without an event if none waits.
        if (event.type === 'welcome') setCommands(0);
      }),
    [client],
  );
  return commands;
}

export const CONNECTIONS_KEY = ['connections'] as const;

type Patch = (list: ConnectionsReply) => ConnectionsReply;

/**
 * Updates the list of connections with each event. A reply under way may be older than the event, so the list is then
 * loaded again. A new socket may have missed events, so everything is loaded again. Returns a function that stops this.
 */
export function patchConnections(client: Pick<Client, 'onEvent'>, queries: QueryClient): () => void {
  return client.onEvent((event) => {
    if (event.type === 'welcome') void readAgain(queries);
    const patch = patchOf(event);
    if (!patch) return;
    queries.setQueryData<ConnectionsReply>(CONNECTIONS_KEY, (list) => list && patch(list));
    if (queries.isFetching({ queryKey: CONNECTIONS_KEY }) > 0) void readAgain(queries, { queryKey: CONNECTIONS_KEY });
  });
}

/** Cancels first, since a request under way would otherwise be reused. */
async function readAgain(queries: QueryClient, which?: { readonly queryKey: typeof CONNECTIONS_KEY }): Promise<void> {
  await queries.cancelQueries(which);
  await queries.invalidateQueries(which);
}

/** Returns the change that an event makes to the list. New connections go to the end: oldest first. */
function patchOf(event: Event): Patch | undefined {
  if (event.type === 'forgotten') return (list) => list.filter(({ id }) => id !== event.connection);
  if (event.type !== 'connection') return undefined;
  const { connection } = event;
  return (list) =>
    list.some(({ id }) => id === connection.id)
      ? list.map((known) => (known.id === connection.id ? connection : known))
      : [...list, connection];
}
