import { useQuery } from '@tanstack/react-query';
import { type CheckedRecording, checkRecording } from '@/lib/client/check-recording';
import type { RecordingEntry } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { useClient } from './use-client';

export type { CheckedRecording };

/** One recording is looked through at a time. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * What a kept recording turns out to be: `checking` until that is known, undefined where it is not looked at, since it is still being
 * recorded, or too large for that, or none. Known until the file changes.
 */
export function useCheckedRecording({
  id,
  bytes,
  live,
  frames,
  unreadable,
}: RecordingEntry): CheckedRecording | 'checking' | undefined {
  const { recordings: home } = useClient();
  const checked = !live && !unreadable && bytes <= LIMITS.countedRecordingBytes;
  const { data, error } = useQuery({
    queryKey: ['checked recording', id, bytes, frames],
    enabled: checked && home !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    // What was too much once would be again, each time that the list is opened.
    retryOnMount: false,
    queryFn: ({ signal }) => {
      const checking = turn.then(async () => {
        // The list was closed meanwhile.
        signal.throwIfAborted();
        return checkRecording(await home!.read(id));
      });
      turn = checking.catch(() => {});
      return checking;
    },
  });
  if (!checked || error) return undefined;
  return data ?? 'checking';
}
