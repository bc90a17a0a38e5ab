import { ProblemList } from '@/lib/problems/problem-list';
import { plainBytes } from '@/lib/recording/plain-bytes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import type { Frame } from '@/lib/wire/frame';
import { startProblemsWorker } from './problems-worker';

/** How many problems the rules find in a recording's file, besides what is good to know. Rejects for what is none. */
export async function countProblems(file: Blob): Promise<number> {
  const worker = startProblemsWorker();
  const list = new ProblemList();
  const check = (frames: readonly Frame[]) =>
    new Promise<void>((resolve) => {
      worker.onmessage = ({ data }) => {
        list.take(data);
        resolve();
      };
      worker.postMessage({ frames }, []);
    });
  try {
    const reader = new RecordingReader();
    for await (const chunk of plainBytes(file.stream() as ReadableStream<Uint8Array<ArrayBuffer>>)) {
      const frames = reader.push(chunk);
      if (frames.length > 0) await check(frames);
    }
    reader.end();
    return list.count;
  } finally {
    worker.terminate();
  }
}
