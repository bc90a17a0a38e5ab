import { useQuery } from '@tanstack/react-query';
import { useClient } from '@/lib/hooks/client';
import type { TapAction, TapPlan } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';

/** Returns how the config of a found server would change, and makes that change. */
export function useTapPlan(id: string, action: TapAction) {
  const { api } = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['tap', id, action],
    queryFn: () => api!.ask<TapPlan>('installs/plan', { id, action }),
    enabled: api !== undefined,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return {
    // After an error the query still has the plan before it, which can't be made any more.
    plan: error ? undefined : data,
    failure: (error as Failure | null) ?? undefined,
    /** Looks at the config again. */
    planAgain: () => void refetch(),
    /** Makes the change that was shown. Rejects with a Failure. */
    change: async (digest: string) => {
      await api?.ask('installs/change', { id, action, digest });
    },
  };
}
