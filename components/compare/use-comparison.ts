import { useEffect, useState } from 'react';
import { type Comparison, compareSessions } from '@/lib/compare/compare-sessions';
import { AS_IT_IS, USUAL } from '@/lib/compare/normalise';
import type { CompareMode } from '@/lib/compare/value-diff';
import type { Log } from '@/lib/store/log';
import { inSlices } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { logSession } from './log-session';

/** How far a comparison is. `gone`: frames are not to be had any more. */
export type ComparisonState =
  | { readonly is: 'working'; readonly done: number; readonly of: number }
  | { readonly is: 'too-large'; readonly bytes: number }
  | { readonly is: 'gone' }
  /** `sizes`: how many frames of each log it is of. */
  | { readonly is: 'done'; readonly comparison: Comparison; readonly sizes: readonly [number, number] };

const WORKING: ComparisonState = { is: 'working', done: 0, of: 0 };

/**
 * Compares two logs as they are once both are `ready`, in slices, and again when `turn` changes. What was compared before stays
 * until the next result is there.
 */
export function useComparison(
  before: Log,
  after: Log,
  mode: CompareMode,
  ready: boolean,
  turn: number,
): ComparisonState {
  const [state, setState] = useState<ComparisonState>(WORKING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn is the same once more
  useEffect(() => {
    if (!ready) return;
    const stop = new AbortController();
    setState((last) => (last.is === 'done' ? last : WORKING));
    void compareLogs(before, after, mode, stop.signal, setState).then((result) => {
      if (result && !stop.signal.aborted) setState(result);
    });
    return () => stop.abort();
  }, [before, after, mode, ready, turn]);
  return state;
}

async function compareLogs(
  before: Log,
  after: Log,
  mode: CompareMode,
  signal: AbortSignal,
  tell: (state: ComparisonState) => void,
): Promise<ComparisonState | undefined> {
  const bytes = before.totalBytes + after.totalBytes;
  if (bytes > LIMITS.comparedLogBytes) return { is: 'too-large', bytes };
  const sizes = [before.size, after.size] as const;
  const was = await logSession(before, signal);
  const is = was && (await logSession(after, signal));
  if (!was || !is) return { is: 'gone' };
  const how = { mode, normalising: mode === 'semantic' ? USUAL : AS_IT_IS };
  const comparison = await inSlices(compareSessions(was, is, how), signal, (step) => tell({ is: 'working', ...step }));
  return comparison && { is: 'done', comparison, sizes };
}
