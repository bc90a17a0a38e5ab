'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { Client } from '@/lib/client/client';
import { patchConnections } from './patch-connections';
import { ClientContext } from './use-client';

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
