import type { RecordingEntry } from '@/lib/wire/api';
import { listRecordings } from '../recorder/list-recordings';
import { ownRecordingsFolder } from '../recorder/recordings-folder';
import { formatSize, formatSpan } from '../terminal/amounts';
import { table } from '../terminal/table';

const HEADINGS = ['WHEN', 'SERVER', 'HOW LONG', 'FRAMES', 'SIZE', 'FILE'];

/** What `mcp-inspect recordings` prints: the recordings that are kept, newest first, and how to open one. */
export async function recordingsText(width: number | undefined): Promise<string> {
  const folder = ownRecordingsFolder();
  const recordings = await listRecordings(folder);
  if (recordings.length === 0) return `Nothing is recorded in ${folder}. Connect to a server, and it will be.\n`;
  const rows = recordings.map((entry) => [
    entry.at.slice(0, 19).replace('T', ' '),
    namesOf(entry) + stateOf(entry),
    entry.durationUs === undefined ? '' : formatSpan(entry.durationUs),
    entry.frames === undefined ? '' : String(entry.frames),
    formatSize(entry.bytes),
    entry.id,
  ]);
  const used = recordings.reduce((sum, { bytes }) => sum + bytes, 0);
  return `${table(HEADINGS, rows, width)}\n\n${recordings.length} kept, ${formatSize(used)}, in ${folder}\nmcp-inspect open FILE shows one.\n`;
}

/** What a person calls it, and its server itself; else what that was called where it was connected. */
function namesOf({ name, server = name, about }: RecordingEntry): string {
  return about?.name ? `${about.name} (${server})` : server;
}

function stateOf({ live, incomplete, unreadable }: RecordingEntry): string {
  if (unreadable) return ' (no recording)';
  if (live) return ' (being recorded)';
  return incomplete ? ' (incomplete)' : '';
}
