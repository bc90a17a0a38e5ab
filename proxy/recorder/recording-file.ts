import { encodeHeaderOrEnd, FrameEncoder, type FrameToRecord, LineBuffer } from '@/lib/recording/encode-lines';
import type { RecordingHeader } from '@/lib/recording/format';
import type { LongFrame } from '@/lib/recording/large/index-maker';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { CaptureRedactor, SecretSink } from '@/lib/redact/capture-redactor';
import { entryLength } from '@/lib/wire/batch';
import { nextTask, runToEnd, runYielding } from '@/lib/wire/in-slices';
import type { EarlyPlace } from '@/lib/wire/recording-facts';
import { AppendOnlyFile, type Write } from '@/proxy/files/append-only-file';
import { deleteNow } from '@/proxy/files/existing-files';
import { sha256Of } from '@/proxy/files/native-codecs';
import { earlyPlaces } from './early-places';
import { type FirstLook, type Looked, lookHere, type StartLook } from './first-look';
import { RecordingAppender } from './recording-appender';
import { INDEX_OPTIONS, type IndexOptions, IndexWriter } from './recording-index';

/** How long quitting waits for the last indexes, in ms. Without indexes, a recording only opens slower. */
const INDEX_WAIT_MS = 1000;
/** Bytes of a frame that is redacted and encoded in one step. */
const SHORT_FRAME_BYTES = 4 * 1024;
/** Frames without secrets that are encoded in one step, which takes about 0.1 ms. */
const QUICK_FRAMES_PER_STEP = 16;
/** Bytes of a frame that is not read again for the index, which would take a lot of memory. */
const LONG_FRAME_BYTES = 16 * 1024 * 1024;

interface TurnOptions {
  /** Awaited between slices. */
  readonly pause?: () => Promise<void>;
  /** The result of the first look at these frames, if there was one. */
  readonly looked?: Looked | undefined;
}

/**
 * A recording on disk, as described in docs/recording-format.md. Redacts frames, writes them as lines, and indexes
 * them. Nothing throws; `failure` and `end` report errors.
 */
export class RecordingFile {
  readonly path: string;
  readonly #lines: AppendOnlyFile;
  readonly #redactor: CaptureRedactor;
  readonly #encoder = new FrameEncoder(sha256Of);
  readonly #index: IndexWriter;
  /** Offsets of the lines of blobs, in order. */
  readonly #blobsAt: number[] = [];
  /** Lines that are not written yet: how many frames they hold, and the long ones. */
  readonly #buffer = new LineBuffer();
  #buffered = 0;
  #long: LongFrame[] = [];
  #frames = 0;
  #notes = 0;
  /** Found by {@link prepareEnd}. */
  #early: readonly EarlyPlace[] | undefined;
  #time = 0;
  /** The version of known values at {@link startLook}. */
  #lookedVersion = 0;

  private constructor(path: string, lines: AppendOnlyFile, redactor: CaptureRedactor, index: IndexOptions) {
    this.path = path;
    this.#lines = lines;
    this.#redactor = redactor;
    this.#index = new IndexWriter(path, index, (line) => this.#addIndex(line));
    lines.onClosed(() => this.#index.stop());
  }

  /**
   * Creates the file at a path that must be free. Throws the system's error.
   */
  static create(
    path: string,
    header: RecordingHeader,
    redactor: CaptureRedactor,
    write?: Write,
    index: Partial<IndexOptions> = {},
  ): RecordingFile {
    const lines = AppendOnlyFile.create(path, encodeHeaderOrEnd(header), write);
    return new RecordingFile(path, lines, redactor, { ...INDEX_OPTIONS, ...index });
  }

  /** Adds frames in one write. Returns the number of the last. After a failure, it only counts. */
  add(frames: readonly FrameToRecord[]): number {
    runToEnd(this.#coding(frames));
    this.#put();
    return this.#frames;
  }

  /**
   * Adds frames as {@link add} does, but in slices if it takes long: writes what is ready and awaits `pause`. Returns
   * undefined if everything is done. Add nothing else until the promise resolves. Never rejects.
   */
  addInTurns(
    frames: readonly FrameToRecord[],
    { pause = nextTask, looked }: TurnOptions = {},
  ): Promise<void> | undefined {
    const rest = runYielding(this.#coding(frames, looked), () => {
      this.#put();
      return pause();
    });
    if (rest instanceof Promise) return rest.then(() => this.#put());
    this.#put();
    return undefined;
  }

  *#coding(frames: readonly FrameToRecord[], looked?: Looked): Generator<void, void> {
    let quick = 0;
    for (const [index, frame] of frames.entries()) {
      // Looking at the clock after each frame would take as long as encoding it.
      if (index > 0 && ++quick >= QUICK_FRAMES_PER_STEP) {
        quick = 0;
        yield;
      }
      const n = this.#count(frame);
      if (!this.#lines.isOpen) continue;
      try {
        if (looked?.[index] === 1) this.#codeLooked(n, frame);
        else if (frame.bytes.length <= SHORT_FRAME_BYTES) {
          const redacted = this.#redactor.apply(frame);
          this.#code(n, redacted);
          if (redacted !== frame) quick = QUICK_FRAMES_PER_STEP;
        } else yield* this.#codeLarge(n, yield* this.#redactor.applyInSlices(frame));
      } catch (error) {
        // For example, out of memory. A frame that was not redacted is never written.
        this.#lines.fail(error);
      }
    }
  }

  /** Encodes a frame that is plain, and held no secret that was known when somebody looked. */
  #codeLooked(n: number, frame: FrameToRecord): void {
    const redacted = this.#redactor.applyLooked(frame, this.#lookedVersion);
    if (redacted !== frame) this.#code(n, redacted);
    else {
      this.#encoder.addPlain(n, frame, this.#buffer);
      this.#buffered++;
    }
  }

  *#codeLarge(n: number, frame: FrameToRecord): Generator<void> {
    const pieces = this.#encoder.encodeInPieces(n, frame);
    if (pieces) yield* this.#putInPieces(frame, pieces);
    else this.#code(n, frame);
  }

