import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import { decodeLine } from './decode-line';
import { RECORDING_VERSION } from './format';
import { FrameNumbers } from './frame-numbers';
import { LineCutter } from './line-cutter';
import { movedNote } from './moved-note';
import { type HeaderFacts, RecordingError, readHeader } from './read-header';

/** A frame, and what its line tells besides. */
export interface ReadFrame extends Frame {
  /** Where in the recording's bytes the line begins. */
  readonly at: number;
  /** Its bytes are JSON, and were parsed. */
  readonly isJson: boolean;
}

/** Where a recording ends. */
export interface RecordingPlace {
  /** Number and time of the newest frame. */
  readonly n: number;
  readonly time: number;
  /** How many frames the last line tells of, if it is an end. */
  readonly said: number | undefined;
  /** No line feed ended the last line. */
  readonly torn: boolean;
}

/**
 * A recording's bytes, in chunks of any size, → its frames. What can't be read is left out and counted, whatever it is; times
 * never run backwards. Frames are numbered from 1 without a gap, as a log needs them, which is what the file has, too, unless
 * something is missing; then notes name the frames by their numbers in the log.
 */
export class RecordingReader {
  /** Which numbers the frames have in the file. */
  readonly numbers = new FrameNumbers();
  readonly #cutter = new LineCutter(LIMITS.recordedLineBytes);
  #header: HeaderFacts | undefined;
  #line = 0;
  #frames = 0;
  /** Number and time of the newest frame, as the file has them. */
  #n = 0;
  #time = 0;
  readonly #damagedLines: number[] = [];
  #damaged = 0;
  #missing = 0;
  #unknown = 0;
  /** There are too many lines without a frame: nothing more is read. */
  #over = false;
  #masked = 0;
  /** How many frames the end line tells of. */
  #said: number | undefined;

  /** undefined until the first line is here. */
  get header(): HeaderFacts | undefined {
    return this.#header;
  }

  /** What a line behind all that was read would have to go on with. */
  get place(): RecordingPlace {
    return { n: this.#n, time: this.#time, said: this.#said, torn: this.#cutter.rest > 0 };
  }

  /**
   * The frames whose lines end in this chunk. Throws {@link RecordingError}: `not-a-recording` at the first line, and
   * `recording-too-damaged` once all frames before the line that was too much were handed out.
   */
  push(chunk: Uint8Array): ReadFrame[] {
    if (this.#over) throw TOO_DAMAGED;
    const frames: ReadFrame[] = [];
    for (const line of this.#cutter.push(chunk)) {
      this.#line++;
      if (!this.#header) this.#header = readHeader(line);
      else this.#take(line, frames);
      this.#over = this.#line - this.#frames > this.#frames + LIMITS.framelessLines;
      if (this.#over) break;
    }
    // A file of one endless line is no recording either, and need not be read to its end to know.
    if (!this.#header && this.#cutter.rest > LIMITS.recordingHeaderBytes) readHeader(undefined);
    return frames;
  }

  /** Nothing comes any more. Throws {@link RecordingError} if there is nothing in it to open. */
  end(): RecordingReport {
    const { version } = this.#header ?? readHeader(undefined);
    if (this.#frames === 0 && this.#over) throw TOO_DAMAGED;
    if (this.#frames === 0) throw version > RECORDING_VERSION ? newer(version) : EMPTY;
    return {
      frames: this.#frames,
      damaged: { count: this.#damaged, lines: this.#damagedLines },
      // The end tells of frames behind the last one here, too.
      missing: Math.max(0, this.#missing + Math.max(0, (this.#said ?? 0) - this.#n) - this.#damaged),
      unknown: this.#unknown,
      masked: this.#masked,
      torn: this.#cutter.rest > 0,
      ended: this.#said !== undefined,
      complete: this.#said === this.#frames,
    };
  }

  #take(line: Uint8Array | undefined, frames: ReadFrame[]): void {
    // Whatever stands behind an end line, it was not the last one.
    this.#said = undefined;
    const decoded = line ? decodeLine(line, this.#header!.version) : ({ is: 'damaged' } as const);
    if (decoded.is === 'unknown') this.#unknown++;
    else if (decoded.is === 'end') this.#said = decoded.frames;
    // A number that was there before is that of a line put in, or doubled.
    else if (decoded.is === 'damaged' || decoded.n <= this.#n) this.#noteDamaged();
    else {
      this.#missing += decoded.n - this.#n - 1;
      this.#n = decoded.n;
      this.#masked += decoded.masked;
      this.#time = Math.max(this.#time, decoded.frame.time);
      this.numbers.add(++this.#frames, decoded.n);
      const { frame } = decoded;
      const isMoved = frame.channel === 'lifecycle' && decoded.n !== this.#frames;
      // A note on what is missing is on nothing.
      const bytes = isMoved
        ? (movedNote(frame.bytes, (on) => this.numbers.seqOf(on) ?? 0) ?? frame.bytes)
        : frame.bytes;
      const { channel, direction, flags } = frame;
      const [seq, time, at, isJson] = [this.#frames, this.#time, this.#cutter.at, decoded.isJson] as const;
      frames.push({ seq, time, direction, channel, flags, bytes, at, isJson });
    }
  }

  #noteDamaged(): void {
    this.#damaged++;
    if (this.#damagedLines.length < LIMITS.damagedLines) this.#damagedLines.push(this.#line);
  }
}

function newer(version: number): RecordingError {
  return new RecordingError(
    'recording-newer',
    `This recording has version ${version} of the format, and nothing in it can be read by this mcp-inspect.`,
    'Update mcp-inspect, and open it again.',
  );
}

const TOO_DAMAGED = new RecordingError(
  'recording-too-damaged',
  'Most lines of this recording can not be read: what follows them is left out.',
  'Open another copy of it, or record again.',
);

const EMPTY = new RecordingError(
  'recording-empty',
  'There is no frame in this recording.',
  'It was cut off before anything was said: record again.',
);
