import { decodeLine } from '@/lib/recording/decode-line';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import type { FrameNumbers } from '@/lib/recording/frame-numbers';
import { LineCutter } from '@/lib/recording/line-cutter';
import type { Blob, Blobs } from '@/lib/recording/put-back';
import { bytesFrom, type RandomAccess } from '@/lib/recording/random-access';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import type { FileBlobs } from './file-blobs';
import type { LinePlaces } from './line-places';

/** A recording's file, of which is known what is where. */
export interface ReadFile {
  readonly file: RandomAccess;
  readonly blobs: FileBlobs;
  /** What knows its version, and which numbers the frames have in it. */
  readonly reader: Pick<RecordingReader, 'header'> & { readonly numbers: Pick<FrameNumbers, 'numberOf'> };
  readonly places: LinePlaces;
}

/** Bytes read at a time, at least: the end of the last line is not known. */
const PORTION_BYTES = 16 * 1024;
const MOST_BYTES = 1024 * 1024;

/**
 * Reads the frames `from` … `to` of a file anew, each from where its line begins. Rejects with a ConnectionError if another line stands
 * there.
 */
export async function readLines(of: ReadFile, from: number, to: number): Promise<readonly FrameToRecord[]> {
  const { file, reader, places } = of;
  const { header, numbers } = reader;
  const frames: FrameToRecord[] = [];
  const start = places.at(from);
  const portion = Math.min(MOST_BYTES, places.at(to) - start + places.length(to) + PORTION_BYTES);
  const cutter = new LineCutter(LIMITS.recordedLineBytes);
  for await (const chunk of bytesFrom(file, start, portion)) {
    for (const line of cutter.push(chunk)) {
      const seq = from + frames.length;
      const at = start + cutter.at;
      // Blobs and indexes, and what was no frame when it was read first.
      if (at < places.at(seq)) continue;
      const decoded = line && at === places.at(seq) && decodeLine(line, header!.version, await blobsOf(of, seq));
      const isSame = decoded && decoded.is === 'frame' && decoded.n === numbers.numberOf(seq);
      if (!isSame || !(isLifecycle(decoded.frame) || decoded.frame.bytes.length === places.length(seq))) throw CHANGED;
      frames.push(decoded.frame);
      if (seq === to) return frames;
    }
    if (cutter.rest >= LIMITS.recordedLineBytes) break;
  }
  throw CHANGED;
}

/** Where frames are missing, a note names another than in the file, by a number of another length perhaps. */
function isLifecycle({ channel }: FrameToRecord): boolean {
  return channel === 'lifecycle';
}

/** What a frame refers to, which stands further up. */
async function blobsOf({ blobs, reader, places }: ReadFile, seq: number): Promise<Blobs> {
  const found = new Map<string, Blob>();
  for (const at of places.blobs(seq)) {
    const blob = await blobs.at(at, reader.header!.version);
    if (!blob) throw CHANGED;
    found.set(blob.name, blob);
  }
  return found;
}

/** Of a file that has become another. */
export const CHANGED = new ConnectionError({
  code: 'recording-changed',
  message: 'The recording’s file is not what it was when it was opened.',
  advice: 'Open it again.',
});
