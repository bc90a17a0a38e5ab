import { join } from 'node:path';
import { findRecordings, type WantedRecordings } from '@/features/team/lib/summary/find-recordings';
import { listedSummary } from '@/features/team/lib/summary/listed-recording';
import { isS3Url } from '@/features/team/proxy/bucket/s3-address';
import { summariesOf } from '@/features/team/proxy/summaries/summary-cache';
import { shellQuote } from '@/lib/sharing/snippets/shell-commands';
import type { RecordingEntry } from '@/lib/wire/api';
import { countOf, formatBytes, formatCount, formatDate, formatLength } from '@/lib/wire/format';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import { plainText } from '@/proxy/cli/plain-text';
import { table } from '@/proxy/cli/table';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { linkedFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { isImportedName } from '@/proxy/recorder/file-names';
import { isChangedFile, listRecordings } from '@/proxy/recorder/list-recordings';
import { endList, readCache, readWanted, rowsOf } from './wanted';

const HEADINGS = ['STARTED', 'SERVER', 'DURATION', 'FRAMES', 'SIZE', 'FILE'];

/** Lists recordings that match a query: those that are kept, or those of a bucket. */
export const run: RunCommand = async (context) => {
  const { request, printText } = context;
  const { words, given } = request;
  const [bucket, other] = words.filter(isS3Url);
  if (other !== undefined) throw usageError('Recordings of one bucket are listed at a time: name only one.');
  const wanted = readWanted(words.filter((word) => word !== bucket).join(' '), given);
  if (bucket !== undefined) {
    const { listBucket } = await import('./bucket-list');
    return listBucket(context, bucket, wanted);
  }
  if (readCache(given) !== undefined) throw usageError('`--cache` is about a bucket: add s3://BUCKET, or remove it.');
  const folder = ownRecordingsFolder();
  const found = await findKept(folder, wanted, context);
  const { rows, more } = rowsOf(found.recordings, given);
  if (given.has('json')) printText(keptJson(folder, rows));
  else process.stdout.write(await keptText(folder, { ...found, recordings: rows, more }, process.stdout.columns));
  return endList(words, found.recordings.length, context);
};

/** Recordings that are kept, and those that were looked at. */
interface Kept {
  readonly recordings: readonly RecordingEntry[];
  readonly all: readonly RecordingEntry[];
  /** Says how to see further ones. */
  readonly more?: string;
}

/** Finds recordings in the folder, newest first. A query is about summaries, which are made once and kept. */
export async function findKept(
  folder: string,
  wanted: WantedRecordings,
  { version, status }: Pick<CommandContext, 'version' | 'status'>,
): Promise<Kept> {
  const all = linkedFolder(folder) ? [] : (await listRecordings(folder, Number.POSITIVE_INFINITY)).recordings;
  const { since = '', until, words, tags, ...others } = wanted;
  const inTime = all.filter(({ at }) => at >= since && (until === undefined || at < until));
  if (words.length + tags.length + Object.keys(others).length === 0) return { all, recordings: inTime };
  const entries = new Map(
    inTime.filter(({ unreadable }) => !unreadable).map((entry) => [join(folder, entry.id), entry]),
  );
  const { summaries } = await summariesOf([...entries.keys()], folder, {
    version,
    within: runWithin,
    onProgress: ({ done, of }) => status.show(`Reading recordings: ${formatCount(done)} of ${formatCount(of)}`),
  });
  status.end();
  const listed = summaries.map(({ path, summary }) => listedSummary(summary, path));
  const found = new Set(findRecordings(listed, wanted).map(({ key }) => key));
  return { all, recordings: Array.from(entries).flatMap(([path, entry]) => (found.has(path) ? [entry] : [])) };
}

/** Formats recordings as a JSON array. `duration` in seconds. */
export function keptJson(folder: string, recordings: readonly RecordingEntry[]): string {
  return terminalJson(
    recordings.map(({ id, at, name, server = name, about, durationUs, frames, bytes, ...states }) => ({
      file: join(folder, id),
      started: at,
      server,
      name: about?.name,
      note: about?.text,
      ...(durationUs !== undefined && { duration: durationUs / 1e6 }),
      frames,
      bytes,
      state: states.unreadable ? 'unreadable' : states.live ? 'live' : states.incomplete ? 'incomplete' : 'complete',
    })),
  );
}

/** Formats recordings of a folder, and the commands that open and share the newest. */
export async function keptText(
  folder: string,
  { recordings, all, more }: Kept,
  width: number | undefined,
): Promise<string> {
  const linked = linkedFolder(folder);
  if (linked) return plainText(`${linked.message} ${linked.advice}\n`);
  if (all.length === 0) {
    return plainText(`No recordings in ${folder}. Connections that you open on the page are recorded there.\n`);
  }
  if (recordings.length === 0)
    return plainText(`No recording matches. The folder ${folder} holds ${countOf(all.length, 'recording')}.\n`);
  const rows: string[][] = [];
  for (const entry of recordings) {
    const changed = await isChangedFile(join(folder, entry.id));
    rows.push([
      formatDate(entry.at),
      namesOf(entry) + stateOf(entry, changed),
      entry.durationUs === undefined ? '' : formatLength(entry.durationUs),
      entry.frames === undefined ? '' : String(entry.frames),
      formatBytes(entry.bytes),
      entry.id,
    ]);
  }
  const used = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const sum = plainText(`The folder ${folder} holds ${countOf(all.length, 'recording')}, ${formatBytes(used)} in all.`);
  const newest = recordings.find(({ unreadable }) => !unreadable);
  const next = newest ? nextSteps(join(folder, newest.id)) : '';
  return `${table(HEADINGS, rows, width)}\n\n${sum}${more ?? ''}\n${next}`;
}

/** Returns the commands that open and share a recording. They need its path, so that they work in any folder. */
function nextSteps(path: string): string {
  const file = plainText(process.platform === 'win32' ? `"${path}"` : shellQuote(path));
  return `To open the newest: mcp-inspect open ${file}\nTo share it: mcp-inspect share ${file} --out recording.html\n`;
}

/** Returns the server’s name or command line. If a person named the recording, that name comes first. */
function namesOf({ name, server = name, about }: RecordingEntry): string {
  return about?.name ? `${about.name} (${server})` : server;
}

function stateOf({ id, live, incomplete, unreadable }: RecordingEntry, changed: boolean): string {
  if (unreadable) return ' (not a recording)';
  if (live) return ' (being recorded)';
  const states = [
    ...(isImportedName(id) ? ['imported'] : []),
    ...(incomplete ? ['incomplete'] : []),
    ...(changed ? ['changed or damaged'] : []),
  ];
  return states.length === 0 ? '' : ` (${states.join(', ')})`;
}
