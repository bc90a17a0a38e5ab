import { cutFrame } from '@/lib/wire/cut-message';
import type { Frame } from '@/lib/wire/frame';
import type { MissingFacts } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import { BLOB_LIMITS, BlobWindow, mostRestoredBytes, type RecordedBlob } from './blobs';
import { type DecodedLine, decodeLine } from './decode-line';
import { EndDigestCheck, type RunningDigest } from './digests';
import { EndFacts } from './end-facts';
import {
  ALL_LINES_DAMAGED,
  CUT_BEFORE_FIRST_FRAME,
  EMPTY_FILE,
  ENDED_WITHOUT_FRAMES,
  EXPANDS_TOO_MUCH,
  newerFormatError,
  type RecordingError,
  TOO_DAMAGED,
} from './errors';
import { RECORDING_VERSION, type RecordingEnd } from './format';
import { FrameNumbers, renumberedNote } from './frame-numbers';
import { encodeEvent } from './lifecycle-event';
import { LineSplitter } from './line-splitter';
import { type HeaderFacts, readHeader } from './read-header';

/** Longest header, in bytes. */
export const RECORDING_HEADER_BYTES = 1024 * 1024;
/**
 * By how many the lines without a frame may exceed the lines with one. Without a limit, a small gzip file of blank
 * lines would take hours.
 */
export const FRAMELESS_LINES = 20_000;
/** How many damaged lines a report lists by number. */
const DAMAGED_LINES = 20;

/** A frame with facts about its line. */
export interface ReadFrame extends Frame {
  /** Offset of its line in the recording; {@link NO_LINE} for a placeholder. */
  readonly at: number;
  /** Offsets of the blobs that it refers to. */
  readonly blobsAt: readonly number[];
  /** True if the bytes are JSON that was parsed. */
  readonly isJson: boolean;
}

/** The offset of a frame without a line. */
export const NO_LINE = -1;

const NO_BLOBS_AT: readonly number[] = [];
const NO_FRAMES: readonly ReadFrame[] = [];

interface PlacedBlob extends RecordedBlob {
  readonly at: number;
}

/** The end of a recording. */
export interface RecordingPosition {
  /** Number of the newest frame, including missing ones that the end line declares. */
  readonly n: number;
  /** Time of the newest frame present. */
  readonly time: number;
  /** Frames that the last end line declares, plus those after it; undefined without an end line. */
  readonly declaredFrames: number | undefined;
  /** Indexes that the newest end line lists. */
  readonly index: RecordingEnd['index'];
  /** Offset after the last whole line. Bytes beyond it are a torn line. */
  readonly end: number;
}

/**
 * Reads a recording in chunks of any size and returns its frames. Skips and counts unreadable lines, and never lets
 * time run backwards. Numbers frames from 1 without gaps, as in the file, and puts placeholders where frames are
 * missing. If too many are missing, later frames get lower numbers, and notes refer to the lower numbers.
 */
