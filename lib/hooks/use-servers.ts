import { useQuery } from '@tanstack/react-query';
import type { ConfiguredServer } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './use-client';

const NONE: readonly ConfiguredServer[] = [];

/** The servers that the command line and config files name. They don't change during a run. */
export function useServers(): {
  readonly servers: readonly ConfiguredServer[];
  readonly loading: boolean;
  readonly error: Failure | undefined;
} {
  const { api } = useClient();
  const { data, isPending, error } = useQuery({
    queryKey: ['servers'],
    queryFn: ({ signal }) => api?.get('/api/servers', signal) ?? NONE,
  });
  return { servers: data ?? NONE, loading: isPending, error: (error as Failure | null) ?? undefined };
}
