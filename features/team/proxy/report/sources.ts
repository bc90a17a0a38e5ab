import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportedRecording } from '@/features/team/lib/summary/questions/question';
import { readBucketSummaries } from '@/features/team/proxy/bucket/bucket-summaries';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import { namesFile } from '@/features/team/proxy/bucket/recording-url';
import { isS3Url, s3Url } from '@/features/team/proxy/bucket/s3-address';
import { type Summaries, type SummariesProgress, summariesOf } from '@/features/team/proxy/summaries/summary-cache';
import { lossesText } from '@/lib/recording/labels';
import { countOf } from '@/lib/wire/format';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { fileAccess } from '@/proxy/commands/shared/file-access';
import { type FileAccess, recordingFiles } from '@/proxy/commands/shared/recording-files';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { isBeingRecorded } from '@/proxy/recorder/in-use';
import { readBucketOptions } from '../bucket-options';

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

/** Says how many recordings are left out because their connections are open. Empty if there are none. */
export function unfinishedNotes(count: number): readonly string[] {
  if (count === 0) return [];
  const [what, whose] = count === 1 ? ['is', 'its connection has'] : ['are', 'their connections have'];
  return [`${countOf(count, 'recording')} ${what} still being written, and will be counted once ${whose} ended.`];
}

/** Files without a summary that are named. */
const NAMED_FAILURES = 5;

/**
 * Reads the summaries of the recordings that words of the command line name, from `--since` on; without words, of those
 * that are kept. A bucket has summaries, so nothing is downloaded. Throws an ExitError and a StoreError.
 */
export async function readSource(
  words: readonly string[],
  context: CommandContext,
  onProgress: (progress: SummariesProgress) => void,
): Promise<ReportSource> {
  const { version } = context;
  const access = fileAccess(context);
  const buckets = words.filter((word) => isS3Url(word) && !namesFile(word));
  const others = words.filter((word) => !buckets.includes(word));
  const parts: ReportSource[] = [];
  if (others.length > 0 || buckets.length === 0) {
    const files = await recordingFiles(others, access);
    const missing = files.find(({ path, isNamed }) => isNamed && !existsSync(path));
    if (missing) throw usageError(`\`${missing.shown}\` does not exist. Check the path after \`report\`.`);
    const whole = files.filter(({ path, isNamed }) => isNamed || !isBeingRecorded(path));
    const shown = new Map(
      whole.map((file) => [file.path, file.isNamed && isS3Url(file.shown) ? file.shown : file.path]),
    );
    const own = ownRecordingsFolder();
    const { summaries, failed } = await summariesOf([...shown.keys()], own, {
      version,
      onProgress,
      within: runWithin,
    });
    parts.push({
      recordings: summaries.map(({ path, summary }) => ({ place: shown.get(path) ?? path, summary })),
      notes: [...unfinishedNotes(files.length - whole.length), ...missingNotes(failed)],
    });
  }
  for (const url of buckets) parts.push(await readBucket(url, access, onProgress));
  const { since } = access;
  const recordings = parts.flatMap((part) => part.recordings);
  return {
    recordings: recordings.filter(({ summary: { at } }) => since === undefined || at >= since),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

/** Returns sentences about files without a summary. */
export function missingNotes(failed: Summaries['failed']): readonly string[] {
  const more = failed.length - NAMED_FAILURES;
  return [
    ...failed.slice(0, NAMED_FAILURES).map(({ path, reason }) => `${path}: ${reason}`),
    ...(more > 0 ? [`${countOf(more, 'more file')} could not be read.`] : []),
  ];
}

async function readBucket(
  url: string,
  { version, env, given, since = '' }: FileAccess,
  onProgress: (progress: SummariesProgress) => void,
): Promise<ReportSource> {
  const opened = await openStore(url, { version, env, ...(given && readBucketOptions(given)) });
  try {
    const dataFolder = join(ownRecordingsFolder(), '..');
    const day = since.slice(0, 10);
    const read = await readBucketSummaries(opened, dataFolder, { since: day, onProgress });
    const { summaries, unreadable, leftOut } = read;
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
