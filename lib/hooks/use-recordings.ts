import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RecordingsReply } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './use-client';

const KEY = ['recordings'] as const;

/** The recordings that are kept, and what can be done with them. Read anew whenever the list is opened. */
export function useRecordings(): {
  readonly reply: RecordingsReply | undefined;
  readonly error: Failure | undefined;
  /** Makes it a connection, and resolves to that. Like the others, rejects with a Failure. */
  readonly open: (id: string) => Promise<string>;
  readonly read: (id: string) => Promise<Blob>;
  readonly remove: (id: string) => Promise<void>;
} {
  const { api } = useClient();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api?.get('/api/recordings', signal) ?? { folder: '', recordings: [] },
    refetchOnMount: 'always',
  });
  return {
    reply: data,
    error: (error as Failure | null) ?? undefined,
    open: async (id) => (await api!.openRecording(id)).connection,
    read: (id) => api!.readRecording(id),
    remove: async (id) => {
      await api!.deleteRecording(id);
      await queries.invalidateQueries({ queryKey: KEY });
    },
  };
}
