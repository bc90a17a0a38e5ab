import { messageLength } from '@/lib/wire/cut-message';
import { formatBytes } from '@/lib/wire/format';
import { isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import { type ReadFrame, RecordingReader } from './recording-reader';

/** Bytes of frames per portion. */
export const RECORDED_PORTION_BYTES = 8 * 1024 * 1024;

/**
 * Reads a recording as far as possible. After the first frame, an error ends the reading and becomes `failure`, instead
 * of being thrown.
 */
export class TolerantReader {
  readonly reader: RecordingReader;
  readonly #isFull: () => boolean;
  readonly #mostBytes: number;
  #failure: string | undefined;
  #report: RecordingReport | undefined;

  /** `isFull` is asked after each portion whether the receiver can hold no more, which is `mostBytes`. */
  constructor(reader = new RecordingReader(), isFull = () => false, mostBytes: number = LIMITS.recordingBytes) {
    this.reader = reader;
    this.#isFull = isFull;
    this.#mostBytes = mostBytes;
  }

  /** Why the rest could not be read, in sentences; undefined if everything was read. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** The report; undefined until reading has ended. */
  get report(): RecordingReport | undefined {
    return this.#report;
  }

  /**
   * Yields the frames in portions of bounded size: at least one per chunk, possibly empty, and more if its frames are
   * much larger than the chunk. Throws if not a single frame can be read: a RecordingError, or the error of the source.
   */
  async *portions(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly ReadFrame[]> {
    let hasFrames = false;
    let full = false;
    try {
      for await (const chunk of bytes) {
        for (const portion of portionsOf(this.reader.read(chunk))) {
          // Let others run, and give the log time to move frames to disk.
          if (portion.more) await new Promise((resolve) => setTimeout(resolve));
          hasFrames ||= portion.frames.length > 0;
          yield portion.frames;
          full = this.#isFull();
          if (full) break;
        }
        if (full || this.reader.failure) break;
      }
      const missing = full || this.reader.failure ? [] : this.reader.fillGapAtEnd();
      if (missing.length > 0) yield missing;
    } catch (error) {
      if (!hasFrames) throw error;
      this.#failure = isFailure(error) ? error.message : `Could not read the rest of the file: ${error}.`;
    }
    this.#report = this.reader.finish();
    if (full)
      this.#failure = `This recording has more than ${formatBytes(this.#mostBytes)} of frames, so the rest was skipped.`;
    this.#failure ??= this.reader.failure?.message;
  }
}

/** `more`: an earlier portion came from the same chunk. */
function* portionsOf(frames: Iterable<ReadFrame>): Generator<{ readonly frames: ReadFrame[]; readonly more: boolean }> {
  let [portion, bytes, more]: [ReadFrame[], number, boolean] = [[], 0, false];
  for (const frame of frames) {
    portion.push(frame);
    bytes += messageLength(frame);
    if (bytes < RECORDED_PORTION_BYTES) continue;
    yield { frames: portion, more };
    [portion, bytes, more] = [[], 0, true];
  }
  yield { frames: portion, more };
}
