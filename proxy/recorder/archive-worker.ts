// Entry of the worker that converts an HTTP Archive: `convert-archive.ts` starts it and describes the messages.
import { parentPort, workerData } from 'node:worker_threads';
import type { RecordingError } from '@/lib/recording/errors';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import type { ArchiveFile, FromArchiveWorker } from './convert-archive';
import { openFile } from './open-file';

/** Most messages with lines that the other thread has not taken. */
const AHEAD = 8;
/** Milliseconds between two reports of the progress. */
const PROGRESS_MS = 50;

const port = parentPort!;
let ahead = 0;
let wake = (): void => {};
port.on('message', () => {
  ahead--;
  wake();
});

function send(message: FromArchiveWorker): void {
  port.postMessage(message);
}

async function convert(file: ArchiveFile): Promise<void> {
  const { bytes } = await openFile(file.path, file);
  let reportedAt = 0;
  const onRead = (read: number): void => {
    if (performance.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = performance.now();
    send({ is: 'read', bytes: read });
  };
  for await (const lines of recordingBytes(bytes, { onRead })) {
    // A copy, because lines may share their buffer with others.
    const copy = lines.slice();
    port.postMessage({ is: 'lines', bytes: copy } satisfies FromArchiveWorker, [copy.buffer]);
    ahead++;
    while (ahead >= AHEAD) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

send({ is: 'began' });
try {
  await convert(workerData as ArchiveFile);
  send({ is: 'end' });
} catch (error) {
  const { code, message, advice } = error as RecordingError;
  send({ is: 'failed', error: { code, message, advice } });
}
