import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RecordingAbout, RecordingsKept, RecordingsReply } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './use-client';

const KEY = ['recordings'] as const;

/** The recordings that are kept, and what can be done with them. All reject with a Failure. Read anew whenever the list is opened. */
export interface Recordings {
  readonly reply: RecordingsReply | undefined;
  readonly error: Failure | undefined;
  /** Makes it a connection, and resolves to that. */
  readonly open: (id: string) => Promise<string>;
  readonly read: (id: string) => Promise<Blob>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  readonly describe: (id: string, about: RecordingAbout) => Promise<void>;
  readonly add: (files: readonly Blob[]) => Promise<void>;
  readonly keep: (kept: RecordingsKept) => Promise<void>;
}

export function useRecordings(): Recordings {
  const { api } = useClient();
  const queries = useQueryClient();
  const { data, error } = useQuery<RecordingsReply>({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api?.get('/api/recordings', signal)) ?? NO_REPLY,
    refetchOnMount: 'always',
  });
  /** What was done before one failed is seen. */
  const each = async <Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>) => {
    try {
      for (const item of items) await act(item);
    } finally {
      await queries.invalidateQueries({ queryKey: KEY });
    }
  };
  return {
    reply: data,
    error: (error as Failure | null) ?? undefined,
    open: async (id) => (await api!.openRecording(id)).connection,
    read: (id) => api!.readRecording(id),
    remove: (ids) => each(ids, (id) => api!.deleteRecording(id)),
    describe: (id, about) => each([id], () => api!.describeRecording(id, about)),
    add: (files) => each(files, (file) => api!.importRecording(file)),
    keep: (kept) => each([kept], () => api!.keepRecordings(kept)),
  };
}

const NO_REPLY: RecordingsReply = { folder: '', keep: { days: 0, bytes: 0 }, recordings: [] };
