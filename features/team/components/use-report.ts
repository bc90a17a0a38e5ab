import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReportReply, ReportRequest } from '@/features/team/lib/summary/report-api';
import { useClient } from '@/lib/hooks/client';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';

/** Milliseconds between two looks while recordings are read. */
const LOOK_MS = 200;

/** A report, once it is there. */
export interface ShownReport {
  readonly reply: ReportReply | undefined;
  readonly failure: Failure | undefined;
  /** Looks for new recordings. */
  readonly again: () => void;
}

/** Answers questions over the recordings of this machine or of the bucket. Made again whenever it is opened. */
export function useReport(request: ReportRequest): ShownReport {
  const { api } = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['report', request],
    enabled: api !== undefined,
    queryFn: () => api!.ask<ReportReply>('report', { ...request }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data && 'progress' in state.data ? LOOK_MS : false),
    gcTime: 0,
    retry: false,
  });
  return { reply: data, failure: error ? failureOf(error) : undefined, again: () => void refetch() };
}

function failureOf(error: unknown): Failure {
  if (isFailure(error)) return error;
  return { code: 'internal', message: `The report could not be made: ${error}.`, advice: 'Try again.' };
}
