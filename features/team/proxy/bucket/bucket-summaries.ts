import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { checkedSummary, readSummary, SummaryError } from '@/features/team/lib/summary/read-summary';
import { type RecordingSummary, SUMMARY_BYTES, SUMMARY_VERSION } from '@/features/team/lib/summary/recording-summary';
import { groupBy } from '@/lib/store/columns/collections';
import { CacheFolder } from '@/proxy/files/cache-files';
import { type RecordingKey, readKey, recordingKey, SUMMARIES, summariesOfDay, summaryKey } from './keys';
import type { ObjectStore } from './object-store';
import type { S3Address } from './s3-address';
import { StoreError } from './store-error';

/** Most summaries of a report, the newest. They take about a gigabyte of memory at most. */
const MOST_REPORTED = 50_000;
/** Summaries that are read at the same time. */
const READ_AT_ONCE = 16;
/** Largest file of a day that is read, in bytes. */
const DAY_BYTES = 256 * 1024 * 1024;

/** A recording of a bucket and its summary. */
export interface BucketSummary {
  /** Key of the recording, below the prefix. */
  readonly key: string;
  readonly summary: RecordingSummary;
}

/** Summaries of a bucket. */
export interface BucketSummaries {
  readonly summaries: readonly BucketSummary[];
  /** Objects that are not the summary that their key names. */
  readonly unreadable: number;
  /** Older ones, beyond `MOST_REPORTED`. */
  readonly leftOut: number;
}

interface SummaryObject extends RecordingKey {
  readonly bytes: number;
}

interface Options {
  /** First day, such as `2026-11-26`; '' for all. */
  readonly since: string;
  readonly onProgress: (progress: { readonly done: number; readonly of: number }) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the summaries of a bucket's recordings, those since a day. Objects never change, so each is read once and then
 * kept in a file for its day, below `dataFolder`. Rejects with a StoreError.
 */
export async function readBucketSummaries(
  { store, address }: { readonly store: Pick<ObjectStore, 'list' | 'read'>; readonly address: S3Address },
  dataFolder: string,
  { since, onProgress, signal }: Options,
): Promise<BucketSummaries> {
  const keys: SummaryObject[] = [];
  const after = since === '' ? undefined : summariesOfDay(since);
  for await (const { key, bytes } of store.list(SUMMARIES, { ...(after !== undefined && { after }), signal })) {
    const read = readKey(key);
    if (read) keys.push({ ...read, bytes });
  }
  const wanted = keys.slice(-MOST_REPORTED);
  const folder = new CacheFolder(join(dataFolder, 'buckets', folderName(address)));
  const summaries: BucketSummary[] = [];
  let [done, unreadable] = [0, 0];
  for (const [day, ofDay] of groupBy(wanted, (each) => each.day)) {
    const known = await readDay(folder, day);
    const fresh: RecordingSummary[] = [];
    for (let at = 0; at < ofDay.length; at += READ_AT_ONCE) {
      await Promise.all(
        ofDay.slice(at, at + READ_AT_ONCE).map(async (key) => {
          const kept = known.get(key.sha256);
          const summary = kept ?? (await readOne(store, key, signal));
          onProgress({ done: ++done, of: wanted.length });
          if (!summary) unreadable++;
          else summaries.push({ key: recordingKey(key), summary });
          if (summary && !kept) fresh.push(summary);
        }),
      );
    }
    const lines = fresh.map((summary) => `${JSON.stringify(summary)}\n`);
    // A full disk only means that they are read again next time.
    if (lines.length > 0) await folder.append(`${day}.jsonl`, lines.join('')).catch(() => {});
  }
  return { summaries, unreadable, leftOut: keys.length - wanted.length };
}

function folderName({ endpoint, bucket, prefix }: S3Address): string {
  const text = ['whole', SUMMARY_VERSION, endpoint, bucket, prefix].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/** Returns undefined for an object that is not the summary that its key names. */
async function readOne(
  store: Pick<ObjectStore, 'read'>,
  key: SummaryObject,
  signal: AbortSignal | undefined,
): Promise<RecordingSummary | undefined> {
  if (key.bytes > SUMMARY_BYTES) return undefined;
  try {
    const summary = readSummary(await store.read(summaryKey(key), { most: SUMMARY_BYTES, signal }));
    return summary.sha256 === key.sha256 ? summary : undefined;
  } catch (error) {
    // It may have expired since it was listed.
    if (error instanceof SummaryError || (error instanceof StoreError && error.code === 'store-missing'))
      return undefined;
    throw error;
  }
}

async function readDay(folder: CacheFolder, day: string): Promise<ReadonlyMap<string, RecordingSummary>> {
  const known = new Map<string, RecordingSummary>();
  for (const line of ((await folder.read(`${day}.jsonl`, DAY_BYTES)) ?? '').split('\n')) {
    try {
      const summary = checkedSummary(JSON.parse(line));
      known.set(summary.sha256, summary);
    } catch {
      // A torn line. Its object is read again.
    }
  }
  return known;
}
