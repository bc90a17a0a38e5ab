import { join } from 'node:path';
import type { RecordingEntry } from '@/lib/wire/api';
import { formatBytes, formatLength } from '@/lib/wire/format';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { plainText } from '@/proxy/cli/output';
import { table } from '@/proxy/cli/table';
import { linkedFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { isImportedName } from '@/proxy/recorder/file-names';
import { isChangedFile, listRecordings } from '@/proxy/recorder/list-recordings';

const HEADINGS = ['WHEN', 'SERVER', 'HOW LONG', 'FRAMES', 'SIZE', 'FILE'];

/** Lists the recordings that are kept. */
export async function run(): Promise<ExitCode> {
  process.stdout.write(await recordingsText(process.stdout.columns));
  return EXIT.fine;
}

/** Formats the recordings that are kept, newest first, and how to open one. */
export async function recordingsText(width: number | undefined, folder = ownRecordingsFolder()): Promise<string> {
  const linked = linkedFolder(folder);
  if (linked) return plainText(`${linked.message} ${linked.advice}\n`);
  const { recordings } = await listRecordings(folder, Number.POSITIVE_INFINITY);
  if (recordings.length === 0) {
    return plainText(`No recordings in ${folder}. Connect a server to record it there.\n`);
  }
  const rows: string[][] = [];
  for (const entry of recordings) {
    const changed = await isChangedFile(join(folder, entry.id));
    rows.push([
      entry.at.slice(0, 19).replace('T', ' '),
      namesOf(entry) + stateOf(entry, changed),
      entry.durationUs === undefined ? '' : formatLength(entry.durationUs),
      entry.frames === undefined ? '' : String(entry.frames),
      formatBytes(entry.bytes),
      entry.id,
    ]);
  }
  const used = recordings.reduce((sum, { bytes }) => sum + bytes, 0);
  const sum = `${recordings.length} kept, ${formatBytes(used)}, in ${plainText(folder)}`;
  return `${table(HEADINGS, rows, width)}\n\n${sum}\nmcp-inspect open FILE shows one.\n`;
}

/**
 * Returns a person’s name for it with the server’s name. The server’s name is its own, else that of its command line.
 */
function namesOf({ name, server = name, about }: RecordingEntry): string {
  return about?.name ? `${about.name} (${server})` : server;
}

function stateOf({ id, live, incomplete, unreadable }: RecordingEntry, changed: boolean): string {
  if (unreadable) return ' (no recording)';
  if (live) return ' (being recorded)';
  const states = [
    ...(isImportedName(id) ? ['imported'] : []),
    ...(incomplete ? ['incomplete'] : []),
    ...(changed ? ['changed or damaged'] : []),
  ];
  return states.length === 0 ? '' : ` (${states.join(', ')})`;
}
