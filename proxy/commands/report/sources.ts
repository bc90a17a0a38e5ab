import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lossesText } from '@/lib/recording/labels';
import type { ReportedRecording } from '@/lib/summary/questions/question';
import { countOf } from '@/lib/wire/format';
import { readBucketSummaries } from '@/proxy/bucket/bucket-summaries';
import { openStore } from '@/proxy/bucket/open-store';
import { s3Url } from '@/proxy/bucket/s3-address';
import { usageError } from '@/proxy/cli/exit-code';
import type { GivenOptions } from '@/proxy/cli/grammar';
import { linkedFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { recordingsIn, type Summaries, type SummariesProgress, summariesOf } from '@/proxy/recorder/summary-cache';
import { readBucketOptions } from '../shared/bucket-options';
import { runWithin } from '../shared/time-limit';

/** Recordings that a report rests on. */
export interface ReportSource {
  readonly recordings: readonly ReportedRecording[];
  /** Sentences about those that are missing. */
  readonly notes: readonly string[];
}

/** Says how many recordings lack something; undefined if none does. */
export function incompleteNotes(recordings: readonly ReportedRecording[]): readonly string[] {
  const text = lossesText(recordings.filter(({ summary }) => !summary.complete).length, recordings.length);
  return text === undefined ? [] : [text];
}

/** Files without a summary that are named. */
const NAMED_FAILURES = 5;

interface SourceOptions {
  readonly version: string;
  readonly given: GivenOptions;
  /** Unix ms; recordings that began earlier need not be read. */
  readonly since: number | undefined;
  readonly onProgress: (progress: SummariesProgress) => void;
}

/**
 * Reads the summaries of a file, of the recordings in a folder or a bucket, or of those that this machine keeps. Throws
 * an ExitError for anything else, and a StoreError.
 */
export async function readSource(word: string | undefined, options: SourceOptions): Promise<ReportSource> {
  if (word?.startsWith('s3://')) return readBucket(word, options);
  const { version, onProgress } = options;
  const own = ownRecordingsFolder();
  const paths = word === undefined ? await keptRecordings(own) : await namedRecordings(resolve(word));
  const { summaries, failed } = await summariesOf(paths, own, { version, onProgress, within: runWithin });
  return { recordings: summaries.map(({ path, summary }) => ({ place: path, summary })), notes: missingNotes(failed) };
}

/** Returns sentences about files without a summary. */
export function missingNotes(failed: Summaries['failed']): readonly string[] {
  const more = failed.length - NAMED_FAILURES;
  return [
    ...failed.slice(0, NAMED_FAILURES).map(({ path, reason }) => `${path}: ${reason}`),
    ...(more > 0 ? [`${countOf(more, 'more file')} could not be read.`] : []),
  ];
}

async function readBucket(url: string, { version, given, since, onProgress }: SourceOptions): Promise<ReportSource> {
  const opened = await openStore(url, { version, env: process.env, ...readBucketOptions(given) });
  try {
    const day = since === undefined ? '' : new Date(since).toISOString().slice(0, 10);
    const dataFolder = join(ownRecordingsFolder(), '..');
    const { summaries, unreadable, leftOut } = await readBucketSummaries(opened, dataFolder, {
      since: day,
      onProgress,
    });
    return {
      recordings: summaries.map(({ key, summary }) => ({ place: s3Url(opened.address, key), summary })),
      notes: [
        ...(unreadable > 0 ? [`The summaries of ${countOf(unreadable, 'recording')} could not be read.`] : []),
        ...(leftOut > 0 ? [`${countOf(leftOut, 'older recording')} left out: name a later time with --since.`] : []),
      ],
    };
  } finally {
    opened.store.close();
  }
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
