import { join } from 'node:path';
import { shellQuote } from '@/lib/sharing/snippets/shell-commands';
import type { RecordingEntry } from '@/lib/wire/api';
import { countOf, formatBytes, formatDate, formatLength } from '@/lib/wire/format';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import { lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { plainText } from '@/proxy/cli/plain-text';
import { table } from '@/proxy/cli/table';
import { linkedFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { isImportedName } from '@/proxy/recorder/file-names';
import { isChangedFile, listRecordings } from '@/proxy/recorder/list-recordings';
import { terminalJson } from '../shared/format-content';

const HEADINGS = ['STARTED', 'SERVER', 'DURATION', 'FRAMES', 'SIZE', 'FILE'];

/** Lists the recordings that are kept. */
export const run: RunCommand = async (context) => {
  const { request, printText } = context;
  const from = lastValue(request.given, 'from');
  if (from !== undefined) {
    const { listBucket } = await import('./bucket-list');
    return listBucket(context, from);
  }
  if (request.words.length > 0) {
    throw usageError('A query searches a bucket: add `--from s3://BUCKET`. `mcp-inspect search` searches local ones.');
  }
  if (request.given.has('json')) printText(await recordingsJson());
  else process.stdout.write(await recordingsText(process.stdout.columns));
  return EXIT.fine;
};

/** Formats the recordings that are kept as a JSON array, newest first. `duration` in seconds. */
export async function recordingsJson(folder = ownRecordingsFolder()): Promise<string> {
  const { recordings } = linkedFolder(folder)
    ? { recordings: [] }
    : await listRecordings(folder, Number.POSITIVE_INFINITY);
  return terminalJson(
    recordings.map(({ id, at, name, server = name, about, durationUs, frames, bytes, ...states }) => ({
      ...{ file: join(folder, id), started: at, server, name: about?.name, note: about?.text },
      ...(durationUs !== undefined && { duration: durationUs / 1e6 }),
      ...{ frames, bytes },
      state: states.unreadable ? 'unreadable' : states.live ? 'live' : states.incomplete ? 'incomplete' : 'complete',
    })),
  );
}

/** Formats the recordings that are kept, newest first, and the commands that open and share the newest. */
export async function recordingsText(width: number | undefined, folder = ownRecordingsFolder()): Promise<string> {
  const linked = linkedFolder(folder);
  if (linked) return plainText(`${linked.message} ${linked.advice}\n`);
  const { recordings } = await listRecordings(folder, Number.POSITIVE_INFINITY);
  if (recordings.length === 0) {
    return plainText(`No recordings in ${folder}. Connections that you open on the page are recorded there.\n`);
  }
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
  const used = recordings.reduce((sum, { bytes }) => sum + bytes, 0);
  const sum = plainText(
    `The folder ${folder} holds ${countOf(recordings.length, 'recording')}, ${formatBytes(used)} in all.`,
  );
  const newest = recordings.find(({ unreadable }) => !unreadable);
  return `${table(HEADINGS, rows, width)}\n\n${sum}\n${newest ? nextSteps(join(folder, newest.id)) : ''}`;
}

/** Returns the commands that open and share a recording. They need its path, so that they work in any folder. */
function nextSteps(path: string): string {
  const file = plainText(process.platform === 'win32' ? `"${path}"` : shellQuote(path));
  return `To open the newest: mcp-inspect open ${file}\nTo share it: mcp-inspect share ${file} --html recording.html\n`;
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
