import { useQuery } from '@tanstack/react-query';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import { CONNECTIONS_KEY } from './patch-connections';
import { useClient } from './use-client';

const NONE: readonly ConnectionSummary[] = [];

/** All connections of this run, oldest first; kept up to date by events. */
export function useConnections(): {
  readonly connections: readonly ConnectionSummary[];
  readonly loading: boolean;
  readonly error: Failure | undefined;
} {
  const client = useClient();
  const { data, isPending, error } = useQuery({
    queryKey: CONNECTIONS_KEY,
    queryFn: ({ signal }) => client.connections(signal),
  });
  return { connections: data ?? NONE, loading: isPending, error: (error as Failure | null) ?? undefined };
}
