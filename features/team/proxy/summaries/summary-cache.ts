import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkedSummary } from '@/features/team/lib/summary/read-summary';
import type { RecordingSummary } from '@/features/team/lib/summary/recording-summary';
import { isObject, own } from '@/lib/json/value';
import { isFailure } from '@/lib/wire/lifecycle';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { type Beside, readBeside, writeBeside } from '@/proxy/files/data-folder';
import { isBeingRecorded } from '@/proxy/recorder/in-use';
import { listRecordings } from '@/proxy/recorder/list-recordings';
import { openFile } from '@/proxy/recorder/open-file';
import { summariseRecording } from './summarise-recording';

const FILE: Beside = 'summaries.json';
/** Most summaries that are kept, the newest used. About 20 MB. */
const MOST_KEPT = 5000;
/** Summaries that are made before they are written, so that a run that is stopped loses little. */
const WRITE_EACH = 50;

/** A file as it was when its summary was made. */
interface Kept {
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly summary: RecordingSummary;
}

/** Progress of reading summaries, in recordings. */
export interface SummariesProgress {
  readonly done: number;
  readonly of: number;
}

/** A summary and the file that it is of. */
export interface SummarisedFile {
  readonly path: string;
  readonly summary: RecordingSummary;
}

/** Summaries of recordings, and the files that have none. */
export interface Summaries {
  readonly summaries: readonly SummarisedFile[];
  /** Files that are not readable as recordings, with the reason. */
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

interface CacheOptions {
  /** Version of mcp-inspect: the rules of another one may find other things. */
  readonly version: string;
  /** Stops rules that hang. */
  readonly within: TimeLimit;
  readonly onProgress?: (progress: SummariesProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the summaries of recordings, and makes those of files that are new or have changed since. Keeps them beside
 * `folder`, the folder of recordings. Rejects once `signal` is aborted.
 */
export async function summariesOf(
  paths: readonly string[],
  folder: string,
  { version, within, onProgress = () => {}, signal }: CacheOptions,
): Promise<Summaries> {
  const known = readKept(folder, version);
  const used = new Map<string, Kept>();
  const failed: { path: string; reason: string }[] = [];
  let unsaved = 0;
  const save = () => {
    unsaved = 0;
    writeKept(folder, version, new Map([...known, ...used]));
  };
  for (const [at, path] of paths.entries()) {
    signal?.throwIfAborted();
    onProgress({ done: at, of: paths.length });
    try {
      const { size: bytes, mtimeMs } = await lstat(path);
      const kept = known.get(path);
      if (kept?.bytes === bytes && kept.mtimeMs === mtimeMs) {
        used.set(path, kept);
        continue;
      }
      used.set(path, { bytes, mtimeMs, summary: await summariseRecording(await openFile(path), { within }) });
      if (++unsaved >= WRITE_EACH) save();
    } catch (error) {
      failed.push({ path, reason: isFailure(error) ? error.message : (error as Error).message });
    }
  }
  if (unsaved > 0) save();
  onProgress({ done: paths.length, of: paths.length });
  return { summaries: Array.from(used, ([path, { summary }]) => ({ path, summary })), failed };
}

/** Returns the paths of the recordings in a folder that are whole, newest first, and how many are still written. */
export async function recordingsIn(
  folder: string,
): Promise<{ readonly paths: readonly string[]; readonly unfinished: number }> {
  const { recordings } = await listRecordings(folder, Number.POSITIVE_INFINITY);
  const all = recordings
    .filter(({ unreadable, newer }) => !unreadable && newer === undefined)
    .map(({ id }) => join(folder, id));
  const paths = all.filter((path) => !isBeingRecorded(path));
  return { paths, unfinished: all.length - paths.length };
}

/** Returns the summaries that are kept, without looking at the recordings, the newest used last. */
export function cachedSummaries(folder: string, version: string): readonly RecordingSummary[] {
  return Array.from(readKept(folder, version).values(), ({ summary }) => summary);
}

function readKept(folder: string, version: string): Map<string, Kept> {
  const kept = new Map<string, Kept>();
  const content = readBeside(folder, FILE);
  const files = isObject(content) && own(content, 'version') === version ? own(content, 'files') : undefined;
  for (const entry of Array.isArray(files) ? files : []) {
    if (!isObject(entry)) continue;
    const [path, bytes, mtimeMs] = ['path', 'bytes', 'mtimeMs'].map((key) => own(entry, key));
    if (typeof path !== 'string' || typeof bytes !== 'number' || typeof mtimeMs !== 'number') continue;
    try {
      kept.set(path, { bytes, mtimeMs, summary: checkedSummary(own(entry, 'summary')) });
    } catch {
      // It is made again.
    }
  }
  return kept;
}

/** Writes the newest used ones, which come last. A folder that is not writable costs time, nothing else. */
function writeKept(folder: string, version: string, kept: ReadonlyMap<string, Kept>): void {
  const files = Array.from(kept, ([path, entry]) => ({ path, ...entry })).slice(-MOST_KEPT);
  try {
    writeBeside(folder, FILE, { version, files });
  } catch {
    // The summaries are made again next time.
  }
}
