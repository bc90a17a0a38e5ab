import { joinBytes } from '@/lib/json/typed-arrays';
import type { Frame } from '@/lib/wire/frame';
import { type RunningDigest, runningDigest } from './digests';
import { encodeFrame, encodeHeaderOrEnd } from './encode-lines';
import type { RecordingEnd } from './format';
import { renumberedNote } from './frame-numbers';
import { isNote, recordingAbout } from './lifecycle-event';
import { type RecordingPosition, RecordingReader } from './recording-reader';

/** A frame to append. Notes have no time of their own. */
type AppendedFrame = Omit<Frame, 'seq' | 'time'> & Partial<Pick<Frame, 'time'>>;

/** Reads a recording in order to append to it. Feed all of it to {@link addChunk}, then call {@link appendFrames}. */
export class RecordingTail {
  readonly #reader = new RecordingReader();
  readonly #digest: RunningDigest;
  /** Bytes of the unfinished line. */
  #pending: Uint8Array[] = [];
  /** Number of frames that people added. */
  #notes = 0;
  /** The newest description of the recording. */
  #about: RecordingEnd['about'];
  #missingAtEnd: readonly Frame[] | undefined;
  /** The position after appending, which the reader does not know. */
  #added: RecordingPosition | undefined;

  /** `digest` covers all bytes before the end line. */
  constructor(digest: RunningDigest) {
    this.#digest = digest;
  }

  /** Adds the next bytes and may keep them. Throws RecordingError for a file that is not a recording. */
  addChunk(bytes: Uint8Array): void {
    const whole = bytes.lastIndexOf(LINE_FEED) + 1;
    if (whole > 0) {
      for (const piece of [...this.#pending, bytes.subarray(0, whole)]) this.#digest.update(piece);
      this.#pending = [];
    }
    this.#pending.push(bytes.subarray(whole));
    for (const frame of this.#reader.read(bytes)) this.#count(frame);
  }

  get header(): RecordingReader['header'] {
    return this.#reader.header;
  }

  /** Why the file was not read completely; undefined if it was. After a failure, nothing can be appended. */
  get failure(): RecordingReader['failure'] {
    return this.#reader.failure;
  }

  /** The position that appended lines continue from. */
  get position(): RecordingPosition {
    return this.#added ?? this.#reader.position;
  }

  /**
   * Returns the file number of a log's frame. Call it once the whole file was added. Frames that are missing at the end
   * have numbers too.
   */
  numberOf(seq: number): number | undefined {
    this.#missingAtEnd ??= this.#reader.fillGapAtEnd();
    return this.#reader.numbers.numberOf(seq);
  }

  /**
   * Returns the lines of these frames, in ascending time, and a new end line unless the recording never had one. Write
   * the lines at the {@link position} from before this call, over a torn line.
   */
  appendFrames(frames: readonly AppendedFrame[]): Uint8Array<ArrayBuffer> {
    const { n, declaredFrames: declared, index, end: from } = this.position;
    let { time } = this.position;
    const encoded = frames.map((frame, at) => {
      time = Math.max(time, frame.time ?? 0);
      return encodeFrame(n + at + 1, { ...frame, time });
    });
    const lines = joinBytes(encoded);
    for (const frame of frames) this.#count(frame);
    this.#digest.update(lines);
    const declaredFrames = declared === undefined ? undefined : declared + frames.length;
    const last =
      declaredFrames === undefined ? new Uint8Array() : encodeHeaderOrEnd(this.#endOf(time, declaredFrames, index));
    this.#digest.update(last);
    this.#added = { n: n + frames.length, time, declaredFrames, index, end: from + lines.length + last.length };
    return joinBytes([lines, last]);
  }

  #count(frame: AppendedFrame): void {
    this.#about = recordingAbout(frame) ?? this.#about;
    if (isNote(frame)) this.#notes++;
  }

  #endOf(time: number, frames: number, index: RecordingEnd['index']): RecordingEnd {
    return {
      k: 'end',
      t: time,
      frames,
      ...(this.#notes > 0 && { notes: this.#notes }),
      sha256: this.#digest.hex(),
      ...(this.#about && { about: this.#about }),
      ...(index && { index }),
    };
  }
}

const LINE_FEED = 10;

/**
 * Appends notes to a plain recording. Notes refer to seqs of the log in which the recording was opened. Rejects with a
 * RecordingError if the recording cannot be read to its end.
 */
export async function appendNotes(
  recording: ReadableStream<Uint8Array<ArrayBuffer>>,
  notes: readonly AppendedFrame[],
): Promise<Blob> {
  if (notes.length === 0) return new Response(recording).blob();
  const tail = new RecordingTail(runningDigest());
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = recording.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    tail.addChunk(chunk.value);
    chunks.push(chunk.value);
  }
  if (tail.failure) throw tail.failure;
  const numbered = notes.flatMap((note) => {
    const bytes = renumberedNote(note.bytes, (on) => tail.numberOf(on));
    return bytes ? [{ ...note, bytes }] : [];
  });
  const whole = new Blob(chunks).slice(0, tail.position.end);
  return new Blob([whole, tail.appendFrames(numbered)]);
}
