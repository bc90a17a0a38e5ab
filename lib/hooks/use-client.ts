import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Client } from '@/lib/client/client';

export type { ClientStatus, CommandBody } from '@/lib/client/client';

export const ClientContext = createContext<Client | undefined>(undefined);

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
