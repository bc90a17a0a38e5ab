import { useEffect, useState } from 'react';
import { type Comparison, compareTraffic } from '@/lib/replay/compare/comparison';
import { DEFAULT_NORMALISER, NO_NORMALISER } from '@/lib/replay/compare/normalise';
import type { CompareMode } from '@/lib/replay/compare/value-diff';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import type { Log } from '@/lib/store/log';
import { runInSlices } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';

/** Largest total size of two logs to compare, in bytes. The page holds a second copy of their messages. */
const COMPARED_LOG_BYTES = 128 * 1024 * 1024;

/** The progress of a comparison. `gone`: frames are no longer available. */
export type ComparisonState =
  | { readonly is: 'working'; readonly done: number; readonly of: number }
  | { readonly is: 'too-large'; readonly bytes: number }
  | { readonly is: 'gone' }
  /** `sizes`: how many frames of each log were compared. */
  | { readonly is: 'done'; readonly comparison: Comparison; readonly sizes: readonly [number, number] };

const WORKING: ComparisonState = { is: 'working', done: 0, of: 0 };

/**
 * Compares two logs in slices once they are `ready`, and again when `turn` changes. Keeps the last result meanwhile.
 */
export function useComparison(
  before: Log,
  after: Log,
  mode: CompareMode,
  ready: boolean,
  turn: number,
): ComparisonState {
  const [state, setState] = useState<ComparisonState>(WORKING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn compares again
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
  onProgress: (state: ComparisonState) => void,
): Promise<ComparisonState | undefined> {
  const bytes = before.totalBytes + after.totalBytes;
  if (bytes > COMPARED_LOG_BYTES) return { is: 'too-large', bytes };
  const sizes = [before.size, after.size] as const;
  const was = await readLog(before, signal);
  const is = was && (await readLog(after, signal));
  if (!was || !is) return { is: 'gone' };
  const how = { mode, normaliser: mode === 'semantic' ? DEFAULT_NORMALISER : NO_NORMALISER };
  const comparison = await runInSlices(compareTraffic(was, is, how), signal, (step) =>
    onProgress({ is: 'working', ...step }),
  );
  return comparison && { is: 'done', comparison, sizes };
}

/** Reads the frames that a log has now. Undefined if aborted, or if frames are no longer available. */
async function readLog(log: Log, signal: AbortSignal): Promise<RecordedTraffic | undefined> {
  const reader = new TrafficReader();
  const size = log.size;
  for (let from = 0; from < size; from += LIMITS.againFrames) {
    const to = Math.min(size, from + LIMITS.againFrames);
    if (!(await bytesHere(log, from, to, signal))) return undefined;
    await runInSlices(readFrames(log, reader, from, to), signal);
    if (signal.aborted) return undefined;
  }
  return reader.traffic();
}

function* readFrames(log: Log, reader: TrafficReader, from: number, to: number): Generator<void, void> {
  for (let index = from; index < to; index++) {
    if (log.columns.kind(index) === 'stderr') continue;
    reader.addFrame(log.frame(index));
    yield;
  }
}

/** Waits until the bytes of these frames are loaded. False if some are unavailable, or if aborted. */
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