  /** Encodes a frame into the buffer. */
  #code(n: number, frame: FrameToRecord): void {
    const from = this.#lines.length + this.#buffer.length;
    const lines = this.#encoder.addLines(n, frame, this.#buffer);
    this.#buffered++;
    if (!lines) return;
    let at = from;
    const blobs = lines.slice(0, -1).map(({ length }): LongFrame['blobs'][number] => {
      const name = `b${this.#blobsAt.push(at)}`;
      at += length;
      return [name, { at: at - length, length: length - 1 }];
    });
    if (frame.bytes.length <= LONG_FRAME_BYTES) return;
    const to = this.#lines.length + this.#buffer.length;
    // Blobs are named by their number, from b1.
    const blobsAt = this.#encoder.blobNames.map((name) => this.#blobsAt[Number(name.slice(1)) - 1]!);
    this.#long.push({ ...placeOf(frame), from, at, to, blobsAt, blobs });
  }

  /** Writes the encoded frames in one go. */
  #put(): void {
    const [frames, long] = [this.#buffered, this.#long];
    this.#buffered = 0;
    this.#long = [];
    if (!this.#lines.isOpen || frames === 0) return;
    this.#lines.appendLines(this.#buffer.take());
    if (this.#lines.isOpen) this.#index.onWritten(frames, this.#lines.length, long);
  }

  /** Writes a frame that is too long to be encoded at once. */
  *#putInPieces(frame: FrameToRecord, pieces: Iterable<Uint8Array>): Generator<void> {
    this.#put();
    this.#index.pause();
    const from = this.#lines.length;
    yield* this.#lines.appendInPieces(pieces);
    this.#index.resume();
    const to = this.#lines.length;
    const long = { ...placeOf(frame), from, at: from, to, blobsAt: [], blobs: [] };
    if (this.#lines.isOpen) this.#index.onWritten(1, to, [long]);
  }

  #addIndex(line: Uint8Array): number | undefined {
    const at = this.#lines.length;
    this.#lines.appendLines([line]);
    return this.#lines.isOpen ? at : undefined;
  }

  /**
   * Starts to look at the frames that are left, on another thread. There will be no index, which would take the same
   * thread as long.
   */
  startLook(start: StartLook = lookHere): FirstLook {
    this.#index.stop();
    const { starts, version } = this.#redactor.knownNow;
    this.#lookedVersion = version;
    return start(starts);
  }

  /** Takes further secrets to mask. */
  get secrets(): SecretSink {
    return this.#redactor;
  }

  /** Returns an appender for frames after the end. */
  appender(): RecordingAppender {
    return new RecordingAppender(this.path, this.#redactor);
  }

  /** A sentence for the user once writing failed. */
  get failure(): string | undefined {
    return this.#lines.failure;
  }

  /**
   * Does in turns with others what {@link end} otherwise does at once or leaves out: looks for secrets that got their
   * names late, and indexes what was written last. Waits at most `mostMs` for the index. Never rejects.
   */
  async prepareEnd(mostMs: number = INDEX_WAIT_MS): Promise<void> {
    const indexed = this.#index.finish(this.#lines.length, mostMs);
    if (this.#lines.isOpen) this.#early = await runYielding(earlyPlaces(this.path, this.#redactor));
    await indexed;
  }

  /** Writes the end and closes the file. Returns a sentence for the user if something is missing. Idempotent. */
  end(): string | undefined {
    if (!this.#lines.isOpen) return this.#lines.failure;
    const index = this.#index.end(this.#lines.length);
    const { sha256 } = this.#lines;
    const { forgotten } = this.#redactor;
    const early = this.#early ?? runToEnd(earlyPlaces(this.path, this.#redactor));
    const more = {
      ...(this.#notes > 0 && { notes: this.#notes }),
      ...(forgotten > 0 && { forgotten }),
      ...(early.length > 0 && { early }),
      ...(index && { index }),
    };
    this.#lines.appendLines([encodeHeaderOrEnd({ k: 'end', t: this.#time, frames: this.#frames, ...more, sha256 })]);
    this.abandon();
    return this.#lines.failure;
  }

  /** Closes the file without an end, because its connection goes on. Idempotent. */
  abandon(): void {
    this.#lines.close();
  }

  /** Closes and deletes the file. */
  discard(): void {
    this.abandon();
    deleteNow(this.path);
  }

  /** Calls back once the file is closed, for any reason. */
  onClosed(run: () => void): void {
    this.#lines.onClosed(run);
  }

  #count(frame: FrameToRecord): number {
    this.#time = frame.time;
    if (isNote(frame)) this.#notes++;
    return ++this.#frames;
  }
}

function placeOf(frame: FrameToRecord): Pick<LongFrame, 'time' | 'channel' | 'direction' | 'flags' | 'length'> {
  const { time, channel, direction, flags } = frame;
  return { time, channel, direction, flags, length: entryLength(frame) };
}
