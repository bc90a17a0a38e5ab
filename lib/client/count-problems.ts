import { RecordedFrames } from '@/lib/har/recorded-frames';
import { recordingBytes } from '@/lib/har/recording-bytes';
import type { CheckWorker } from '@/lib/problems/problem-feed';
import { ProblemList } from '@/lib/problems/problem-list';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { startProblemsWorker } from './problems-worker';

/** What is used of a Worker. */
export type CountWorker = CheckWorker & { onerror: (() => void) | null };

/**
 * How many problems the rules find in a recording's file, besides what is good to know. Rejects for what is none, what unpacks to
 * more than is counted, and where the rules take longer than `LIMITS.rulesMs` over a portion.
 */
export async function countProblems(
  file: Blob,
  start: () => CountWorker = startProblemsWorker as () => CountWorker,
): Promise<number> {
  const worker = start();
  const list = new ProblemList();
  const check = (frames: readonly Frame[]) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the rules take too long')), LIMITS.rulesMs);
      worker.onmessage = ({ data }) => {
        clearTimeout(timer);
        list.take(data);
        resolve();
      };
      worker.onerror = () => {
        clearTimeout(timer);
        reject(new Error('the rules did not load'));
      };
      worker.postMessage({ frames }, []);
    });
  try {
    const recorded = new RecordedFrames();
    const source = file.stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
    for await (const frames of recorded.portions(recordingBytes(source, LIMITS.countedRecordingBytes))) {
      if (frames.length > 0) await check(frames);
    }
    // Of a part of it the number would be wrong.
    if (recorded.failure !== undefined) throw new Error(recorded.failure);
    return list.count;
  } finally {
    worker.terminate();
  }
}
