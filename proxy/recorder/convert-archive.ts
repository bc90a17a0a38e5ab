import { Worker } from 'node:worker_threads';
import { RecordingError } from '@/lib/recording/errors';
import type { ConvertOptions } from '@/lib/recording/recording-bytes';

/** A file with an HTTP Archive, as it was opened. */
export interface ArchiveFile {
  readonly path: string;
  readonly ino: number;
  /** Bytes that are read. */
  readonly length: number;
}

/** A message of the worker. It sends `began` first, and `end` or `failed` last. */
export type FromArchiveWorker =
  | { readonly is: 'began' }
  /** Bytes of the archive that are read and converted. */
  | { readonly is: 'read'; readonly bytes: number }
  /** Lines of the recording. The worker waits for a message for each, so that it can't run far ahead. */
  | { readonly is: 'lines'; readonly bytes: Uint8Array }
  | { readonly is: 'end' }
  | { readonly is: 'failed'; readonly error: SentError };

/** A RecordingError, which has advice, or an error of the system. Messages can't have members of errors. */
interface SentError {
  readonly message: string;
  readonly code?: string | undefined;
  readonly advice?: string | undefined;
}

/** The build puts the worker beside the chunk that has this code. */
const WORKER = new URL('./archive-worker.js', import.meta.url);

/**
 * Converts an HTTP Archive to the lines of a recording in a worker, so that this thread answers requests meanwhile.
 * Throws as `recordingBytes` does. An abort, or leaving the loop, ends the worker. `here` converts on this thread if
 * the system can't start another one.
 */
export async function* convertArchive(
  file: ArchiveFile,
  { onRead, signal }: ConvertOptions,
  here: () => AsyncIterable<Uint8Array>,
  worker = WORKER,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const thread = new Worker(worker, { workerData: file, resourceLimits: { maxOldGenerationSizeMb: MOST_MIB } });
  const arrived: FromArchiveWorker[] = [];
  let wake = (): void => {};
  const onAbort = (): void => wake();
  const add = (message: FromArchiveWorker): void => {
    arrived.push(message);
    wake();
  };
  thread.on('message', add);
  thread.on('error', (error) => add({ is: 'failed', error }));
  // After an end or an error, nobody reads this.
  thread.on('exit', () => add({ is: 'failed', error: STOPPED }));
  signal?.addEventListener('abort', onAbort);
  let hasBegun = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const message = arrived.shift();
      switch (message?.is) {
        case undefined:
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          break;
        case 'began':
          hasBegun = true;
          break;
        case 'read':
          onRead?.(message.bytes);
          break;
        case 'lines':
          yield message.bytes;
          thread.postMessage('taken');
          break;
        case 'end':
          return;
        case 'failed':
          if (hasBegun) throw errorFrom(message.error);
          return yield* here();
      }
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await thread.terminate();
  }
}

function errorFrom({ code, message, advice }: SentError): Error {
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return TOO_LITTLE_MEMORY;
  if (code !== undefined && advice !== undefined) return new RecordingError(code, message, advice);
  return Object.assign(new Error(message), { code });
}

/** MiB of the worker's heap. The bytes of bodies are not in it. */
const MOST_MIB = 1024;

const STOPPED = new RecordingError(
  'har-stopped',
  'The conversion of this HTTP Archive stopped without an error.',
  'Try again. If it stops again, export only the MCP requests.',
);

const TOO_LITTLE_MEMORY = new RecordingError(
  'har-too-large',
  'The MCP traffic of this HTTP Archive does not fit into memory.',
  'Export only the MCP requests.',
);
