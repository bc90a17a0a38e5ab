import { formatSize, formatSpan } from '../headless/amounts';
import { table } from '../headless/table';
import { listRecordings } from '../recorder/list-recordings';
import { ownRecordingsFolder } from '../recorder/recordings-folder';

const HEADINGS = ['WHEN', 'SERVER', 'HOW LONG', 'FRAMES', 'SIZE', 'FILE'];

/** What `mcp-inspect recordings` prints: the recordings that are kept, newest first, and how to open one. */
export async function recordingsText(width: number | undefined): Promise<string> {
  const folder = ownRecordingsFolder();
  const recordings = await listRecordings(folder);
  if (recordings.length === 0) return `Nothing is recorded in ${folder}. Connect to a server, and it will be.\n`;
  const rows = recordings.map(({ at, name: server, about, durationUs, frames, bytes, id, live }) => [
    at.slice(0, 19).replace('T', ' '),
    `${about?.name ? `${about.name} (${server})` : server}${live ? ' (being recorded)' : ''}`,
    durationUs === undefined ? '' : formatSpan(durationUs),
    frames === undefined ? '' : String(frames),
    formatSize(bytes),
    id,
  ]);
  const used = recordings.reduce((sum, { bytes }) => sum + bytes, 0);
  return `${table(HEADINGS, rows, width)}\n\n${recordings.length} kept, ${formatSize(used)}, in ${folder}\nmcp-inspect open FILE shows one.\n`;
}
