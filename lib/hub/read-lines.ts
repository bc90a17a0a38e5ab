import { decodeLine } from '@/lib/recording/decode-line';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import { LineCutter } from '@/lib/recording/line-cutter';
import { bytesFrom, type RandomAccess } from '@/lib/recording/random-access';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import type { LinePlaces } from './line-places';

/** A recording's file, of which is known what is where. */
export interface ReadFile {
  readonly file: RandomAccess;
  /** What has read it, and knows which numbers the frames have in it. */
  readonly reader: Pick<RecordingReader, 'header' | 'numbers'>;
  readonly places: LinePlaces;
}

/** Bytes read at a time, at least: the end of the last line is not known. */
const PORTION_BYTES = 16 * 1024;
const MOST_BYTES = 1024 * 1024;

/**
 * Reads the frames `from` … `to` of a file anew, whose lines stand there in this order, perhaps with others between them. Rejects with a
 * ConnectionError if they are not what they were.
 */
export async function readLines(of: ReadFile, from: number, to: number): Promise<readonly FrameToRecord[]> {
  const { file, reader, places } = of;
  const version = reader.header!.version;
  const { numbers } = reader;
  const frames: FrameToRecord[] = [];
  const cutter = new LineCutter(LIMITS.recordedLineBytes);
  const portion = Math.min(MOST_BYTES, places.at(to) - places.at(from) + places.length(to) + PORTION_BYTES);
  for await (const chunk of bytesFrom(file, places.at(from), portion)) {
    for (const line of cutter.push(chunk)) {
      const seq = from + frames.length;
      const decoded = line && decodeLine(line, version);
      // Lines of another kind, damaged ones, and numbers that were there before.
      if (decoded?.is !== 'frame' || decoded.n < numbers.numberOf(seq)!) continue;
      if (decoded.n > numbers.numberOf(seq)! || decoded.frame.bytes.length !== places.length(seq)) throw CHANGED;
      frames.push(decoded.frame);
      if (seq === to) return frames;
    }
  }
  throw CHANGED;
}

const CHANGED = new ConnectionError({
  code: 'recording-changed',
  message: 'The recording’s file is not what it was when it was opened.',
  advice: 'Open it again.',
});
