import { BATCH_ENTRY_BYTES, encodeBatchHeader, setBatchPart } from '@/lib/wire/batch';
import { joinedBytes } from '@/lib/wire/joined-bytes';
import { LIMITS } from '@/lib/wire/limits';
import type { FrameLog } from './frame-log';
import type { Segment } from './segment';

/** Where a viewer is in a log. */
export interface Cursor {
  /** seq of the next frame to send. */
  next: number;
  /** Bytes of that frame already sent, as parts. */
  offset: number;
  /** Set where frames are sent once more: the last of them. */
  readonly until?: number;
}

/** What batches are cut from. */
export interface BatchSource extends Pick<FrameLog, 'last' | 'segmentOf'> {
  /**
   * For who wants the frames `seq` … `until` once more: a segment with the first of them, whole, where those of `segmentOf` are not.
   */
  wholeOf?(seq: number, until: number): Segment | Promise<Segment>;
}

/** The byte after a frame's bytes; see lib/wire/batch.ts. */
const AFTER_BYTES = new Uint8Array([10]);

/** One batch, in a buffer of its own. */
export type Batch = Uint8Array<ArrayBuffer>;

/** Cuts the next batch for `cursor` and moves it on; undefined if there is nothing to send. Sync while the frames are in memory. */
export function cutBatch(connection: string, log: BatchSource, cursor: Cursor): Batch | Promise<Batch> | undefined {
  if (cursor.next > log.last) return undefined;
  const again = cursor.until === undefined ? undefined : log.wholeOf?.(cursor.next, cursor.until);
  const segment = again ?? log.segmentOf(cursor.next);
  return segment instanceof Promise
    ? segment.then((restored) => cut(connection, log, cursor, restored))
    : cut(connection, log, cursor, segment);
}

function cut(connection: string, log: BatchSource, cursor: Cursor, segment: Segment): Batch {
  const from = cursor.next - segment.first;
  const start = segment.start(from);
  if (cursor.offset > 0 || segment.start(from + 1) - start > LIMITS.batchBytes) {
    return cutPart(connection, log, cursor, segment, from);
  }
  const until = cursor.until === undefined ? segment.count : cursor.until - segment.first + 1;
  const most = Math.min(segment.count, from + LIMITS.batchFrames, until);
  let to = from + 1;
  while (to < most && segment.start(to + 1) - start <= LIMITS.batchBytes) to++;
  const header = headerOf(connection, log, cursor, to - from);
  cursor.next += to - from;
  return joinedBytes([header, segment.tableBytes(from, to), segment.dataBytes(from, to)]);
}

/** A batch of one entry: a piece of a frame that is larger than a batch. */
function cutPart(connection: string, log: BatchSource, cursor: Cursor, segment: Segment, index: number): Batch {
  const bytes = segment.dataBytes(index, index + 1).subarray(0, -1);
  const end = Math.min(cursor.offset + LIMITS.batchBytes, bytes.length);
  const more = end < bytes.length;
  const header = headerOf(connection, log, cursor, 1);
  const batch = joinedBytes([
    header,
    segment.tableBytes(index, index + 1),
    bytes.subarray(cursor.offset, end),
    AFTER_BYTES,
  ]);
  const entry = new DataView(batch.buffer, header.length, BATCH_ENTRY_BYTES);
  setBatchPart(entry, 0, end - cursor.offset, more);
  if (!more) cursor.next++;
  cursor.offset = more ? end : 0;
  return batch;
}

function headerOf(connection: string, log: BatchSource, { next, until }: Cursor, count: number): Uint8Array {
  return encodeBatchHeader({
    connection,
    first: next,
    count,
    last: log.last,
    ...(until !== undefined && { again: true }),
  });
}
