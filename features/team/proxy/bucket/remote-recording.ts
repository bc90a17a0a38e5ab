import type { RecordingSource } from '@/lib/hub/hub';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { inflateOnThread, runningSha256 } from '@/proxy/files/native-codecs';
import { SpillFile } from '@/proxy/files/spill-file';
import { INDEX_FROM_BYTES } from './indexed-copy';
import { readKey } from './keys';
import type { ObjectStore, StoredObject } from './object-store';
import { type BucketFile, ReadingBudget, remoteFile } from './remote-file';
import { type S3Address, s3Url } from './s3-address';
import { StoreError } from './store-error';

/** Bytes requested at a time of a download. */
const DOWNLOAD_BYTES = 8 * 1024 * 1024;

/** The part of a store that is read. */
export type ReadableStore = Pick<ObjectStore, 'read' | 'head'>;

/** A recording in the bucket, to be opened by ranges of its object. */
export interface BucketRecording {
  readonly source: RecordingSource;
  /** Says how much of the index may be read. */
  readonly budget: ReadingBudget;
  /** Bytes requested from the store since it was opened. */
  readonly requestedBytes: number;
}

/** A recording in a bucket. */
export interface RemoteName {
  readonly address: S3Address;
  /** Below the prefix of the address. */
  readonly key: string;
}

interface FindOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of index that are read before a person is asked. Absent: `FIRST_INDEX_BYTES`. */
  readonly indexBytes?: number;
}

/**
 * Finds a recording in the bucket. Opening it rejects with a RecordingError if all of it would have to be read: it has
 * no index, or is compressed. Rejects with a StoreError `store-missing` if there is none.
 */
export async function findRemote(
  store: ReadableStore,
  { address, key }: RemoteName,
  { signal, indexBytes }: FindOptions = {},
): Promise<BucketRecording> {
  const object = await existing(store, { address, key }, signal);
  const budget = new ReadingBudget(indexBytes);
  const files: BucketFile[] = [];
  return {
    budget,
    get requestedBytes() {
      return files.reduce((sum, file) => sum + file.requestedBytes, 0);
    },
    source: {
      file: key.slice(key.lastIndexOf('/') + 1),
      from: s3Url(address, key),
      length: object.bytes,
      inParts: true,
      mayRead: (bytes, onWaiting) => budget.mayRead(bytes, onWaiting),
      // A shorter one has no index.
      wholeBytes: INDEX_FROM_BYTES,
      // Never read: what can't be read in parts is refused.
      bytes: () => new ReadableStream({}, { highWaterMark: 0 }),
      // Another file each time: the one before is closed with its connection.
      parts: async () => {
        const file = remoteFile(store, object);
        files.push(file);
        return file;
      },
      reader: () => new RecordingReader(runningSha256()),
      inflate: inflateOnThread,
      openSpill: () => new SpillFile(),
      signal,
    },
  };
}

interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  onRead?(progress: ReadingProgress): void;
}

/**
 * Reads a whole recording. Throws a StoreError, also at its end if the bytes are not those that its key names: what was
 * written until then must be deleted.
 */
export async function* download(
  store: ReadableStore,
  { address, key }: RemoteName,
  { signal, onRead }: DownloadOptions = {},
): AsyncGenerator<Uint8Array> {
  const { bytes: size, etag } = await existing(store, { address, key }, signal);
  const digest = runningSha256();
  const part = (from: number) => {
    const range = [from, Math.min(size, from + DOWNLOAD_BYTES)] as const;
    return from < size ? store.read(key, { range, signal, ...(etag !== '' && { etag }) }) : undefined;
  };
  let next = part(0);
  for (let at = 0; next; ) {
    const bytes = await next;
    at += bytes.length;
    next = part(at);
    // If the caller stops early, nothing awaits this promise, and its rejection would be unhandled.
    next?.catch(() => {});
    digest.update(bytes);
    onRead?.({ done: at, of: size });
    yield bytes;
  }
  const named = readKey(key)?.sha256;
  if (named !== undefined && named !== digest.hex()) {
    throw new StoreError(
      'store-damaged',
      `${s3Url(address, key)} does not hold the bytes that its name promises, so it was damaged or replaced.`,
      'Ask the people who can write to the bucket.',
    );
  }
}

async function existing(
  store: ReadableStore,
  { address, key }: RemoteName,
  signal: AbortSignal | undefined,
): Promise<StoredObject> {
  const object = await store.head(key, signal);
  if (!object) {
    throw new StoreError(
      'store-missing',
      `There is no ${s3Url(address, key)}.`,
      'Check the address with `mcp-inspect recordings s3://BUCKET`. The object may have expired.',
    );
  }
  if (Number.isSafeInteger(object.bytes) && object.bytes <= LIMITS.recordingBytes) return object;
  throw new StoreError(
    'store-refused',
    `${s3Url(address, key)} is larger than ${formatBytes(LIMITS.recordingBytes)}.`,
    'Name a recording that mcp-inspect pushed.',
  );
}
