import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ServerChange, ServersReply } from '@/lib/wire/api';
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
  /** Changes the kept servers. Rejects with a Failure. */
  readonly change: (change: ServerChange) => Promise<void>;
} {
  const { api } = useClient();
  const queries = useQueryClient();
  const { data, isPending, error } = useQuery({
    queryKey: KEY,
    // Without the signal, so that a list closed meanwhile is up to date when it is opened again.
    queryFn: () => api?.get('/api/servers') ?? NO_SERVERS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  return {
    ...(data ?? NO_SERVERS),
    loading: isPending,
    error: (error as Failure | null) ?? undefined,
    refresh: () => void queries.invalidateQueries({ queryKey: KEY }),
    change: async (change) => {
      if (!api) return;
      const reply = await api.changeServers(change);
      // A list that was read before the change must not replace the reply.
      await queries.cancelQueries({ queryKey: KEY });
      queries.setQueryData(KEY, reply);
    },
  };
}
