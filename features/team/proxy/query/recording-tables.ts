import { basename, join } from 'node:path';
import type { StoreErrorCode } from '@/features/team/proxy/bucket/store-error';
import { lossesText } from '@/lib/recording/labels';
import { countOf, progressText } from '@/lib/wire/format';
import { isFailure } from '@/lib/wire/lifecycle';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import type { ReadRecording, RemoteRecording } from '@/proxy/commands/shared/recording-file';
import { deleteIfThere } from '@/proxy/files/existing-files';
import { openErrorText } from '@/proxy/recorder/open-file';
import { buildAll, type PreparedJob } from './build-all';
import { type CachedTables, type FileFacts, fileFacts, remoteFacts, type TableCache } from './table-cache';

/** Tables of a recording, with the name of its file. */
export interface RecordingTables extends CachedTables {
  readonly file: ReadRecording;
}

/** Recordings whose tables are looked for at the same time. */
const FOUND_AT_ONCE = 64;

type Told = Pick<CommandContext, 'status' | 'printNote'>;

/**
 * Returns the tables of recordings. Builds those that are missing or old, with progress. Recordings with the same id
 * count once. Throws an ExitError for a named file that can't be read, and the signal's reason once it is aborted.
 */
export async function recordingTables(
  files: readonly ReadRecording[],
  cache: TableCache,
  told: Told,
  signal: AbortSignal,
): Promise<readonly RecordingTables[]> {
  const found = new Map<ReadRecording, CachedTables>();
  const missing = new Set<ReadRecording>();
  const find = async (file: ReadRecording) => {
    try {
      const tables = await cache.find(await factsOfFile(file));
      if (tables) found.set(file, tables);
      else missing.add(file);
    } catch (error) {
      skip(file, openErrorText(error, 'after the query'), told);
    }
  };
  for (let at = 0; at < files.length; at += FOUND_AT_ONCE) {
    signal.throwIfAborted();
    await Promise.all(files.slice(at, at + FOUND_AT_ONCE).map(find));
  }
  if (missing.size > 0) {
    await buildMissing(
      files.filter((file) => missing.has(file)),
      ...([cache, found, told, signal] as const),
    );
    await cache.trim(new Set(Array.from(found.values(), ({ folder }) => folder)));
  }
  const all = withoutCopies(
    files.flatMap((file) => {
      const tables = found.get(file);
      return tables ? [{ ...tables, file }] : [];
    }),
    told,
  );
  noteLosses(all, told);
  return all;
}

/** Says what named recordings lack, and how many others lack something. */
function noteLosses(all: readonly RecordingTables[], { printNote }: Told): void {
  const lacking = all.filter(({ lacks }) => lacks !== undefined);
  for (const { file, lacks } of lacking) if (file.isNamed) printNote(`mcp-inspect: ${file.shown}: ${lacks}`);
  const others = lossesText(lacking.filter(({ file }) => !file.isNamed).length, all.length);
  if (others !== undefined) printNote(`mcp-inspect: ${others}`);
}

async function buildMissing(
  files: readonly ReadRecording[],
  cache: TableCache,
  found: Map<ReadRecording, CachedTables>,
  told: Told,
  signal: AbortSignal,
): Promise<void> {
  const { status } = told;
  const facts = await Promise.all(files.map(factsOfFile));
  const folders: string[] = [];
  const begun = new Set<ReadRecording>();
  const of = files.length === 1 ? '' : ` of ${countOf(files.length, 'recording')}`;
  const jobs = files.map((file, at): PreparedJob => {
    const { path, remote, shown } = file;
    const folder = cache.begin(at);
    folders.push(folder);
    const spooled = remote && join(folder, basename(path));
    return {
      path: spooled ?? path,
      folder,
      ...(remote && { before: () => download(remote, spooled!) }),
      onProgress: (progress) => {
        begun.add(file);
        status.show(`Reading ${shown}${of && ` (${begun.size}${of})`}: ${progressText(progress)}`);
      },
      after: async (building) => {
        if (spooled !== undefined) await deleteIfThere(spooled);
        if ('failed' in building) return skip(file, building.failed, told);
        const pushed = await remote?.pushed();
        const built = { ...building, row: { ...building.row, ...pushed } };
        found.set(file, await cache.keep(folder, facts[at]!, built));
      },
    };
  });
  try {
    await buildAll(jobs, signal);
  } finally {
    for (const folder of folders) cache.forget(folder);
    status.end();
  }
}

/** Failures of one recording in a bucket. All others end the query. */
const OF_ONE: ReadonlySet<string> = new Set<StoreErrorCode>(['store-missing', 'store-damaged']);

/** Downloads a recording. Returns why it can't be used. Rejects with a StoreError. */
async function download(remote: RemoteRecording, path: string): Promise<string | undefined> {
  try {
    await remote.spool(path);
    return undefined;
  } catch (error) {
    if (isFailure(error) && OF_ONE.has(error.code)) return `${error.message} ${error.advice}`;
    throw error;
  }
}

function factsOfFile({ path, remote }: ReadRecording): Promise<FileFacts> | FileFacts {
  return remote ? remoteFacts(remote.digest) : fileFacts(path);
}

function skip({ shown, isNamed }: ReadRecording, reason: string, { printNote }: Told): void {
  const sentence = `\`${shown}\` can’t be opened. ${reason}`;
  if (isNamed) throw usageError(sentence);
  printNote(`mcp-inspect: ${sentence}`);
}

/** Leaves out recordings whose id came before: their rows would get mixed up. */
function withoutCopies(all: readonly RecordingTables[], { printNote }: Told): readonly RecordingTables[] {
  const first = new Map<unknown, RecordingTables>();
  for (const tables of all) {
    const before = first.get(tables.row.recording);
    if (!before) first.set(tables.row.recording, tables);
    else if (before.folder !== tables.folder)
      printNote(
        `mcp-inspect: \`${tables.file.shown}\` is left out: it is the same recording as \`${basename(before.file.shown)}\`.`,
      );
  }
  return [...first.values()];
}
