'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Client } from '@/lib/client/client';
import type { ConnectionsReply } from '@/lib/wire/api';
import type { Event } from '@/lib/wire/command';

/** Gives everything inside this client, and keeps what is read over HTTP up to date with its events. */
export function ClientProvider({ client, children }: { readonly client: Client; readonly children: ReactNode }) {
  // Another client is one of another proxy, which has other connections.
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew for each client
  const queries = useMemo(makeQueries, [client]);
  useEffect(() => patchConnections(client, queries), [client, queries]);
  return (
    <QueryClientProvider client={queries}>
      <ClientContext value={client}>{children}</ClientContext>
    </QueryClientProvider>
  );
}

/** Events say when something changed, so nothing is read again on a guess. */
function makeQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The proxy is mostly on this machine: it answers when the browser calls itself offline too.
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

const ClientContext = createContext<Client | undefined>(undefined);

/** The page's client. Renders again when its `status` changes. Only inside a ClientProvider. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('useClient needs a ClientProvider around it.');
  useSyncExternalStore(
    client.subscribe,
    () => client.status,
    () => client.status,
  );
  return client;
}

export const CONNECTIONS_KEY = ['connections'] as const;

type Patch = (list: ConnectionsReply) => ConnectionsReply;

/**
 * Keeps the list of connections as events tell it; a reply under way may be older than the event, so then it is read again.
 * With a new socket everything is: events are missing, or the proxy was not there before. Returns how to stop.
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

/** Cancels first: a first read under way would otherwise be taken for the new one. */
async function readAgain(queries: QueryClient, which?: { readonly queryKey: typeof CONNECTIONS_KEY }): Promise<void> {
  await queries.cancelQueries(which);
  await queries.invalidateQueries(which);
}

/** What an event changes in the list, undefined if nothing. A new connection goes to the end: oldest first. */
function patchOf(event: Event): Patch | undefined {
  if (event.type === 'forgotten') return (list) => list.filter(({ id }) => id !== event.connection);
  if (event.type !== 'connection') return undefined;
  const { connection } = event;
  return (list) =>
    list.some(({ id }) => id === connection.id)
      ? list.map((known) => (known.id === connection.id ? connection : known))
      : [...list, connection];
}
