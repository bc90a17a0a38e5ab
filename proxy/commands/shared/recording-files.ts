import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { RemoteStore, StoreAccess } from '@/features/recording-store';
import { RECORDING_STORES } from '@/features/recording-stores';
import { countOf, formatCount } from '@/lib/wire/format';
import { usageError } from '@/proxy/cli/exit-code';
import { linkedFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { writeNewFile } from '@/proxy/files/private-files';
import { folderUntilExit, withTemporaryFolder } from '@/proxy/files/temporary-folder';
import { listRecordings, readRecordingEntry } from '@/proxy/recorder/list-recordings';
import type { ReadRecording } from './recording-file';

/** Files of a folder that are meant when the folder is named. */
interface FolderFiles {
  readonly names: RegExp;
  /** Describes them, after `no`. */
  readonly what: string;
}

const RECORDINGS: FolderFiles = {
  names: /\.mcpr\.(?:jsonl|gz)$/,
  what: 'recording (NAME.mcpr.jsonl or NAME.mcpr.gz)',
};

/** Files whose start is read at the same time. */
const STARTS_AT_ONCE = 16;

/** How the words of a command line are read. */
export interface FileAccess extends StoreAccess {
  /** ISO 8601: leaves out recordings that began earlier. */
  readonly since?: string | undefined;
  /** Which files of a folder are read. Absent: recordings. */
  readonly inFolders?: FolderFiles;
  /** The wanted ones of all recordings, counted from 1. */
  readonly limit?: { readonly first: number; readonly last: number } | undefined;
  /** For tests: stdin. */
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/**
 * Returns the recordings that words of a command line name: files, folders of recordings, recordings and prefixes in
 * buckets, and `-` for stdin. Without words, those that are kept. Throws an ExitError if there are none.
 */
export async function recordingFiles(words: readonly string[], access: FileAccess): Promise<readonly ReadRecording[]> {
  requireOneStdin(words);
  const files = words.length === 0 ? [...(await keptFiles())] : [];
  for (const word of words) files.push(...(await filesAt(word, access)));
  return chosenFiles(files, access);
}

/** Returns the files that `since` and `limit` choose. Throws an ExitError if these leave none of a limited choice. */
async function chosenFiles(
  files: readonly ReadRecording[],
  { since, limit }: Pick<FileAccess, 'since' | 'limit'>,
): Promise<readonly ReadRecording[]> {
  const started = since === undefined ? files : await startedSince(files, since);
  if (!limit) return started;
  if (started.length === 0) throw usageError(NONE_SINCE);
  const chosen = started.slice(limit.first - 1, limit.last);
  if (chosen.length > 0) return chosen;
  throw usageError(`\`--limit ${limit.first}-${limit.last}\` chooses none of ${countOf(started.length, 'file')}.`);
}

export const NONE_SINCE = 'No recording began since then: name an earlier time after `--since`.';

/** Returns the recordings that began then or later, or may have. */
export async function startedSince(files: readonly ReadRecording[], since: string): Promise<readonly ReadRecording[]> {
  const later: ReadRecording[] = [];
  for (let at = 0; at < files.length; at += STARTS_AT_ONCE) {
    const some = files.slice(at, at + STARTS_AT_ONCE);
    const isLater = await Promise.all(some.map((file) => isStartedSince(file, since)));
    later.push(...some.filter((_, place) => isLater[place]));
  }
  return later;
}

/** A file that a word of the command line names, on this machine. */
export interface LocalFile {
  readonly path: string;
  /** The word, or what a word with several files says of this one. */
  readonly shown: string;
}

/** Most recordings of a bucket that are downloaded before the first one is used. */
const MOST_DOWNLOADED = 100;

/**
 * Returns the file that one word names: a path as it is, and a copy of stdin (`-`) or of an object in a bucket
 * (`s3://…`), which is deleted when this process ends. Throws an ExitError and a StoreError.
 */
export async function localFile(word: string, access: FileAccess): Promise<LocalFile> {
  const files = isCopied(word) ? await recordingFiles([word], access) : [named(word)];
  if (files.length === 1) return (await copiesOf(files))[0]!;
  throw usageError(`\`${word}\` has several recordings: name one of them.`);
}

/** As {@link recordingFiles}, with a copy of each that is in a bucket. For commands that need all at once. */
export async function localFiles(words: readonly string[], access: FileAccess): Promise<readonly LocalFile[]> {
  return copiesOf(await recordingFiles(words, access));
}

async function copiesOf(files: readonly ReadRecording[]): Promise<readonly LocalFile[]> {
  const remote = files.filter((file) => file.remote).length;
  if (remote > MOST_DOWNLOADED) {
    throw usageError(
      `There are ${formatCount(remote)} recordings in the bucket, but this command reads ${MOST_DOWNLOADED} at once: name some of them.`,
    );
  }
  if (remote === 0) return files;
  const folder = await folderUntilExit();
  const local: LocalFile[] = [];
  for (const { path, shown, remote } of files) {
    const copy = remote ? join(folder, basename(path)) : path;
    await remote?.spool(copy);
    local.push({ path: copy, shown });
  }
  return local;
}

/** True for a word that names no path of this machine: stdin, or an address. Throws an ExitError. */
export function isCopied(word: string): boolean {
  return word === '-' || storeOf(word) !== undefined;
}

/** Returns the store of an address; undefined for any other word. Throws an ExitError if no store has its scheme. */
export function storeOf(word: string): RemoteStore | undefined {
  const [, scheme] = /^([a-z][a-z\d+.-]+):\/\//i.exec(word) ?? [];
  if (scheme === undefined) return undefined;
  const store = RECORDING_STORES.find((one) => one.scheme === scheme.toLowerCase());
  if (store) return store;
  throw usageError(`\`${word}\` can’t be read: mcp-inspect reads no ${scheme}:// addresses. Name a file.`);
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
export async function withLocalFile<T>({ path, remote }: ReadRecording, use: (path: string) => Promise<T>): Promise<T> {
  if (!remote) return use(path);
  return withTemporaryFolder(async (folder) => {
    const local = join(folder, basename(path));
    await remote.spool(local);
    return use(local);
  });
}

function named(word: string): ReadRecording {
  return { path: resolve(word), shown: word, isNamed: true };
}

async function filesAt(word: string, access: FileAccess): Promise<readonly ReadRecording[]> {
  if (word === '-') return [await fromStdin(access.stdin)];
  const store = storeOf(word);
  return store ? (await store.load()).recordingsAt(word, access) : filesOf(word, access.inFolders);
}

/** Copies stdin to a file, because recordings are read several times. */
async function fromStdin(stdin: FileAccess['stdin'] = process.stdin): Promise<ReadRecording> {
  const path = join(await folderUntilExit(), 'stdin.mcpr.jsonl');
  await writeNewFile(path, stdin);
  return { path, shown: '-', isNamed: true };
}

/** Returns the recordings that are kept, newest first. Throws an ExitError if there are none. */
async function keptFiles(): Promise<readonly ReadRecording[]> {
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

async function filesOf(word: string, wanted = RECORDINGS): Promise<readonly ReadRecording[]> {
  const names = await readdir(word).catch(() => undefined);
  if (!names) return [named(word)];
  const found = names.filter((name) => wanted.names.test(name)).sort();
  if (found.length === 0) throw usageError(`There is no ${wanted.what} in \`${word}\`.`);
  return found.map((name) => ({ path: resolve(word, name), shown: join(word, name), isNamed: false }));
}

async function isStartedSince({ path, remote }: ReadRecording, since: string): Promise<boolean> {
  if (remote) {
    const day = since.slice(0, 10);
    return remote.day > day || (remote.day === day && ((await remote.startedAt()) ?? since) >= since);
  }
  const entry = await readRecordingEntry(dirname(path), basename(path)).catch(() => undefined);
  return entry === undefined || entry.unreadable !== undefined || entry.at >= since;
}