export class RecordingReader {
  /** Maps seqs to the numbers in the file. */
  readonly numbers = new FrameNumbers();
  readonly #splitter = new LineSplitter(LIMITS.recordedLineBytes);
  #header: HeaderFacts | undefined;
  #line = 0;
  #frames = 0;
  /** Seq of the newest frame. */
  #seq = 0;
  readonly #gapFiller = new GapFiller();
  /** Placeholders before the newest frame. */
  #placeholders = NO_FRAMES;
  #renumberedFrom: number | undefined;
  /** Number and time of the newest frame, as in the file. */
  #n = 0;
  #time = 0;
  readonly #damagedLines: number[] = [];
  #damaged = 0;
  #missing = 0;
  #unknown = 0;
  readonly #blobs = new BlobWindow<PlacedBlob>();
  /** Offsets of the blobs that the current line refers to. */
  #blobsAt: readonly number[] = NO_BLOBS_AT;
  readonly #blobLookup = {
    get: (name: string): RecordedBlob | undefined => {
      const blob = this.#blobs.get(name);
      if (blob) this.#blobsAt = [...this.#blobsAt, blob.at];
      return blob;
    },
  };
  /** Lines that are valid but not frames. */
  #blobLines = 0;
  /** Bytes of blobs in all frames. */
  #restoredBytes = 0;
  /** Damaged lines that refer to a missing blob. */
  #withoutBlob = 0;
  /** Why reading stopped. */
  #failure: RecordingError | undefined;
  readonly #digestCheck: EndDigestCheck | undefined;
  #changed = false;
  #masked = 0;
  #index: RecordingEnd['index'];
  readonly #ends = new EndFacts();
  /** Number of frames that the last line declares, if it is an end line. */
  #lastLineFrames: number | undefined;
  /** See {@link RecordingPosition.declaredFrames}. */
  #declaredFrames: number | undefined;

  /** `digest` checks the end lines, within the first `digestBytes`. Absent: nothing is checked. */
  constructor(digest?: RunningDigest, digestBytes = Number.POSITIVE_INFINITY) {
    this.#digestCheck = digest && new EndDigestCheck(digest, digestBytes);
  }

  /** undefined until the first line has been read. */
  get header(): HeaderFacts | undefined {
    return this.#header;
  }

  /** The position that an appended line continues from. */
  get position(): RecordingPosition {
    // An end line may declare any number, and frames after it need greater numbers.
    const n = this.#missingAtEnd > LIMITS.missingFrames ? this.#n : this.#n + this.#missingAtEnd;
    return {
      n,
      time: this.#time,
      declaredFrames: this.#declaredFrames,
      index: this.#index,
      end: this.#splitter.nextLineStart,
    };
  }

  /** Why reading stopped before the end; undefined if it did not. */
  get failure(): RecordingError | undefined {
    return this.#failure;
  }

  /** Returns the frames of a chunk as an array. Only for data that is known not to expand. */
  readChunk(chunk: Uint8Array): ReadFrame[] {
    return [...this.read(chunk)];
  }

  /**
   * Returns the frames whose lines end in this chunk. Iterate it to the end: a small chunk may hold frames of any size.
   * Throws {@link RecordingError} `not-a-recording` or `recording-newer` at the first line, and {@link failure} once
   * all frames before the failing line were returned.
   */
  *read(chunk: Uint8Array): Generator<ReadFrame> {
    if (this.#failure) throw this.#failure;
    this.#digestCheck?.addChunk(chunk);
    for (const line of this.#splitter.splitChunk(chunk)) {
      this.#line++;
      if (!this.#header) this.#header = this.#readHeader(line);
      else {
        const frame = this.#readLine(line);
        if (frame) {
          yield* this.#placeholders;
          yield frame;
        }
      }
      const frameless = this.#line - this.#blobLines - this.#frames;
      if (frameless > this.#frames + FRAMELESS_LINES) this.#failure = TOO_DAMAGED;
      if (this.#failure) break;
    }
    this.#digestCheck?.releaseUpTo(this.#splitter.nextLineStart);
    // A first line this long is not a header, so don't wait for its end.
    if (!this.#header && this.#splitter.pendingBytes > RECORDING_HEADER_BYTES) readHeader(undefined);
  }

  #readHeader(line: Uint8Array | undefined): HeaderFacts {
    const header = readHeader(line);
    // Later versions may mean something else by the same lines, as `t` of version 0 did.
    if (header.version > RECORDING_VERSION) throw newerFormatError(header.version);
    return header;
  }

  /** Frames that the end line declares after the newest one. */
  get #missingAtEnd(): number {
    return Math.max(0, (this.#lastLineFrames ?? 0) - this.#n);
  }

  /**
   * Returns placeholders for frames that the end line declares and that are missing. Call it once, after the last
   * chunk.
   */
  fillGapAtEnd(): readonly ReadFrame[] {
    return this.#frames === 0 ? NO_FRAMES : this.#fillGap(this.#missingAtEnd);
  }

  /** Finishes reading. Throws {@link RecordingError} if there is nothing to open. */
  finish(): RecordingReport {
    if (this.#line === 0 && this.#splitter.pendingBytes === 0) throw EMPTY_FILE;
    if (!this.#header) readHeader(undefined);
    if (this.#frames === 0 && this.#failure) throw this.#failure;
    if (this.#frames === 0) {
      if (this.#damaged > 0) throw ALL_LINES_DAMAGED;
      throw this.#lastLineFrames === undefined ? CUT_BEFORE_FIRST_FRAME : ENDED_WITHOUT_FRAMES;
    }
    // A late name masks its value from then on, so without a masked value there was none.
    const unlooked =
      this.#masked > 0 && this.#header!.policy.startsWith('capture/')
        ? unlookedPart(this.#declaredFrames !== undefined, this.#splitter.nextLineStart)
        : undefined;
    return {
      frames: this.#frames,
      last: this.#seq,
      damaged: { count: this.#damaged, lines: this.#damagedLines },
      withoutBlob: this.#withoutBlob,
      missing: Math.max(0, this.#missing + this.#missingAtEnd - this.#damaged),
      ...(this.#renumberedFrom !== undefined && { renumberedFrom: this.#renumberedFrom }),
      unknown: this.#unknown,
      masked: this.#masked,
      ...this.#ends.found(),
      ...(unlooked && { unlooked }),
      torn: this.#splitter.pendingBytes > 0,
      ended: this.#lastLineFrames !== undefined,
      complete: this.#lastLineFrames === this.#frames,
      changed: this.#changed,
    };
  }

  #readLine(line: Uint8Array | undefined): ReadFrame | undefined {
    // An end line that other lines follow does not end the file.
    this.#lastLineFrames = undefined;
    this.#blobsAt = NO_BLOBS_AT;
    const decoded: DecodedLine = line ? decodeLine(line, this.#header!.version, this.#blobLookup) : { is: 'damaged' };
    switch (decoded.is) {
      case 'frame':
        return this.#readFrame(decoded);
      case 'blob':
        this.#addBlob(decoded.name, decoded);
        return undefined;
      case 'index':
        // Readers that use indexes read them separately.
        return undefined;
      case 'end':
        this.#readEnd(decoded);
        return undefined;
      case 'unknown':
        this.#unknown++;
        return undefined;
      case 'damaged':
        if (decoded.why === 'no-blob') this.#withoutBlob++;
        this.#countDamaged();
        return undefined;
    }
  }

  /** Counts restored bytes. Returns false once they exceed the limit for the part of the file read so far. */
  #mayRestore(bytes: number): boolean {
    this.#restoredBytes += bytes;
    return this.#restoredBytes <= mostRestoredBytes(this.#splitter.nextLineStart);
  }

  #readEnd(end: Extract<DecodedLine, { is: 'end' }>): void {
    const { frames, sha256, index } = end;
    this.#lastLineFrames = frames;
    this.#ends.addEnd(end);
    this.#declaredFrames = frames;
    this.#index = index;
    // Earlier end lines are checked too: adding notes writes a new end line.
    if (sha256 !== undefined && this.#digestCheck?.differsBefore(this.#splitter.lineStart, sha256))
      this.#changed = true;
  }

  #addBlob(name: string, blob: RecordedBlob): void {
    this.#blobs.add(name, blob.bytes.length, { ...blob, at: this.#splitter.lineStart });
    // Only a long string justifies a line of its own. Lines of short strings count as lines without a frame.
    if (blob.bytes.length >= BLOB_LIMITS.minBytes) this.#blobLines++;
  }

  #readFrame({
    n,
    masked,
    restoredBytes,
    frame,
    isJson,
  }: Extract<DecodedLine, { is: 'frame' }>): ReadFrame | undefined {
    if (!this.#mayRestore(restoredBytes)) {
      this.#failure = EXPANDS_TOO_MUCH;
      return undefined;
    }
    // A repeated or lower number means an inserted or doubled line.
    if (n <= this.#n) {
      this.#countDamaged();
      return undefined;
    }
    const missing = n - this.#n - 1;
    this.#missing += missing;
    this.#placeholders = this.#fillGap(missing);
    this.#n = n;
    if (this.#declaredFrames !== undefined) this.#declaredFrames++;
    this.#masked += masked;
    this.#time = Math.max(this.#time, frame.time);
    this.#frames++;
    this.numbers.addFrame(++this.#seq, n);
    if (n !== this.#seq) this.#renumberedFrom ??= this.#seq;
    const [seq, time, at, blobsAt] = [this.#seq, this.#time, this.#splitter.lineStart, this.#blobsAt] as const;
    const { channel, direction, flags, cut } = frame;
    if (cut) return cutFrame({ seq, time, direction, channel, flags, at, blobsAt, isJson }, cut);
    const isMoved = channel === 'lifecycle' && n !== this.#seq;
    // A note on a missing frame has no target.
    const bytes = isMoved
      ? (renumberedNote(frame.bytes, (on) => this.numbers.seqOf(on) ?? 0) ?? frame.bytes)
      : frame.bytes;
    return { seq, time, direction, channel, flags, bytes, at, blobsAt, isJson };
  }

  /** Returns placeholders for the frames missing after the newest one. */
  #fillGap(missing: number): readonly ReadFrame[] {
    const bytes = this.#gapFiller.fillGap(missing);
    if (bytes.length === 0) return NO_FRAMES;
    const after = { time: this.#time, direction: 'to-client', channel: 'lifecycle', flags: 0 } as const;
    const first = this.#n + 1;
    return bytes.map((one, index) => {
      this.numbers.addFrame(++this.#seq, first + index);
      return { seq: this.#seq, ...after, bytes: one, at: NO_LINE, blobsAt: NO_BLOBS_AT, isJson: true };
    });
  }

  #countDamaged(): void {
    this.#damaged++;
    this.#gapFiller.addDamagedLine(this.#line);
    if (this.#damagedLines.length < DAMAGED_LINES) this.#damagedLines.push(this.#line);
  }
}

/** Returns where the recorder did not look for secrets that got their names later. The end line lists them. */
export function unlookedPart(hasEnd: boolean, bytes: number): RecordingReport['unlooked'] {
  if (!hasEnd) return 'all';
  return bytes > LIMITS.earlyBytes ? 'rest' : undefined;
}

/** Makes placeholders for the frames that a recording lacks. The first placeholder of a gap describes the gap. */
class GapFiller {
  #left: number = LIMITS.missingFrames;
  /** Damaged lines since the newest frame, with the number of the first. */
  #damaged = NO_LINES;

  /** Records that a line is unreadable. */
  addDamagedLine(line: number): void {
    const { lines, line: first } = this.#damaged;
    this.#damaged = { lines: lines + 1, line: lines === 0 ? line : first };
  }

  /**
   * Returns the bytes of placeholders for `count` missing frames, and forgets the lines recorded for this gap. Beyond
   * the limit, returns one placeholder for the whole gap.
   */
  fillGap(count: number): readonly Uint8Array[] {
    const damaged = this.#damaged;
    this.#damaged = NO_LINES;
    if (count <= 0) return NO_FRAME_BYTES;
    const isFolded = count > 1 && count > this.#left;
    if (!isFolded) this.#left = Math.max(0, this.#left - count);
    const facts: MissingFacts = {
      frames: count,
      ...(damaged.lines > 0 && damaged),
      ...(isFolded && { folded: true }),
    };
    const first = encodeEvent({ event: 'missing', ...facts });
    return isFolded ? [first] : [first, ...new Array<Uint8Array>(count - 1).fill(FURTHER_MISSING_FRAME)];
  }
}

const NO_FRAME_BYTES: readonly Uint8Array[] = [];
const NO_LINES = { lines: 0, line: 0 };
const FURTHER_MISSING_FRAME = encodeEvent({ event: 'missing' });
