import { useQuery } from '@tanstack/react-query';
import type { EnvironmentReply } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './use-client';

/** What a server started from the page is given; nothing where there is no proxy. Doesn't change during a run. */
export function useEnvironment(): {
  readonly environment: EnvironmentReply | undefined;
  readonly loading: boolean;
  readonly error: Failure | undefined;
} {
  const { api } = useClient();
  const { data, isPending, error } = useQuery({
    queryKey: ['environment'],
    queryFn: ({ signal }) => api?.get('/api/environment', signal) ?? null,
  });
  return { environment: data ?? undefined, loading: isPending, error: (error as Failure | null) ?? undefined };
}
