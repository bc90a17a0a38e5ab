import type { Frame } from '@/lib/wire/frame';
import type { MissingFacts } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import { BLOB_LIMITS, BlobWindow, mostRestoredBytes, type RecordedBlob } from './blobs';
import { type DecodedLine, decodeLine } from './decode-line';
import { EndDigestCheck, type RunningDigest } from './digests';
import {
  ALL_LINES_DAMAGED,
  CUT_BEFORE_FIRST_FRAME,
  EMPTY_FILE,
  ENDED_WITHOUT_FRAMES,
  EXPANDS_TOO_MUCH,
  newerFormatError,
  TOO_DAMAGED,
} from './errors';
import { RECORDING_VERSION, type RecordingEnd } from './format';
import { FrameNumbers, renumberedNote } from './frame-numbers';
import { encodeEvent } from './lifecycle-event';
import { LineSplitter } from './line-splitter';
import { type HeaderFacts, type RecordingError, readHeader } from './read-header';

export const RECORDING_HEADER_BYTES = 1024 * 1024;
/** Lines without a frame that a recording may have beyond as many as it has frames: a small gzip of blank lines would be read for hours. */
export const FRAMELESS_LINES = 20_000;
/** Damaged lines that are told by their numbers. */
const DAMAGED_LINES = 20;

/** A frame, and what its line tells besides. */
export interface ReadFrame extends Frame {
  /** Where in the recording's bytes the line begins; {@link NO_LINE} of one in the place of what is missing. */
  readonly at: number;
  /** The same of the blobs that it refers to, if there are any. */
  readonly blobsAt: readonly number[];
  /** Its bytes are JSON, and were parsed. */
  readonly isJson: boolean;
}

/** Where the line is of a frame that has none. */
export const NO_LINE = -1;

const NO_BLOBS_AT: readonly number[] = [];
const NO_FRAMES: readonly ReadFrame[] = [];

interface PlacedBlob extends RecordedBlob {
  readonly at: number;
}

/** Where a recording ends. */
export interface RecordingPosition {
  /** Number of the newest frame, missing ones that its end tells of included, and time of the newest one that is there. */
  readonly n: number;
  readonly time: number;
  /** How many frames there are: those that the last end tells of, and those behind it. undefined: there was no end. */
  readonly declaredFrames: number | undefined;
  /** What the newest end says of indexes. */
  readonly index: RecordingEnd['index'];
  /** Where the last whole line ends, in bytes. What is behind that is a torn one. */
  readonly end: number;
}

/**
 * A recording's bytes, in chunks of any size, → its frames. What can't be read is left out and counted, whatever it is; times
 * never run backwards. Frames are numbered from 1 without a gap, as a log needs them, and as in the file: those that are missing have frames
 * in their places that say so. Where more are missing than can have any, what is behind them has lower numbers, and notes name those.
 */
