import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { BucketListing, BucketReplies, BucketRequest } from '@/features/team/lib/summary/bucket-api';
import type { ListedRecording } from '@/features/team/lib/summary/listed-recording';
import { useClient } from '@/lib/hooks/client';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';

const KEY = ['bucket'];
/** Rows that are asked for at a time. */
const PAGE_ROWS = 100;
/** Milliseconds between two looks while summaries or a recording are read. */
const LOOK_MS = 400;

type Reply<K extends BucketRequest['kind']> = K extends keyof BucketReplies ? BucketReplies[K] : unknown;
/** Asks the proxy for the bucket's recordings. Rejects with a Failure. */
export type AskBucket = <R extends BucketRequest>(request: R) => Promise<Reply<R['kind']>>;

/** Returns a function that asks for the bucket's recordings, and then looks at the list again. */
export function useAskBucket(): AskBucket {
  const { api } = useClient();
  const queries = useQueryClient();
  return useCallback(
    async (request) => {
      const asked = api!.ask<Reply<(typeof request)['kind']>>('bucket', { ...request });
      // The progress of a download is in the list.
      const look = () => queries.invalidateQueries({ queryKey: KEY });
      if (request.kind === 'open' || request.kind === 'save') void look();
      return asked.finally(() => void look());
    },
    [api, queries],
  );
}

/** The list of a bucket's recordings. Only the rows in view are loaded. */
interface BucketRows {
  /** Undefined until it is loaded. */
  readonly list: BucketListing | undefined;
  readonly failure: Failure | undefined;
  /** Returns a row, undefined until it is loaded. */
  readonly rowAt: (index: number) => ListedRecording | undefined;
}

/** Lists the bucket's recordings that match a query. Reads what is new in the bucket when it is first shown. */
export function useBucketRows(query: string, view: { readonly first: number; readonly last: number }): BucketRows {
  const { api } = useClient();
  const ask = useAskBucket();
  useEffect(() => {
    // A failure is in the list.
    void ask({ kind: 'fill', all: false }).catch(() => {});
  }, [ask]);
  const page = (number: number) =>
    api!.ask<BucketListing>('bucket', { kind: 'list', query, from: number * PAGE_ROWS, most: PAGE_ROWS });
  const { data: list, error } = useQuery({
    queryKey: [...KEY, query],
    enabled: api !== undefined,
    queryFn: () => page(0),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data?.filling || data?.downloading ? LOOK_MS : false),
    retry: false,
  });
  const last = Math.min(view.last, list?.found ?? 0);
  const pages: number[] = [];
  for (let number = Math.max(1, Math.floor(view.first / PAGE_ROWS)); number * PAGE_ROWS < last; number++)
    pages.push(number);
  const further = useQueries({
    queries: pages.map((number) => ({
      // Other rows once more are known.
      queryKey: [...KEY, query, number, list?.known],
      queryFn: () => page(number),
    })),
    combine: (results) => results.map(({ data }) => data?.rows),
  });
  return {
    list,
    failure: error ? failureOf(error) : undefined,
    rowAt: (index) => {
      const number = Math.floor(index / PAGE_ROWS);
      const rows = number === 0 ? list?.rows : further[pages.indexOf(number)];
      return rows?.[index - number * PAGE_ROWS];
    },
  };
}

function failureOf(error: unknown): Failure {
  if (isFailure(error)) return error;
  return {
    code: 'internal',
    message: `The recordings of the bucket could not be listed: ${error}.`,
    advice: 'Try again.',
  };
}
