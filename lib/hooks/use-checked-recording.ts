import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { CheckedRecording } from '@/lib/client/check-recording';
import type { RecordingsHome } from '@/lib/client/recordings-home';
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
export function useCheckedRecording(entry: RecordingEntry): CheckedRecording | 'checking' | undefined {
  const { recordings: home } = useClient();
  const { data, error } = useQuery(checkOf(home, entry));
  if (!isChecked(entry) || error) return undefined;
  return data ?? 'checking';
}

/** The same of many, of each undefined until it is known. */
export function useCheckedRecordings(entries: readonly RecordingEntry[]): readonly (CheckedRecording | undefined)[] {
  const { recordings: home } = useClient();
  return useQueries({
    queries: entries.map((entry) => checkOf(home, entry)),
    combine: (results) => results.map(({ data }) => data),
  });
}

function isChecked({ live, unreadable, bytes }: RecordingEntry): boolean {
  return !live && !unreadable && bytes <= LIMITS.countedRecordingBytes;
}

function checkOf(home: RecordingsHome | undefined, entry: RecordingEntry) {
  const { id, bytes, frames } = entry;
  return queryOptions({
    queryKey: ['checked recording', id, bytes, frames],
    enabled: isChecked(entry) && home !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    // What was too much once would be again, each time that the list is opened.
    retryOnMount: false,
    queryFn: ({ signal }) => {
      const checking = turn.then(async () => {
        // The list was closed meanwhile.
        signal.throwIfAborted();
        // Loaded once for all that show recordings, and not before one is looked through.
        const { checkRecording } = await import('@/lib/client/check-recording');
        return checkRecording(await home!.read(id));
      });
      turn = checking.catch(() => {});
      return checking;
    },
  });
}
