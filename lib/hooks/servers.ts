import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConfiguredServer, ServerChange, ServersReply } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './client';

const KEY = ['servers'] as const;

const NO_SERVERS: ServersReply = { servers: [], skipped: [], hosts: {} };

/** Returns the servers that the proxy offers: given, kept and found. Looks for them each time a list is shown. */
export function useServers(): ServersReply & {
  readonly loading: boolean;
  readonly error: Failure | undefined;
  /** Loads them again, because a connection has added or changed one. */
  readonly refresh: () => void;
  /** Resolves to the server as a list that is loading has it, or as it was given. */
  readonly upToDate: (server: ConfiguredServer) => Promise<ConfiguredServer>;
  /** Changes the kept servers. Rejects with a Failure. */
  readonly change: (change: ServerChange) => Promise<void>;
} {
  const { api } = useClient();
  const queries = useQueryClient();
  const query = {
    queryKey: KEY,
    // Without the signal, so that a list closed meanwhile is up to date when it is opened again.
    queryFn: () => api?.get('/api/servers') ?? NO_SERVERS,
  };
  const { data, isPending, isFetching, error } = useQuery({
    ...query,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  return {
    ...(data ?? NO_SERVERS),
    loading: isPending,
    error: (error as Failure | null) ?? undefined,
    refresh: () => void queries.invalidateQueries({ queryKey: KEY }),
    upToDate: async (server) => {
      if (!isFetching) return server;
      // Joins the request that is under way. If it fails, the list says so.
      const { servers } = await queries.fetchQuery(query).catch(() => NO_SERVERS);
      return servers.find(({ id }) => id === server.id) ?? server;
    },
    change: async (change) => {
      if (!api) return;
      const reply = await api.changeServers(change);
      // A list that was read before the change must not replace the reply.
      await queries.cancelQueries({ queryKey: KEY });
      queries.setQueryData(KEY, reply);
    },
  };
}
