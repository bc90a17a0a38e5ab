import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ReportedRecording } from '@/lib/summary/questions/question';
import { usageError } from '@/proxy/cli/exit-code';
import { linkedFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { recordingsIn, type Summaries, type SummariesProgress, summariesOf } from '@/proxy/recorder/summary-cache';
import { runWithin } from '../time-limit';

/** Recordings that a report rests on, and files that could not be read. */
export interface ReportSource {
  readonly recordings: readonly ReportedRecording[];
  readonly failed: Summaries['failed'];
}

interface SourceOptions {
  readonly version: string;
  readonly onProgress: (progress: SummariesProgress) => void;
}

/**
 * Reads the summaries of a file, of the recordings in a folder, or of those that this machine keeps. Throws an
 * ExitError for anything else.
 */
export async function readSource(word: string | undefined, options: SourceOptions): Promise<ReportSource> {
  if (word?.startsWith('s3://'))
    throw usageError('A report over a bucket needs its summaries: `report` reads files and folders.');
  const own = ownRecordingsFolder();
  const paths = word === undefined ? await keptRecordings(own) : await namedRecordings(resolve(word));
  const { summaries, failed } = await summariesOf(paths, own, { ...options, within: runWithin });
  return { recordings: summaries.map(({ path, summary }) => ({ place: path, summary })), failed };
}

async function keptRecordings(folder: string): Promise<readonly string[]> {
  const linked = linkedFolder(folder);
  if (linked) throw usageError(`${linked.message} ${linked.advice}`);
  return recordingsIn(folder);
}

async function namedRecordings(path: string): Promise<readonly string[]> {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts) throw usageError(`\`${path}\` does not exist. Check the path after \`report\`.`);
  return facts.isDirectory() ? recordingsIn(path) : [path];
}
