import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type AddressOptions, isS3Url } from '@/proxy/bucket/s3-address';
import { usageError } from '@/proxy/cli/exit-code';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { listRecordings } from '@/proxy/recorder/list-recordings';
import type { RecordingFile } from './recording-tables';

/** Names of recordings in a folder. */
const RECORDING = /\.mcpr\.(?:jsonl|gz)$/;

/**
 * Returns the recordings that words of a command line name: files, folders of recordings, and addresses in buckets.
 * Without words, those that are kept. Throws an ExitError if there are none.
 */
export async function recordingFiles(
  words: readonly string[],
  bucket: BucketAccess,
): Promise<readonly RecordingFile[]> {
  if (words.length === 0) return keptFiles();
  const files: RecordingFile[] = [];
  for (const word of words) files.push(...(isS3Url(word) ? await inBucket(word, bucket) : await filesOf(word)));
  return files;
}

/** How buckets are reached. */
interface BucketAccess {
  /** Version of mcp-inspect. */
  readonly version: string;
  readonly options?: AddressOptions;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly signal: AbortSignal;
}

/** Loads the code of buckets only for them. */
async function inBucket(
  url: string,
  { version, options, env, signal }: BucketAccess,
): Promise<readonly RecordingFile[]> {
  const [{ openStore }, { bucketRecordings }] = await Promise.all([
    import('@/proxy/bucket/open-store'),
    import('./bucket-recordings'),
  ]);
  const { store } = await openStore(url, { version, env, ...options });
  return bucketRecordings(url, store, signal);
}

async function keptFiles(): Promise<readonly RecordingFile[]> {
  const folder = ownRecordingsFolder();
  const { recordings } = await listRecordings(folder, Number.POSITIVE_INFINITY);
  const kept = recordings
    .filter(({ unreadable }) => !unreadable)
    .map(({ id }) => ({ path: join(folder, id), shown: id, isNamed: false }));
  if (kept.length === 0) throw usageError('No recordings are kept. Name a file or a folder.');
  return kept;
}

async function filesOf(word: string): Promise<readonly RecordingFile[]> {
  const names = await readdir(word).catch(() => undefined);
  if (!names) return [{ path: resolve(word), shown: word, isNamed: true }];
  const found = names.filter((name) => RECORDING.test(name)).sort();
  if (found.length === 0) throw usageError(`There is no recording (NAME.mcpr.jsonl or NAME.mcpr.gz) in \`${word}\`.`);
  return found.map((name) => ({ path: resolve(word, name), shown: join(word, name), isNamed: false }));
}
