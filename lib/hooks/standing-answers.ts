import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Failure } from '@/lib/wire/lifecycle';
import type { StandingChange, StandingReply } from '@/lib/wire/standing-answers';
import { useClient } from './client';

/** The user's standing answers, and how to change them. */
export interface Standing {
  /** undefined until they are loaded. */
  readonly reply: StandingReply | undefined;
  /** Why they could not be loaded or changed. */
  readonly failure: Failure | undefined;
  readonly change: (change: StandingChange) => void;
}

/**
 * Returns the standing answers that a connection's host keeps. `uses` is a number that changes when they may have
 * changed.
 */
export function useStandingAnswers(connection: string, uses: number, enabled: boolean): Standing {
  const client = useClient();
  const queries = useQueryClient();
  const ask = async (change?: StandingChange): Promise<StandingReply> =>
    (await client.send({ type: 'standing', connection, ...(change && { change }) })).standing!;
  const queryKey = ['standing', connection];
  const query = useQuery({
    queryKey: [...queryKey, uses],
    enabled,
    queryFn: () => ask(),
    placeholderData: (before) => before,
    staleTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const mutation = useMutation({
    mutationFn: ask,
    onSuccess: (reply) => queries.setQueryData([...queryKey, uses], reply),
  });
  return {
    reply: query.data,
    failure: ((mutation.error ?? query.error) as Failure | null) ?? undefined,
    change: (change) => mutation.mutate(change),
  };
}
