import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type AddressOptions, isS3Url } from '@/proxy/bucket/s3-address';
import { usageError } from '@/proxy/cli/exit-code';
import { linkedFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { writeNewFile } from '@/proxy/files/private-files';
import { folderUntilExit, withTemporaryFolder } from '@/proxy/files/temporary-folder';
import { listRecordings, readRecordingEntry } from '@/proxy/recorder/list-recordings';
import type { RecordingFile } from './recording-tables';

/** Names of recordings in a folder. */
const RECORDING = /\.mcpr\.(?:jsonl|gz)$/;

/** How the words of a command line are read. */
export interface FileAccess {
  /** Version of mcp-inspect. */
  readonly version: string;
  readonly options?: AddressOptions;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly signal?: AbortSignal | undefined;
  /** ISO 8601: leaves out recordings that began earlier. Those of a bucket are left out by their day. */
  readonly since?: string | undefined;
  /** For tests: stdin. */
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/**
 * Returns the recordings that words of a command line name: files, folders of recordings, recordings and prefixes in
 * buckets, and `-` for stdin. Without words, those that are kept. Throws an ExitError if there are none.
 */
export async function recordingFiles(words: readonly string[], access: FileAccess): Promise<readonly RecordingFile[]> {
  requireOneStdin(words);
  const files = words.length === 0 ? [...(await keptFiles())] : [];
  for (const word of words) files.push(...(await filesAt(word, access)));
  const { since } = access;
  if (since === undefined) return files;
  const isLater = await Promise.all(files.map((file) => startedSince(file, since)));
  return files.filter((_, at) => isLater[at]);
}

/** Returns the recording that one word names: a file, a recording in a bucket, or `-`. Throws an ExitError. */
export async function recordingFile(word: string, access: FileAccess): Promise<RecordingFile> {
  const [file, other] = word === '-' || isS3Url(word) ? await filesAt(word, access) : [named(word)];
  if (!other) return file!;
  throw usageError(`\`${word}\` has several recordings: name one of them.`);
}

/**
 * Returns words that name files, with a copy of stdin in place of `-`. For commands that read other files than
 * recordings too. Throws an ExitError.
 */
export async function withStdinCopied(
  words: readonly string[],
  stdin?: FileAccess['stdin'],
): Promise<readonly string[]> {
  requireOneStdin(words);
  const at = words.indexOf('-');
  return at < 0 ? words : words.with(at, (await fromStdin(stdin)).path);
}

/** Throws an ExitError if stdin would be read twice. */
export function requireOneStdin(words: readonly string[]): void {
  if (words.filter((word) => word === '-').length > 1) {
    throw usageError('`-` is stdin, which can be read only once: name a file in place of the other `-`.');
  }
}

/**
 * Runs `use` with the path of a recording on this machine. One of a bucket’s prefix is downloaded for that time.
 * Rejects with a StoreError.
 */
export async function withLocalFile<T>({ path, remote }: RecordingFile, use: (path: string) => Promise<T>): Promise<T> {
  if (!remote) return use(path);
  return withTemporaryFolder(async (folder) => {
    const local = join(folder, basename(path));
    await remote.spool(local);
    return use(local);
  });
}

function named(word: string): RecordingFile {
  return { path: resolve(word), shown: word, isNamed: true };
}

async function filesAt(word: string, access: FileAccess): Promise<readonly RecordingFile[]> {
  if (word === '-') return [await fromStdin(access.stdin)];
  return isS3Url(word) ? inBucket(word, access) : filesOf(word);
}

/** Copies stdin to a file, because recordings are read several times. */
async function fromStdin(stdin: FileAccess['stdin'] = process.stdin): Promise<RecordingFile> {
  const path = join(await folderUntilExit(), 'stdin.mcpr.jsonl');
  await writeNewFile(path, stdin);
  return { path, shown: '-', isNamed: true };
}

/** Returns a recording of a bucket, which is downloaded now, or those of a prefix. Loads the code only for them. */
async function inBucket(url: string, access: FileAccess): Promise<readonly RecordingFile[]> {
  const { version, options, env, signal } = access;
  const [{ openStore }, { bucketRecordings }, { readRecordingUrl, namesRecording }, { download }] = await Promise.all([
    import('@/proxy/bucket/open-store'),
    import('./bucket-recordings'),
    import('@/proxy/bucket/recording-url'),
    import('@/proxy/bucket/remote-recording'),
  ]);
  if (!namesRecording(url)) {
    const { store } = await openStore(url, { version, env, ...options });
    return bucketRecordings(url, store, signal);
  }
  const { place, find } = readRecordingUrl(url);
  const { store, address } = await openStore(place, { version, env, ...options });
  try {
    const key = await find(store, signal);
    const path = join(await folderUntilExit(), basename(key));
    await writeNewFile(path, download(store, { address, key }, { signal }));
    return [{ path, shown: url, isNamed: true }];
  } finally {
    store.close();
  }
}

/** Returns the recordings that are kept, newest first. Throws an ExitError if there are none. */
async function keptFiles(): Promise<readonly RecordingFile[]> {
  const folder = ownRecordingsFolder();
  const linked = linkedFolder(folder);
  if (linked) throw usageError(`${linked.message} ${linked.advice}`);
  const { recordings } = await listRecordings(folder, Number.POSITIVE_INFINITY);
  const kept = recordings
    .filter(({ unreadable }) => !unreadable)
    .map(({ id }) => ({ path: join(folder, id), shown: id, isNamed: false }));
  if (kept.length === 0) throw usageError('No recordings are kept. Name a file or a folder.');
  return kept;
}

async function filesOf(word: string): Promise<readonly RecordingFile[]> {
  const names = await readdir(word).catch(() => undefined);
  if (!names) return [named(word)];
  const found = names.filter((name) => RECORDING.test(name)).sort();
  if (found.length === 0) throw usageError(`There is no recording (NAME.mcpr.jsonl or NAME.mcpr.gz) in \`${word}\`.`);
  return found.map((name) => ({ path: resolve(word, name), shown: join(word, name), isNamed: false }));
}

/** True if a recording began then or later, or may have. */
async function startedSince({ path, remote }: RecordingFile, since: string): Promise<boolean> {
  if (remote) return remote.day >= since.slice(0, 10);
  const entry = await readRecordingEntry(dirname(path), basename(path)).catch(() => undefined);
  return entry === undefined || entry.at >= since;
}
