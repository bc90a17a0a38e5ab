import { formatBytes } from '@/lib/wire/format';
import { isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import { type ReadFrame, RecordingReader } from './recording-reader';

/** Frames of a recording that are read at a time, and what a page reads of one to see whether its end vouches for it. */
export const RECORDED_PORTION_BYTES = 8 * 1024 * 1024;

/**
 * The one way in which recordings are read: as far as they can be. What keeps a file from being read any further, once there was
 * a frame, is a fact about it and no error.
 */
export class TolerantReader {
  readonly reader: RecordingReader;
  readonly #isFull: () => boolean;
  #failure: string | undefined;
  #report: RecordingReport | undefined;

  /** `reader`: a new one. `isFull`: of who holds the frames, whether that is as much as can be; asked after each portion. */
  constructor(reader = new RecordingReader(), isFull = () => false) {
    this.reader = reader;
    this.#isFull = isFull;
  }

  /** Why what follows could not be read, as sentences; undefined if there is nothing more. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** What the recording turned out to be, once all of it was gone through. */
  get report(): RecordingReport | undefined {
    return this.#report;
  }

  /**
   * The frames in the bytes of a recording, at least one portion for each chunk, which may be empty: however large a small file makes
   * its frames, they come in portions. Throws where not a single frame can be
   * had: a RecordingError, or what the bytes throw.
   */
  async *portions(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly ReadFrame[]> {
    let begun = false;
    let full = false;
    try {
      for await (const chunk of bytes) {
        for (const portion of portionsOf(this.reader.read(chunk))) {
          // Others have a turn, and a log the time to move something to disk.
          if (portion.more) await new Promise((resolve) => setTimeout(resolve));
          begun ||= portion.frames.length > 0;
          yield portion.frames;
          full = this.#isFull();
          if (full) break;
        }
        if (full || this.reader.failure) break;
      }
      const missing = full || this.reader.failure ? [] : this.reader.fillGapAtEnd();
      if (missing.length > 0) yield missing;
    } catch (error) {
      if (!begun) throw error;
      this.#failure = isFailure(error) ? error.message : `The file can not be read any further: ${error}.`;
    }
    this.#report = this.reader.finish();
    if (full) this.#failure = TOO_MUCH;
    this.#failure ??= this.reader.failure?.message;
  }
}

const TOO_MUCH = `The frames of this recording are more than ${formatBytes(LIMITS.recordingBytes)}, which is more than is held at a time: what follows is left out.`;

/** `more`: there was a portion before it of the same chunk. */
function* portionsOf(frames: Iterable<ReadFrame>): Generator<{ readonly frames: ReadFrame[]; readonly more: boolean }> {
  let [portion, bytes, more]: [ReadFrame[], number, boolean] = [[], 0, false];
  for (const frame of frames) {
    portion.push(frame);
    bytes += frame.bytes.length;
    if (bytes < RECORDED_PORTION_BYTES) continue;
    yield { frames: portion, more };
    [portion, bytes, more] = [[], 0, true];
  }
  yield { frames: portion, more };
}
