import { createHash } from 'node:crypto';
import { readSummary, SummaryError } from '@/features/team/lib/summary/read-summary';
import { SUMMARY_BYTES } from '@/features/team/lib/summary/recording-summary';
import { type RecordingKey, readKey, recordingKey, SUMMARIES } from '@/features/team/proxy/bucket/keys';
import type { ObjectStore } from '@/features/team/proxy/bucket/object-store';
import { StoreError } from '@/features/team/proxy/bucket/store-error';
import { formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import type { PushedRow, ReadRecording } from '@/proxy/commands/shared/recording-file';
import { OutputFile } from '@/proxy/files/output-file';

/** Bytes read of an object at a time. */
const SPOOL_BYTES = 8 * 1024 * 1024;

/**
 * Returns the recordings in a bucket: those with a summary, which is written last. Each is downloaded when its tables
 * are built, and deleted afterwards. Rejects with a StoreError if there are none.
 */
export async function bucketRecordings(
  url: string,
  store: ObjectStore,
  signal: AbortSignal | undefined,
): Promise<readonly ReadRecording[]> {
  const files: ReadRecording[] = [];
  for await (const summary of store.list(SUMMARIES, { signal })) {
    const of = readKey(summary.key);
    if (!of) continue;
    const path = recordingKey(of);
    const remote = {
      digest: of.sha256,
      day: of.day,
      spool: (file: string) => spool(store, of, file, signal),
      startedAt: async () => (await summaryAt(store, summary.key, signal))?.at,
      pushed: async () => pushedRow(await summaryAt(store, summary.key, signal)),
    };
    files.push({ path, shown: `${url.replace(/\/+$/, '')}/${path}`, isNamed: false, remote });
  }
  if (files.length > 0) return files;
  throw new StoreError(
    'store-missing',
    `There are no recordings at ${url}.`,
    'Put some there with `mcp-inspect recordings push`.',
  );
}

/** Downloads a recording to a file, and checks that it is what its key says. */
async function spool(
  store: ObjectStore,
  of: RecordingKey,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const key = recordingKey(of);
  const object = await store.head(key, signal);
  if (!object) throw new StoreError('store-missing', 'It has a summary, but is not there.', 'Push it again.');
  // Anybody who can write to the bucket could fill the disk.
  if (!(object.bytes <= LIMITS.recordingBytes)) {
    const most = formatBytes(LIMITS.recordingBytes);
    throw new StoreError('store-damaged', `It is larger than ${most}.`, 'Delete it from the bucket.');
  }
  const output = new OutputFile(path);
  const read = createHash('sha256');
  const etag = object.etag === '' ? {} : { etag: object.etag };
  try {
    for (let from = 0; from < object.bytes; from += SPOOL_BYTES) {
      const range = [from, Math.min(object.bytes, from + SPOOL_BYTES)] as const;
      const part = await store.read(key, { range, signal, ...etag });
      read.update(part);
      output.write(part);
    }
    if (read.digest('hex') !== of.sha256)
      throw new StoreError('store-damaged', 'It is not what its name says.', 'Push it again.');
    output.finish();
  } catch (error) {
    output.discard();
    throw error;
  }
}

async function summaryAt(store: ObjectStore, key: string, signal: AbortSignal | undefined) {
  const bytes = await store.read(key, { most: SUMMARY_BYTES, signal });
  try {
    return readSummary(bytes);
  } catch (error) {
    if (error instanceof SummaryError) return undefined;
    throw error;
  }
}

function pushedRow(summary: ReturnType<typeof readSummary> | undefined): PushedRow {
  if (!summary) return {};
  const { author, commit, ci, tags } = summary;
  return { author, git_commit: commit, ci: ci?.name, tags: tags.length > 0 ? tags.join(' ') : undefined };
}
