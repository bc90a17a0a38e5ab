import { useEffect, useState } from 'react';
import { type Comparison, compareTraffic } from '@/lib/replay/compare/comparison';
import { DEFAULT_NORMALISER, NO_NORMALISER } from '@/lib/replay/compare/normalise';
import type { CompareMode } from '@/lib/replay/compare/value-diff';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import type { Log } from '@/lib/store/log';
import { runInSlices } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';

/** Bytes of two logs that a page compares: what they say is held once more for that. */
const COMPARED_LOG_BYTES = 128 * 1024 * 1024;

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
  if (bytes > COMPARED_LOG_BYTES) return { is: 'too-large', bytes };
  const sizes = [before.size, after.size] as const;
  const was = await readLog(before, signal);
  const is = was && (await readLog(after, signal));
  if (!was || !is) return { is: 'gone' };
  const how = { mode, normaliser: mode === 'semantic' ? DEFAULT_NORMALISER : NO_NORMALISER };
  const comparison = await runInSlices(compareTraffic(was, is, how), signal, (step) =>
    tell({ is: 'working', ...step }),
  );
  return comparison && { is: 'done', comparison, sizes };
}

/** A log's frames, as far as there are any now, as a session. Undefined once aborted, or if frames are not to be had any more. */
async function readLog(log: Log, signal: AbortSignal): Promise<RecordedTraffic | undefined> {
  const reader = new TrafficReader();
  const size = log.size;
  for (let from = 0; from < size; from += LIMITS.againFrames) {
    const to = Math.min(size, from + LIMITS.againFrames);
    if (!(await bytesHere(log, from, to, signal))) return undefined;
    await runInSlices(take(log, reader, from, to), signal);
    if (signal.aborted) return undefined;
  }
  return reader.traffic();
}

function* take(log: Log, reader: TrafficReader, from: number, to: number): Generator<void, void> {
  for (let index = from; index < to; index++) {
    if (log.columns.kind(index) === 'stderr') continue;
    reader.addFrame(log.frame(index));
    yield;
  }
}

/** False if some of them are gone for good, or nobody waits any more. */
async function bytesHere(log: Log, from: number, to: number, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const away: number[] = [];
    for (let seq = from + 1; seq <= to; seq++) if (!log.hasBytes(seq)) away.push(seq);
    if (away.length === 0) return true;
    if (signal.aborted || away.some((seq) => log.wanted.isUnavailable(seq))) return false;
    const changed = nextChange(log, signal);
    for (const seq of away) log.wanted.want(seq);
    await changed;
  }
}

function nextChange(log: Log, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      leave();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const leave = log.subscribe(done);
    signal.addEventListener('abort', done);
  });
}
