import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { EvalAttempt } from '@/features/evals/lib/eval-attempt';
import type { EvalSetup, EvalSummary, EvalsReplies, EvalsRequest } from '@/features/evals/lib/evals-api';
import { useClient } from '@/lib/hooks/client';
import type { Failure } from '@/lib/wire/lifecycle';

const LIST_KEY = ['evals'];
/** Milliseconds between two looks at an eval that runs. */
const LOOK_MS = 500;

type Reply<K extends EvalsRequest['kind']> = K extends keyof EvalsReplies ? EvalsReplies[K] : unknown;

/** Asks the proxy's evals for something. Rejects with a Failure. */
type AskEvals = <R extends EvalsRequest>(request: R) => Promise<Reply<R['kind']>>;

/** Returns a function that asks the proxy's evals, and lists them again if its request changed that. */
export function useAskEvals(): AskEvals {
  const { api } = useClient();
  const queries = useQueryClient();
  return useCallback(
    async (request) => {
      const reply = await api!.ask<Reply<(typeof request)['kind']>>('evals', { ...request });
      if (CHANGES.has(request.kind)) await queries.invalidateQueries({ queryKey: LIST_KEY });
      return reply;
    },
    [api, queries],
  );
}

const CHANGES: ReadonlySet<EvalsRequest['kind']> = new Set(['start', 'resume', 'stop', 'forget']);

/** Returns the kept evals and the files with cases; undefined while they are loaded. */
export function useEvals(): { readonly list: EvalsReplies['list'] | undefined; readonly failure?: Failure } {
  const { api } = useClient();
  const { data, error } = useQuery({
    queryKey: LIST_KEY,
    enabled: api !== undefined,
    queryFn: () => api!.ask<EvalsReplies['list']>('evals', { kind: 'list' }),
    // A terminal may have run one.
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  return { list: data, ...(error && { failure: error as unknown as Failure }) };
}

/** Returns what cases would run; undefined while that is found out. `setup` undefined: nothing. */
export function useEvalPlan(setup: EvalSetup | undefined): {
  readonly plan: EvalsReplies['plan'] | undefined;
  readonly failure?: Failure;
} {
  const { api } = useClient();
  const { data, error } = useQuery({
    queryKey: ['eval-plan', setup],
    enabled: api !== undefined && setup !== undefined,
    queryFn: () => api!.ask<EvalsReplies['plan']>('evals', { kind: 'plan', setup }),
    // A config or a script may have changed, and servers come and go.
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    placeholderData: (before) => before,
  });
  if (setup === undefined) return { plan: undefined };
  return error ? { plan: undefined, failure: error as unknown as Failure } : { plan: data };
}

interface ReadEval {
  readonly summary: EvalSummary;
  /** In the order in which they were planned. */
  readonly attempts: readonly EvalAttempt[];
}

/** Returns an eval, which grows while it runs. `again` reads it from the start, once it was resumed. */
export function useEval(id: string): {
  readonly read: ReadEval | undefined;
  readonly failure?: Failure;
  readonly again: () => void;
} {
  const { api } = useClient();
  const queries = useQueryClient();
  const [turn, setTurn] = useState(0);
  const held = useRef<{ readonly key: string; readonly made: EvalAttempt[] }>(undefined);
  const key = `${id} ${turn}`;
  const { data, error } = useQuery({
    queryKey: ['eval', key],
    enabled: api !== undefined,
    queryFn: async (): Promise<ReadEval> => {
      if (held.current?.key !== key) held.current = { key, made: [] };
      const { made } = held.current;
      const reply = await api!.ask<EvalsReplies['read']>('evals', { kind: 'read', id, after: made.length });
      made.push(...reply.attempts);
      return { summary: reply.summary, attempts: [...made].sort((a, b) => a.number - b.number) };
    },
    refetchInterval: ({ state }) => (state.data?.summary.state === 'running' ? LOOK_MS : false),
    gcTime: 0,
    placeholderData: (before) => (before?.summary.id === id ? before : undefined),
  });
  const state = data?.summary.state;
  useEffect(() => {
    if (state !== undefined) void queries.invalidateQueries({ queryKey: LIST_KEY });
  }, [state, queries]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { read: data, again, ...(error && { failure: error as unknown as Failure }) };
}
