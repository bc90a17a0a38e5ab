import { NEEDS_EVERY_FRAME } from '@/lib/problems/problem';
import type { CheckWorker } from '@/lib/problems/problem-feed';
import { ProblemList } from '@/lib/problems/problem-list';
import { runningDigest } from '@/lib/recording/digests';
import { isMissingFrame, isNote } from '@/lib/recording/lifecycle-event';
import { recordingLacks } from '@/lib/recording/read-header';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import { startProblemsWorker } from './workers';

/** The used part of a Worker. */
export type CountWorker = CheckWorker & { onerror: (() => void) | null };

/** The facts of a recording's file, known once all of it was read. */
export interface CheckedRecording {
  /** Number of problems, without hints. */
  readonly problems: number;
  /** Number of frames, without notes. */
  readonly frames: number;
  /** Time of the last frame, in microseconds. */
  readonly durationUs: number;
  readonly report: RecordingReport;
}

/**
 * Reads a recording's file to its end and runs the rules over it. Rejects if the file is not a recording or unpacks to
 * more than `LIMITS.countedRecordingBytes`. Also rejects if the rules take longer than `LIMITS.rulesMs` for one
 * portion.
 */
export async function checkRecording(
  file: Blob,
  start: () => CountWorker = startProblemsWorker as () => CountWorker,
): Promise<CheckedRecording> {
  const worker = start();
  const list = new ProblemList();
  const check = (frames: readonly Frame[]) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The rules take too long.')), LIMITS.rulesMs);
      worker.onmessage = ({ data }) => {
        if ('checking' in data) return;
        clearTimeout(timer);
        list.addResults(data);
        resolve();
      };
      worker.onerror = () => {
        clearTimeout(timer);
        reject(new Error('The rules did not load.'));
      };
      worker.postMessage({ frames }, []);
    });
  try {
    let held = 0;
    const reader = new RecordingReader(runningDigest());
    const recorded = new TolerantReader(reader, () => held > LIMITS.countedRecordingBytes);
    const source = file.stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
    let [happened, durationUs] = [0, 0];
    for await (const frames of recorded.portions(recordingBytes(source, { mostBytes: LIMITS.countedRecordingBytes }))) {
      durationUs = frames.at(-1)?.time ?? durationUs;
      for (const frame of frames) {
        held += frame.bytes.length;
        if (!isNote(frame) && !isMissingFrame(frame)) happened++;
      }
      if (frames.length > 0 && held <= LIMITS.countedRecordingBytes) await check(frames);
    }
    // Counts from a partly read file would be wrong.
    if (recorded.failure !== undefined) throw new Error(recorded.failure);
    const report = recorded.report!;
    const { damaged, missing } = recordingLacks(report, reader.header?.lacks) ?? {};
    const isWhole = damaged === undefined && missing === undefined;
    return {
      problems: (isWhole ? list : list.without(NEEDS_EVERY_FRAME)).count,
      frames: happened,
      durationUs,
      report,
    };
  } finally {
    worker.terminate();
  }
}
