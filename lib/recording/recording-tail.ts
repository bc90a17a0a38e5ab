import type { Frame } from '@/lib/wire/frame';
import { joinedBytes } from '@/lib/wire/joined-bytes';
import { encodeFrame, encodeLine } from './encode-line';
import type { RecordingEnd } from './format';
import { aboutIn, isNote } from './lifecycle-event';
import { type RecordingPlace, RecordingReader } from './recording-reader';
import type { RunningDigest } from './running-digest';

/** What is said afterwards, which has no time of its own, or what happened then. */
export type FrameBehind = Omit<Frame, 'seq' | 'time'> & Partial<Pick<Frame, 'time'>>;

/** Goes through a recording to go on behind its end: feed all of it with {@link push}, then make what comes behind it by {@link add}. */
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
  #added: RecordingPlace | undefined;

  /** The digest of an end line is about all bytes before it. */
  constructor(digest: RunningDigest) {
    this.#digest = digest;
  }

  /** The next bytes, which may be kept. Throws RecordingError for what is no recording. */
  push(bytes: Uint8Array): void {
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
  get place(): RecordingPlace {
    return this.#added ?? this.#reader.place;
  }

  /** The number in the file of a frame that a log has as `seq`, once all of it was fed: what is missing at the end has one, too. */
  numberOf(seq: number): number | undefined {
    this.#missingAtEnd ??= this.#reader.missingAtEnd();
    return this.#reader.numbers.numberOf(seq);
  }

  /**
   * The lines of these frames, none at an earlier time than the one before it, and a new end; a recording that never had an end gets none.
   * They belong where {@link place} was before, in the place of a torn line.
   */
  add(frames: readonly FrameBehind[]): Uint8Array<ArrayBuffer> {
    const { n, said: told, index, end: from } = this.place;
    let { time } = this.place;
    const encoded = frames.map((frame, at) => {
      time = Math.max(time, frame.time ?? 0);
      return encodeFrame(n + at + 1, { ...frame, time });
    });
    const lines = joinedBytes(encoded);
    for (const frame of frames) this.#count(frame);
    this.#digest.update(lines);
    const said = told === undefined ? undefined : told + frames.length;
    const last = said === undefined ? new Uint8Array() : encodeLine(this.#endOf(time, said, index));
    this.#digest.update(last);
    this.#added = { n: n + frames.length, time, said, index, end: from + lines.length + last.length };
    return joinedBytes([lines, last]);
  }

  #count(frame: FrameBehind): void {
    this.#about = aboutIn(frame) ?? this.#about;
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
