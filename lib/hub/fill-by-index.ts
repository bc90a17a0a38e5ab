import { RecordedFrames } from '@/lib/reading/recorded-frames';
import { decodeLine } from '@/lib/recording/decode-line';
import type { Inflate } from '@/lib/recording/index-line';
import { LineCutter } from '@/lib/recording/line-cutter';
import { bytesFrom, type RandomAccess } from '@/lib/recording/random-access';
import { type IndexedRecording, indexChunks } from '@/lib/recording/read-index';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import { LIMITS } from '@/lib/wire/limits';
import type { SkimmedLog } from './skimmed-log';

/** Who has the log. */
export interface Filling {
  readonly log: SkimmedLog;
  readonly file: RandomAccess;
  /** True once nobody wants it any more. */
  readonly stopped: () => boolean;
  /** By what indexes are unpacked. Absent: by what every platform has. */
  readonly inflate?: Inflate | undefined;
}

/**
 * Fills an empty log by the indexes of its file, and with what was added behind them; `took` hears of the frames from a seq on. False
 * where the indexes can't be true: then what the log has is of no use.
 */
export async function fillByIndex(
  { log, file, stopped, inflate }: Filling,
  indexed: IndexedRecording,
  took: (from: number) => Promise<void>,
): Promise<boolean> {
  for await (const chunk of indexChunks(file, indexed, inflate)) {
    if (stopped()) return true;
    const from = log.last + 1;
    if (!chunk || !(await isTaken(log.takeChunk(chunk)))) return false;
    await took(from);
  }
  const from = log.last + 1;
  const isSound = await takeAdded(log, file, indexed.header.version);
  if (isSound && log.last >= from) await took(from);
  return isSound;
}

/**
 * Reads the whole file, with rests, and holds its frames against those in the log, once nobody has been sent any of these for `quietMs`. Resolves
 * with what was read; undefined if it is not what the indexes say, or nobody wants it any more.
 */
export async function checkIndex(
  { log, file, stopped }: Filling,
  reader: RecordingReader,
  quietMs: number,
): Promise<RecordedFrames | undefined> {
  const recorded = new RecordedFrames(reader);
  const quiet = async () => {
    for (let left = log.sentAt + quietMs - performance.now(); left > 0 && !stopped(); ) {
      await sleep(left);
      left = log.sentAt + quietMs - performance.now();
    }
  };
  await sleep(quietMs);
  for await (const frames of recorded.portions(restfully(bytesFrom(file, 0, LIMITS.indexCheckBytes), quiet))) {
    if (stopped() || !(await log.holds(frames))) return undefined;
  }
  return recorded.report?.frames === log.inFile ? recorded : undefined;
}

/** Waits until it is `quiet`, and lets others have as much of the time. */
async function* restfully<T>(portions: AsyncIterable<T>, quiet: () => Promise<void>): AsyncGenerator<T> {
  for await (const portion of portions) {
    await quiet();
    const began = performance.now();
    yield portion;
    await sleep(performance.now() - began);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function isTaken(taking: Promise<void>): Promise<boolean> {
  return taking.then(
    () => true,
    () => false,
  );
}

/** Notes that were added behind the indexes. False if there is anything else. */
async function takeAdded(log: SkimmedLog, file: RandomAccess, version: number): Promise<boolean> {
  const from = log.lastPlace;
  const cutter = new LineCutter(LIMITS.recordedLineBytes);
  for await (const chunk of bytesFrom(file, from)) {
    for (const line of cutter.push(chunk)) {
      // The last that the indexes have.
      if (cutter.at === 0) continue;
      const decoded = line && decodeLine(line, version);
      if (decoded?.is === 'index' || decoded?.is === 'end') continue;
      if (decoded?.is !== 'frame') return false;
      const { n, frame, isJson } = decoded;
      if (n !== log.last + 1 || frame.channel !== 'lifecycle') return false;
      const time = Math.max(frame.time, log.lastTime);
      log.takeWhole({ ...frame, time, seq: n, at: from + cutter.at, blobsAt: [], isJson });
    }
  }
  return cutter.rest === 0;
}
