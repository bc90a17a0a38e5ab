import { openToRead } from '@/proxy/files/existing-files';
import type { PreparedCopy } from '@/proxy/recorder/outbox';
import { recordingKey, summaryKey } from './keys';
import { bodyOf, type ObjectStore, type UploadState, type Written } from './object-store';
import { StoreError } from './store-error';

/** A recording that is ready to be uploaded. */
export interface Upload {
  /** Path of the redacted copy. */
  readonly copy: string;
  readonly prepared: PreparedCopy;
  /** The summary as JSON. */
  readonly summary: Uint8Array;
  readonly resume?: UploadState | undefined;
}

interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  onProgress?(done: number, of: number): void;
  onState?(state: UploadState | undefined): void;
}

const RECORDING_TYPE = 'application/x-ndjson';
const SUMMARY_TYPE = 'application/json';

/**
 * Uploads a recording and then its summary, by which it is listed: nothing is visible before it is whole. Doing it
 * again does no harm, because keys name the content. Rejects with a StoreError, or the system's error for the copy.
 */
export async function uploadRecording(
  store: ObjectStore,
  { copy, prepared, summary, resume }: Upload,
  { signal, onProgress, onState }: UploadOptions = {},
): Promise<Written> {
  const file = await openToRead(copy);
  try {
    const { bytes } = prepared;
    const body = {
      bytes,
      type: RECORDING_TYPE,
      async read(from: number, to: number) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
        if (bytesRead === to - from) return buffer;
        throw new StoreError('store-damaged', 'The copy in the outbox was changed.', 'Push the recording again.');
      },
    };
    const written = await store.write(recordingKey(prepared), body, {
      ifNoneMatch: '*',
      signal,
      resume,
      onProgress: (done) => onProgress?.(done, bytes),
      onState: (state) => onState?.(state),
    });
    await store.write(summaryKey(prepared), bodyOf(summary, SUMMARY_TYPE), { ifNoneMatch: '*', signal });
    return written;
  } finally {
    await file.close();
  }
}