export class RecordingReader {
  /** Which numbers the frames have in the file. */
  readonly numbers = new FrameNumbers();
  readonly #cutter = new LineSplitter(LIMITS.recordedLineBytes);
  #header: HeaderFacts | undefined;
  #line = 0;
  #frames = 0;
  /** Number of the newest frame in the log. */
  #seq = 0;
  readonly #gaps = new GapFiller();
  /** In the places of those right before the newest frame. */
  #before = NO_FRAMES;
  #renumberedFrom: number | undefined;
  /** Number and time of the newest frame, as the file has them. */
  #n = 0;
  #time = 0;
  readonly #damagedLines: number[] = [];
  #damaged = 0;
  #missing = 0;
  #unknown = 0;
  readonly #blobs = new BlobWindow<PlacedBlob>();
  /** Where those are that the line refers to which is being read. */
  #blobsAt: readonly number[] = NO_BLOBS_AT;
  readonly #lookedUp = {
    get: (name: string): RecordedBlob | undefined => {
      const blob = this.#blobs.get(name);
      if (blob) this.#blobsAt = [...this.#blobsAt, blob.at];
      return blob;
    },
  };
  /** Lines that have their place without being frames. */
  #blobLines = 0;
  /** Bytes of blobs in all frames. */
  #putBack = 0;
  /** Of the damaged lines. */
  #withoutBlob = 0;
  /** Why nothing more is read. */
  #over: RecordingError | undefined;
  readonly #check: EndDigestCheck | undefined;
  #changed = false;
  #masked = 0;
  #index: RecordingEnd['index'];
  #forgotten = 0;
  /** How many frames the end line tells of. */
  #said: number | undefined;
  /** See {@link RecordingPosition.declaredFrames}. */
  #counted: number | undefined;

  /** `digest`: by which what the file says of its own bytes is checked, the first `digestBytes` of them. Absent: it is not. */
  constructor(digest?: RunningDigest, digestBytes = Number.POSITIVE_INFINITY) {
    this.#check = digest && new EndDigestCheck(digest, digestBytes);
  }

  /** undefined until the first line is here. */
  get header(): HeaderFacts | undefined {
    return this.#header;
  }

  /** What a line behind all that was read would have to go on with. */
  get position(): RecordingPosition {
    // An end may claim any number, and what is behind it needs a greater one.
    const n = this.#missingAtEnd > LIMITS.missingFrames ? this.#n : this.#n + this.#missingAtEnd;
    return { n, time: this.#time, declaredFrames: this.#counted, index: this.#index, end: this.#cutter.nextLineStart };
  }

  /** Why what follows is not read, if that is so. */
  get failure(): RecordingError | undefined {
    return this.#over;
  }

  /** As {@link read}, all at once: for what is known to be no more than it looks like. */
  readChunk(chunk: Uint8Array): ReadFrame[] {
    return [...this.read(chunk)];
  }

  /**
   * The frames whose lines end in this chunk, which has to be gone through: a small chunk may hold frames of any size. Throws
   * {@link RecordingError}: `not-a-recording` at the first line, and {@link failure} once all frames before the line that was too
   * much were handed out.
   */
  *read(chunk: Uint8Array): Generator<ReadFrame> {
    if (this.#over) throw this.#over;
    this.#check?.addChunk(chunk);
    for (const line of this.#cutter.splitChunk(chunk)) {
      this.#line++;
      if (!this.#header) this.#header = readHeader(line);
      else {
        const frame = this.#take(line);
        if (frame) {
          yield* this.#before;
          yield frame;
        }
      }
      const frameless = this.#line - this.#blobLines - this.#frames;
      if (frameless > this.#frames + FRAMELESS_LINES) this.#over = TOO_DAMAGED;
      if (this.#over) break;
    }
    this.#check?.releaseUpTo(this.#cutter.nextLineStart);
    // A file of one endless line is no recording either, and need not be read to its end to know.
    if (!this.#header && this.#cutter.pendingBytes > RECORDING_HEADER_BYTES) readHeader(undefined);
  }

  /** The end tells of frames behind the last one here, too. */
  get #missingAtEnd(): number {
    return Math.max(0, (this.#said ?? 0) - this.#n);
  }

  /** In the places of those that are missing behind the newest frame, by what the end says. To be asked for once, when nothing comes any more. */
  fillGapAtEnd(): readonly ReadFrame[] {
    return this.#frames === 0 ? NO_FRAMES : this.#fill(this.#missingAtEnd);
  }

  /** Nothing comes any more. Throws {@link RecordingError} if there is nothing in it to open. */
  finish(): RecordingReport {
    if (this.#line === 0 && this.#cutter.pendingBytes === 0) throw EMPTY_FILE;
    const { version } = this.#header ?? readHeader(undefined);
    if (this.#frames === 0 && this.#over) throw this.#over;
    if (this.#frames === 0) {
      if (version > RECORDING_VERSION) throw newerFormatError(version);
      if (this.#damaged > 0) throw ALL_LINES_DAMAGED;
      throw this.#said === undefined ? CUT_BEFORE_FIRST_FRAME : ENDED_WITHOUT_FRAMES;
    }
    return {
      frames: this.#frames,
      last: this.#seq,
      damaged: { count: this.#damaged, lines: this.#damagedLines },
      withoutBlob: this.#withoutBlob,
      missing: Math.max(0, this.#missing + this.#missingAtEnd - this.#damaged),
      ...(this.#renumberedFrom !== undefined && { renumberedFrom: this.#renumberedFrom }),
      unknown: this.#unknown,
      masked: this.#masked,
      ...(this.#forgotten > 0 && { forgotten: this.#forgotten }),
      torn: this.#cutter.pendingBytes > 0,
      ended: this.#said !== undefined,
      complete: this.#said === this.#frames,
      changed: this.#changed,
    };
  }

  #take(line: Uint8Array | undefined): ReadFrame | undefined {
    // Whatever stands behind an end line, it was not the last one.
    this.#said = undefined;
    this.#blobsAt = NO_BLOBS_AT;
    const decoded = line ? decodeLine(line, this.#header!.version, this.#lookedUp) : ({ is: 'damaged' } as const);
    if (decoded.is === 'unknown') {
      this.#unknown++;
      if (decoded.isFrame) this.#gaps.addUnknownFrame(this.#line);
    } else if (decoded.is === 'end') this.#noteEnd(decoded);
    else if (decoded.is === 'blob') this.#keep(decoded.name, decoded);
    else if (decoded.is === 'frame' && !this.#mayPutBack(decoded.putBack)) this.#over = EXPANDS_TOO_MUCH;
    // Whoever goes by an index reads it by itself.
    else if (decoded.is === 'index') return undefined;
    // A number that was there before is that of a line put in, or doubled.
    else if (decoded.is === 'damaged' || decoded.n <= this.#n) {
      if (decoded.is === 'damaged' && decoded.why === 'no-blob') this.#withoutBlob++;
      this.#noteDamaged();
    } else return this.#frameOf(decoded);
    return undefined;
  }

  /** Of a line that turns out to be no frame it was put back as well. */
  #mayPutBack(bytes: number): boolean {
    this.#putBack += bytes;
    return this.#putBack <= mostRestoredBytes(this.#cutter.nextLineStart);
  }

  #noteEnd({ frames, sha256, index, forgotten = 0 }: Extract<DecodedLine, { is: 'end' }>): void {
    this.#said = frames;
    // Of one further up, too: what is added later goes by another memory.
    this.#forgotten = Math.max(this.#forgotten, forgotten);
    this.#counted = frames;
    this.#index = index;
    // One further up as well: whoever adds notes writes a new end, for whatever was there.
    if (sha256 !== undefined && this.#check?.differsBefore(this.#cutter.lineStart, sha256)) this.#changed = true;
  }

  #keep(name: string, blob: RecordedBlob): void {
    this.#blobs.add(name, blob.bytes.length, { ...blob, at: this.#cutter.lineStart });
    // A short one is no string that needs a line.
    if (blob.bytes.length >= BLOB_LIMITS.minBytes) this.#blobLines++;
  }

  #frameOf({ n, masked, frame, isJson }: Extract<DecodedLine, { is: 'frame' }>): ReadFrame {
    const missing = n - this.#n - 1;
    this.#missing += missing;
    this.#before = this.#fill(missing);
    this.#n = n;
    if (this.#counted !== undefined) this.#counted++;
    this.#masked += masked;
    this.#time = Math.max(this.#time, frame.time);
    this.#frames++;
    this.numbers.addFrame(++this.#seq, n);
    if (n !== this.#seq) this.#renumberedFrom ??= this.#seq;
    const isMoved = frame.channel === 'lifecycle' && n !== this.#seq;
    // A note on what is missing is on nothing.
    const bytes = isMoved
      ? (renumberedNote(frame.bytes, (on) => this.numbers.seqOf(on) ?? 0) ?? frame.bytes)
      : frame.bytes;
    const [seq, time, at, blobsAt] = [this.#seq, this.#time, this.#cutter.lineStart, this.#blobsAt] as const;
    const { channel, direction, flags } = frame;
    return { seq, time, direction, channel, flags, bytes, at, blobsAt, isJson };
  }

  /** Frames in the places of so many that are missing behind the newest one. */
  #fill(missing: number): readonly ReadFrame[] {
    const bytes = this.#gaps.fillGap(missing);
    if (bytes.length === 0) return NO_FRAMES;
    const after = { time: this.#time, direction: 'to-client', channel: 'lifecycle', flags: 0 } as const;
    const first = this.#n + 1;
    return bytes.map((one, index) => {
      this.numbers.addFrame(++this.#seq, first + index);
      return { seq: this.#seq, ...after, bytes: one, at: NO_LINE, blobsAt: NO_BLOBS_AT, isJson: true };
    });
  }

  #noteDamaged(): void {
    this.#damaged++;
    this.#gaps.addDamagedLine(this.#line);
    if (this.#damagedLines.length < DAMAGED_LINES) this.#damagedLines.push(this.#line);
  }
}

/** Frames of ours in the place of those that a recording has not: of each place the first says what is known of it. */
class GapFiller {
  #left: number = LIMITS.missingFrames;
  /** Of the lines since the newest frame: those that are damaged, and frames of a kind that is not known; and the first of each. */
  #damaged = NO_LINES;
  #unknown = NO_LINES;

  /** Takes in that a line can't be read. */
  addDamagedLine(line: number): void {
    this.#damaged = withOneMoreLine(this.#damaged, line);
  }

  /** Takes in that a line is a frame of a kind that is not known. */
  addUnknownFrame(line: number): void {
    this.#unknown = withOneMoreLine(this.#unknown, line);
  }

  /**
   * The bytes of the frames in the place of `count` that are missing right behind the lines that were taken in; those are done with. It is one
   * for all of them where there would be more than `LIMITS.missingFrames` in all.
   */
  fillGap(count: number): readonly Uint8Array[] {
    const isDamaged = this.#damaged.lines > 0;
    const lines = isDamaged ? this.#damaged : this.#unknown;
    [this.#damaged, this.#unknown] = [NO_LINES, NO_LINES];
    if (count <= 0) return NO_FRAME_BYTES;
    const isFolded = count > 1 && count > this.#left;
    if (!isFolded) this.#left = Math.max(0, this.#left - count);
    const facts: MissingFacts = {
      frames: count,
      ...(lines.lines > 0 && { ...lines, ...(!isDamaged && { unknown: true }) }),
      ...(isFolded && { folded: true }),
    };
    const first = encodeEvent({ event: 'missing', ...facts });
    return isFolded ? [first] : [first, ...new Array<Uint8Array>(count - 1).fill(FURTHER_MISSING_FRAME)];
  }
}

interface Lines {
  readonly lines: number;
  readonly line: number;
}

const NO_FRAME_BYTES: readonly Uint8Array[] = [];
const NO_LINES: Lines = { lines: 0, line: 0 };
const FURTHER_MISSING_FRAME = encodeEvent({ event: 'missing' });

function withOneMoreLine({ lines, line: first }: Lines, line: number): Lines {
  return { lines: lines + 1, line: lines === 0 ? line : first };
}
