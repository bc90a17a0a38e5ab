import { useQuery } from '@tanstack/react-query';
import { countProblems } from '@/lib/client/count-problems';
import type { RecordingEntry } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { useClient } from './use-client';

/** One recording is looked through at a time. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * How many problems a kept recording has: `counting` until that is known, undefined where it is not counted, since it is still
 * being recorded or too large for that. Known until the file changes.
 */
export function useProblemCount({ id, bytes, live, frames }: RecordingEntry): number | 'counting' | undefined {
  const { recordings: home } = useClient();
  const counted = !live && bytes <= LIMITS.countedRecordingBytes;
  const { data, error } = useQuery({
    queryKey: ['recording problems', id, bytes, frames],
    enabled: counted && home !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    // What was too much once would be again, each time that the list is opened.
    retryOnMount: false,
    queryFn: ({ signal }) => {
      const counting = turn.then(async () => {
        // The list was closed meanwhile.
        signal.throwIfAborted();
        return countProblems(await home!.read(id));
      });
      turn = counting.catch(() => {});
      return counting;
    },
  });
  if (!counted || error) return undefined;
  return data ?? 'counting';
}
