import { useEffect, useRef, useState } from 'react';
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

/** Work of a comparison. `of` is 0 while unknown. */
export interface ComparisonProgress {
  readonly what: 'Loading both sides' | 'Reading both sides' | 'Comparing lists' | 'Matching calls' | 'Comparing calls';
  readonly done: number;
  readonly of: number;
}

/** The end of a comparison. `gone`: frames are no longer available. */
export type ComparisonResult =
  | { readonly is: 'too-large'; readonly bytes: number }
  | { readonly is: 'gone' }
  /** `sizes`: how many frames of each log were compared. */
  | { readonly is: 'done'; readonly comparison: Comparison; readonly sizes: readonly [number, number] };

/** A comparison, as far as it is. Both are absent if the first comparison was cancelled. */
interface RunningComparison {
  /** The newest result, also while a newer comparison runs. */
  readonly result: ComparisonResult | undefined;
  readonly progress: ComparisonProgress | undefined;
  readonly cancel: () => void;
}

const LOADING: ComparisonProgress = { what: 'Loading both sides', done: 0, of: 0 };
const READING: ComparisonProgress = { what: 'Reading both sides', done: 0, of: 0 };

/** Compares two logs in slices once they are `ready`, and again when `turn` changes. */
export function useComparison(
  before: Log,
  after: Log,
  mode: CompareMode,
  ready: boolean,
  turn: number,
): RunningComparison {
  const [result, setResult] = useState<ComparisonResult>();
  const [progress, setProgress] = useState<ComparisonProgress | undefined>(LOADING);
  const stop = useRef<AbortController>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn compares again
  useEffect(() => {
    if (!ready) return;
    const own = new AbortController();
    stop.current = own;
    setProgress(READING);
    const report = (made: ComparisonProgress) => {
      if (!own.signal.aborted) setProgress(made);
    };
    void compareLogs(before, after, mode, own.signal, report).then((made) => {
      if (!made || own.signal.aborted) return;
      setResult(made);
      setProgress(undefined);
    });
    return () => own.abort();
  }, [before, after, mode, ready, turn]);
  const cancel = () => {
    stop.current?.abort();
    setProgress(undefined);
  };
  return { result, progress, cancel };
}

async function compareLogs(
  before: Log,
  after: Log,
  mode: CompareMode,
  signal: AbortSignal,
  onProgress: (progress: ComparisonProgress) => void,
): Promise<ComparisonResult | undefined> {
  const bytes = before.totalBytes + after.totalBytes;
  if (bytes > COMPARED_LOG_BYTES) return { is: 'too-large', bytes };
  const sizes = [before.size, after.size] as const;
  const of = sizes[0] + sizes[1];
  const reading = (from: number) => (read: number) => onProgress({ ...READING, done: from + read, of });
  const was = await readLog(before, signal, reading(0));
  const is = was && (await readLog(after, signal, reading(sizes[0])));
  if (!was || !is) return { is: 'gone' };
  const how = { mode, normaliser: mode === 'semantic' ? DEFAULT_NORMALISER : NO_NORMALISER };
  const comparison = await runInSlices(compareTraffic(was, is, how), signal, onProgress);
  return comparison && { is: 'done', comparison, sizes };
}

/**
 * Reads the frames that a log has now, and reports their number. Undefined if aborted, or if frames are no longer
 * available.
 */
async function readLog(
  log: Log,
  signal: AbortSignal,
  onRead: (frames: number) => void,
): Promise<RecordedTraffic | undefined> {
  const reader = new TrafficReader();
  const size = log.size;
  for (let from = 0; from < size; from += LIMITS.againFrames) {
    const to = Math.min(size, from + LIMITS.againFrames);
    if (!(await bytesHere(log, from, to, signal))) return undefined;
    await runInSlices(readFrames(log, reader, from, to), signal);
    if (signal.aborted) return undefined;
    onRead(to);
  }
  return reader.traffic();
}

function* readFrames(log: Log, reader: TrafficReader, from: number, to: number): Generator<void, void> {
  for (let index = from; index < to; index++) {
    const kind = log.columns.kind(index);
    if (kind === 'stderr' || kind === 'other') continue;
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
