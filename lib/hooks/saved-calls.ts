import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@/lib/client/api';
import { BrowserCalls, type CallStore, FolderCalls } from '@/lib/client/call-store';
import type { Failure } from '@/lib/wire/lifecycle';
import { applyCallChange, type CallChange, type CallsReply, callsKey, NO_CALLS } from '@/lib/wire/saved-calls';
import { useClient } from './client';

/** A tool's saved calls and recent arguments, and how to change them. */
export interface SavedCalls {
  readonly calls: CallsReply;
  /** Why they could not be read, or the last change could not be stored. */
  readonly failure: Failure | undefined;
  /** The place of the calls: the data folder or this browser. */
  readonly place: 'folder' | 'browser';
  /** Shows the change at once. Resolves to false if it could not be stored; see `failure`. */
  readonly change: (change: CallChange) => Promise<boolean>;
  /** Loads them again: another tab or another mcp-inspect process may have changed them. */
  readonly readAgain: () => void;
}

/** Returns the calls saved for a tool of a server. Loads nothing unless `enabled`. */
export function useSavedCalls(server: string, tool: string, enabled: boolean): SavedCalls {
  const { api } = useClient();
  const queries = useQueryClient();
  const home = storeOf(api);
  const key = callsKey(server, tool);
  const queryKey = ['calls', key];
  const query = useQuery({
    queryKey,
    enabled,
    queryFn: ({ signal }) => home.read(key, signal),
    staleTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  // In the cache, since a tool's detail and its menu both show it.
  const failureKey = ['calls-failure', key];
  const failed = useQuery<Failure | null>({ queryKey: failureKey, queryFn: () => null, initialData: null });
  const mutation = useMutation({
    mutationKey: queryKey,
    // Runs the changes in order, one at a time.
    scope: { id: queryKey.join(' ') },
    mutationFn: (change: CallChange) => home.change(key, change),
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData<CallsReply>(queryKey) ?? NO_CALLS;
      queries.setQueryData(queryKey, applyCallChange(before, change));
      return before;
    },
    onSuccess: (reply) => {
      if (isLast(queries, queryKey)) queries.setQueryData(queryKey, reply);
      queries.setQueryData(failureKey, null);
    },
    onError: (error: unknown, change, before) => {
      queries.setQueryData(failureKey, error);
      // Keep sent arguments on offer while the tab lives. Undo any other change.
      if (before && change.kind !== 'remember') queries.setQueryData(queryKey, before);
    },
  });
  return {
    calls: query.data ?? NO_CALLS,
    failure: failed.data ?? (query.error as Failure | null) ?? undefined,
    place: api ? 'folder' : 'browser',
    change: (change) =>
      mutation.mutateAsync(change).then(
        () => true,
        () => false,
      ),
    readAgain: () => void query.refetch(),
  };
}

function isLast(queries: QueryClient, mutationKey: readonly string[]): boolean {
  return queries.isMutating({ mutationKey }) === 1;
}

const browser = new BrowserCalls(() => window.localStorage);

/** The store of each proxy, so that the browser's calls are moved once. */
const folders = new WeakMap<Api, FolderCalls>();

function storeOf(api: Api | undefined): CallStore {
  if (!api) return browser;
  const known = folders.get(api) ?? new FolderCalls(api, browser);
  folders.set(api, known);
  return known;
}
