import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PinChange, PinChangedReply, PinsReply } from '@/features/check/lib/pins/pins-api';
import { useClient } from '@/lib/hooks/client';
import type { Failure } from '@/lib/wire/lifecycle';

const PINS_KEY = ['pins'];
/** Milliseconds until the file is looked at again while the panel is open. An editor may have changed it. */
const LOOK_AGAIN_MS = 2000;

/** The pins file of the proxy. */
interface Pins {
  /** undefined while it is loaded, and without a proxy. */
  readonly file: PinsReply | undefined;
  readonly failure: Failure | undefined;
  /** Loads the file again. */
  readonly readAgain: () => void;
}

/** Returns the pins file. `watches`: looks again and again whether it has changed. */
export function usePins(watches: boolean): Pins {
  const { api } = useClient();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: PINS_KEY,
    enabled: api !== undefined,
    queryFn: async () => {
      const known = queries.getQueryData<PinsReply>(PINS_KEY);
      const version = known?.version ?? '';
      const read = await api!.ask<PinsReply | Record<string, never>>('pins', { kind: 'list', version });
      // A list that has not changed is not sent again.
      return isPins(read) ? read : known!;
    },
    staleTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    refetchInterval: watches && LOOK_AGAIN_MS,
  });
  return { file: data, failure: (error as Failure | null) ?? undefined, readAgain: () => void refetch() };
}

function isPins(reply: PinsReply | Record<string, never>): reply is PinsReply {
  return 'pins' in reply;
}

/** True once a call is pinned. */
export function useHasPins(): boolean {
  const { file } = usePins(false);
  return file !== undefined && file.pins.length > 0;
}

/** Returns a function that changes the pins file. It rejects with a Failure if nothing was written. */
export function useChangePins(): (change: PinChange) => Promise<PinChangedReply> {
  const { api } = useClient();
  const queries = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: (change: PinChange) => api!.ask<PinChangedReply>('pins', { ...change }),
    onSuccess: ({ pins }) => queries.setQueryData(PINS_KEY, pins),
  });
  return mutateAsync;
}

/** Returns the accepted answer of a call, as JSON text; undefined while it is loaded. */
export function useAcceptedAnswer(key: string, digest: string | undefined): string | undefined {
  const { api } = useClient();
  const { data } = useQuery({
    queryKey: ['pins-answer', key, digest],
    enabled: api !== undefined && digest !== undefined,
    queryFn: () => api!.ask<{ readonly text: string }>('pins', { kind: 'answer', key }),
    // Answers can be large.
    gcTime: 0,
  });
  return data?.text;
}
