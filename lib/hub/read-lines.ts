import { decodeLine } from '@/lib/recording/decode-line';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import type { FrameNumbers } from '@/lib/recording/frame-numbers';
import { LineCutter } from '@/lib/recording/line-cutter';
import type { Blob, Blobs } from '@/lib/recording/put-back';
import { bytesFrom, type RandomAccess } from '@/lib/recording/random-access';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import type { LinePlaces } from './line-places';

/** A recording's file, of which is known what is where. */
export interface ReadFile {
  readonly file: RandomAccess;
  /** What knows its version, and which numbers the frames have in it. */
  readonly reader: Pick<RecordingReader, 'header'> & { readonly numbers: Pick<FrameNumbers, 'numberOf'> };
  readonly places: LinePlaces;
}

/** Bytes read at a time, at least: the end of the last line is not known. */
const PORTION_BYTES = 16 * 1024;
const MOST_BYTES = 1024 * 1024;
const BLOB_PORTION_BYTES = 128 * 1024;

/**
 * Reads the frames `from` … `to` of a file anew, whose lines stand there in this order, perhaps with others between them. Rejects with a
 * ConnectionError if they are not what they were.
 */
export async function readLines(of: ReadFile, from: number, to: number): Promise<readonly FrameToRecord[]> {
  const { file, reader, places } = of;
  const { header, numbers } = reader;
  const frames: FrameToRecord[] = [];
  let blobs = await blobsOf(of, from);
  const portion = Math.min(MOST_BYTES, places.at(to) - places.at(from) + places.length(to) + PORTION_BYTES);
  for await (const line of linesFrom(file, places.at(from), portion)) {
    const seq = from + frames.length;
    const decoded = line && decodeLine(line, header!.version, blobs);
    // Lines of another kind, damaged ones, and numbers that were there before.
    if (decoded?.is !== 'frame' || decoded.n < numbers.numberOf(seq)!) continue;
    if (decoded.n > numbers.numberOf(seq)! || decoded.frame.bytes.length !== places.length(seq)) break;
    frames.push(decoded.frame);
    if (seq === to) return frames;
    blobs = await blobsOf(of, seq + 1);
  }
  throw CHANGED;
}

/** What a frame refers to, which stands further up. */
async function blobsOf({ file, reader, places }: ReadFile, seq: number): Promise<Blobs> {
  const found = new Map<string, Blob>();
  for (const at of places.blobs(seq)) {
    const line = await linesFrom(file, at, BLOB_PORTION_BYTES).next();
    const blob = line.value && decodeLine(line.value, reader.header!.version);
    if (blob?.is !== 'blob') throw CHANGED;
    found.set(blob.name, blob);
  }
  return found;
}

async function* linesFrom(file: RandomAccess, at: number, portion: number): AsyncGenerator<Uint8Array | undefined> {
  const cutter = new LineCutter(LIMITS.recordedLineBytes);
  for await (const chunk of bytesFrom(file, at, portion)) yield* cutter.push(chunk);
}

const CHANGED = new ConnectionError({
  code: 'recording-changed',
  message: 'The recording’s file is not what it was when it was opened.',
  advice: 'Open it again.',
});
