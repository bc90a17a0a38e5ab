import { runWithin } from '@/proxy/commands/shared/time-limit';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { listRecordings } from '@/proxy/recorder/list-recordings';
import { cachedSummaries, summariesOf } from './summary-cache';

/** Largest recording that is read to complete a word. */
const READ_BYTES = 16 * 1024 * 1024;

/** Returns the names of the tools in the newest recording of a server; without one, of those in all known summaries. */
export async function toolNames(server: string | undefined, version: string): Promise<readonly string[]> {
  const folder = ownRecordingsFolder();
  if (server === undefined) {
    return cachedSummaries(folder, version).flatMap(({ tools }) => tools.map(({ name }) => name));
  }
  const named = server.slice(server.indexOf('/') + 1);
  const { recordings } = await listRecordings(folder, Number.POSITIVE_INFINITY);
  const newest = recordings.find(({ name, bytes, unreadable }) => name === named && !unreadable && bytes < READ_BYTES);
  if (!newest) return [];
  const { summaries } = await summariesOf([`${folder}/${newest.id}`], folder, { version, within: runWithin });
  return summaries.flatMap(({ summary }) => summary.tools.map(({ name }) => name));
}
