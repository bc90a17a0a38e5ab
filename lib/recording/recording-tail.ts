import { joinBytes } from '@/lib/json/typed-arrays';
import type { Frame } from '@/lib/wire/frame';
import { type RunningDigest, runningDigest } from './digests';
import { encodeFrame, encodeHeaderOrEnd } from './encode-lines';
import type { RecordingEnd } from './format';
import { renumberedNote } from './frame-numbers';
import { isNote, recordingAbout } from './lifecycle-event';
import { type RecordingPosition, RecordingReader } from './recording-reader';

/** What is said afterwards, which has no time of its own, or what happened then. */
export type AppendedFrame = Omit<Frame, 'seq' | 'time'> & Partial<Pick<Frame, 'time'>>;

/** Goes through a recording to go on behind its end: feed all of it with {@link addChunk}, then make what comes behind it by {@link appendFrames}. */
export class RecordingTail {
  readonly #reader = new RecordingReader();
  readonly #digest: RunningDigest;
  /** Of a line whose end was not read yet. */
  #pending: Uint8Array[] = [];
  /** How many frames there are in which nothing happened. */
  #notes = 0;
  /** What the newest frame about the whole says. */
  #about: RecordingEnd['about'];
  #missingAtEnd: readonly Frame[] | undefined;
  /** Once something was added: the reader knows nothing of that. */
  #added: RecordingPosition | undefined;

  /** The digest of an end line is about all bytes before it. */
  constructor(digest: RunningDigest) {
    this.#digest = digest;
  }

  /** The next bytes, which may be kept. Throws RecordingError for what is no recording. */
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

  /** Why not all of it was read, if that is so: nothing can be added. */
  get failure(): RecordingReader['failure'] {
    return this.#reader.failure;
  }

  /** Where it goes on. */
  get position(): RecordingPosition {
    return this.#added ?? this.#reader.position;
  }

  /** The number in the file of a frame that a log has as `seq`, once all of it was fed: what is missing at the end has one, too. */
  numberOf(seq: number): number | undefined {
    this.#missingAtEnd ??= this.#reader.fillGapAtEnd();
    return this.#reader.numbers.numberOf(seq);
  }

  /**
   * The lines of these frames, none at an earlier time than the one before it, and a new end; a recording that never had an end gets none.
   * They belong where {@link position} was before, in the place of a torn line.
   */
  appendFrames(frames: readonly AppendedFrame[]): Uint8Array<ArrayBuffer> {
    const { n, declaredFrames: told, index, end: from } = this.position;
    let { time } = this.position;
    const encoded = frames.map((frame, at) => {
      time = Math.max(time, frame.time ?? 0);
      return encodeFrame(n + at + 1, { ...frame, time });
    });
    const lines = joinBytes(encoded);
    for (const frame of frames) this.#count(frame);
    this.#digest.update(lines);
    const declaredFrames = told === undefined ? undefined : told + frames.length;
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
 * A plain recording, and behind its end what was said of it afterwards, `notes` as the log has them in which it was opened. Rejects with
 * a RecordingError for what can't be read to its end.
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
