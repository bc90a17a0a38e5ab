import { parentPort, workerData } from 'node:worker_threads';
import { IndexReader, type WrittenLines } from './index-reader';

/** The recording's path, and the number of frames per index. */
export interface IndexWorkerData {
  readonly path: string;
  readonly framesEach: number;
}

/** A message to the worker. */
export interface IndexWork extends WrittenLines {
  /** True if no more lines follow. */
  readonly isLast: boolean;
}

/** An index line, or undefined after the last one. An error ends the worker. */
export type IndexReply = Uint8Array<ArrayBuffer> | undefined;

const { path, framesEach } = workerData as IndexWorkerData;
const reader = new IndexReader(path, framesEach);
const port = parentPort!;

function reply(lines: Iterable<Uint8Array>): void {
  for (const line of lines) {
    // A copy of its own, which is handed over.
    const own = Uint8Array.from(line);
    port.postMessage(own satisfies IndexReply, [own.buffer]);
  }
}

port.on('message', (work: IndexWork) => {
  reply(reader.readUpTo(work));
  if (!work.isLast) return;
  reply(reader.end());
  reader.close();
  port.postMessage(undefined satisfies IndexReply);
  port.close();
});
