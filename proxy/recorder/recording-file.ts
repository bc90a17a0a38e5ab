import { deflateRaw, deflateRawSync } from 'node:zlib';
import { BYTE } from '@/lib/json/scan';
import { encodeHeaderOrEnd, FrameEncoder, type FrameToRecord } from '@/lib/recording/encode-lines';
import type { IndexPlace, RecordingHeader } from '@/lib/recording/format';
import { encodeIndexChunk, encodeIndexLine, type IndexedFrame } from '@/lib/recording/large/indexes';
import { Skimmer } from '@/lib/recording/large/skims';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { entryBytes, entryLength } from '@/lib/wire/batch';
import { nextTask, runToEnd, runYielding } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { AppendOnlyFile, type Write } from '@/proxy/files/append-only-file';
import { deleteNow } from '@/proxy/files/existing-files';
import { sha256Of } from '@/proxy/files/native-codecs';
import { earlyPlaces } from './early-places';
import { RecordingAppender } from './recording-appender';

/** A redacted frame with its lines: new blobs first, then the frame. `named` are the blobs it refers to. */
interface EncodedFrame {
  readonly frame: FrameToRecord;
  readonly lines: readonly Uint8Array[];
  readonly named: readonly string[];
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
  readonly #coded: EncodedFrame[] = [];
  #frames = 0;
  #notes = 0;
  #time = 0;

  private constructor(path: string, lines: AppendOnlyFile, redactor: CaptureRedactor, indexed: number) {
    this.path = path;
    this.#lines = lines;
    this.#redactor = redactor;
    this.#index = new IndexWriter((line) => this.#addIndex(line), indexed);
    lines.onClosed(() => this.#index.stop());
  }

  /**
   * Creates the file at a path that must be free. `indexedFrames` is the number per index. Throws the system's error.
   */
  static create(
    path: string,
    header: RecordingHeader,
    redactor: CaptureRedactor,
    write?: Write,
    indexedFrames: number = LIMITS.indexedFrames,
  ): RecordingFile {
    return new RecordingFile(
      path,
      AppendOnlyFile.create(path, encodeHeaderOrEnd(header), write),
      redactor,
      indexedFrames,
    );
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
  addInTurns(frames: readonly FrameToRecord[], pause = nextTask): Promise<void> | undefined {
    const rest = runYielding(this.#coding(frames), () => {
      this.#put();
      return pause();
    });
    if (rest instanceof Promise) return rest.then(() => this.#put());
    this.#put();
    return undefined;
  }

  *#coding(frames: readonly FrameToRecord[]): Generator<void, void> {
    for (const [index, frame] of frames.entries()) {
      if (index > 0) yield;
      const n = this.#count(frame);
      try {
        const redacted = this.#lines.isOpen ? yield* this.#redactor.applyInSlices(frame) : frame;
        const pieces = this.#lines.isOpen ? this.#encoder.encodeInPieces(n, redacted) : undefined;
        if (pieces) yield* this.#putInPieces(redacted, pieces);
        else if (this.#lines.isOpen) this.#coded.push(this.#code(n, redacted));
      } catch (error) {
        // For example, out of memory. A frame that was not redacted is never written.
        this.#lines.fail(error);
      }
    }
  }

  #code(n: number, frame: FrameToRecord): EncodedFrame {
    const lines = this.#encoder.encodeLines(n, frame);
    return { frame, lines, named: this.#encoder.blobNames };
  }

  /** Writes the encoded frames in one go, and indexes them. */
  #put(): void {
    const coded = this.#coded.splice(0);
    if (!this.#lines.isOpen || coded.length === 0) return;
    let at = this.#lines.length;
    const written: WrittenFrame[] = [];
    for (const { frame, lines, named } of coded) {
      for (const line of lines.slice(0, -1)) {
        this.#blobsAt.push(at);
        at += line.length;
      }
      const line = lines.at(-1)!;
      // Blobs are named by their number, from b1.
      const blobsAt = named.map((name) => this.#blobsAt[Number(name.slice(1)) - 1]!);
      written.push({ frame, at, blobsAt, isJson: line.at(-3) !== BYTE.quote });
      at += line.length;
    }
    this.#lines.appendLines(coded.flatMap((one) => one.lines));
    if (this.#lines.isOpen) for (const frame of written) this.#index.addFrame(frame);
  }

  /** Writes a frame that is too long to be encoded at once. */
  *#putInPieces(frame: FrameToRecord, pieces: Iterable<Uint8Array>): Generator<void> {
    this.#put();
    this.#index.pause();
    const at = this.#lines.length;
    yield* this.#lines.appendInPieces(pieces);
    this.#index.resume();
    if (this.#lines.isOpen) this.#index.addFrame({ frame, at, blobsAt: [], isJson: false });
  }

  #addIndex(line: Uint8Array): number | undefined {
    const at = this.#lines.length;
    this.#lines.appendLines([line]);
    return this.#lines.isOpen ? at : undefined;
  }

  /** See {@link CaptureRedactor.addMaskedSecrets}. */
  addSecrets(secrets: readonly string[]): void {
    this.#redactor.addMaskedSecrets(secrets);
  }

  /** Returns an appender for frames after the end. */
  appender(): RecordingAppender {
    return new RecordingAppender(this.path, this.#redactor);
  }

  /** A sentence for the user once writing failed. */
  get failure(): string | undefined {
    return this.#lines.failure;
  }

  /** Writes the end and closes the file. Returns a sentence for the user if something is missing. Idempotent. */
  end(): string | undefined {
    if (!this.#lines.isOpen) return this.#lines.failure;
    const index = this.#index.end();
    const { sha256 } = this.#lines;
    const { forgotten } = this.#redactor;
    const early = earlyPlaces(this.path, this.#redactor);
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

/** A written frame. */
export interface WrittenFrame {
  readonly frame: FrameToRecord;
  /** Offset of its line. */
  readonly at: number;
  readonly blobsAt: readonly number[];
  /** True if the line contains the message as JSON. */
  readonly isJson: boolean;
}

interface Chunk {
  readonly n: number;
  readonly frames: number;
  readonly bytes: Uint8Array;
}

/** Fast, and not much larger than the best compression. */
const LEVEL = { level: 1 };

/**
 * Writes a recording's indexes, a few thousand frames each. It reads frames in a later task and compresses on another
 * thread, so it delays no message. A short recording has none.
 */
export class IndexWriter {
  readonly #write: (line: Uint8Array) => number | undefined;
  readonly #framesEach: number;
  readonly #skimmer = new Skimmer();
  #unseen: WrittenFrame[] = [];
  #seen: IndexedFrame[] = [];
  /** Chunks that are not written yet, oldest first. */
  #chunks: Chunk[] = [];
  readonly #places: IndexPlace[] = [];
  #next = 1;
  #scheduled = false;
  #isPaused = false;
  /** Writes the chunk that was compressed meanwhile. */
  #onResumed: (() => void) | undefined;
  #over = false;

  /**
   * `write` adds a line and returns its offset, or undefined if it fails. `framesEach` is the number of frames per
   * index.
   */
  constructor(write: (line: Uint8Array) => number | undefined, framesEach: number) {
    this.#write = write;
    this.#framesEach = framesEach;
  }

  /** Adds the next frame. Its bytes must not change before the next task. */
  addFrame(written: WrittenFrame): void {
    if (this.#over) return;
    this.#unseen.push(written);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#orStop(() => this.#look());
    });
  }

  /** Writes the rest and returns the places of all indexes; undefined for too few frames, or too many. */
  end(): readonly IndexPlace[] | undefined {
    this.#orStop(() => {
      this.#look();
      const isLong = this.#places.length + this.#chunks.length > 0;
      if (isLong && this.#seen.length > 0) this.#makeChunk();
      for (const chunk of this.#chunks.splice(0)) this.#put(chunk, deflateRawSync(chunk.bytes, LEVEL));
    });
    const isWhole = !this.#over && this.#places.length > 0;
    this.stop();
    return isWhole ? this.#places : undefined;
  }

  /** Stops indexing. */
  stop(): void {
    this.#over = true;
    this.#unseen = [];
    this.#seen = [];
    this.#chunks = [];
  }

  /**
   * Runs `work` and stops indexing if it throws. A recording without indexes only opens slower, so errors are ignored.
   */
  #orStop(work: () => void): void {
    try {
      work();
    } catch {
      this.stop();
    }
  }

  #look(): void {
    for (const { frame, at, blobsAt, isJson } of this.#unseen.splice(0)) {
      const { time, channel, direction, flags } = frame;
      const skim = this.#skimmer.skim(frame, isJson);
      const length = entryLength(frame);
      // A copy, so that the rest of its segment can be freed.
      const entry = skim ?? (length <= LIMITS.indexedBytes ? entryBytes(frame).slice() : undefined);
      const isSkim = skim !== undefined;
      this.#seen.push({ time, channel, direction, flags, at, blobsAt, length, entry, isSkim });
      if (this.#seen.length === this.#framesEach) this.#makeChunk();
    }
  }

  #makeChunk(): void {
    const frames = this.#seen.length;
    const chunk: Chunk = { n: this.#next, frames, bytes: encodeIndexChunk(this.#seen) };
    this.#next += frames;
    this.#seen = [];
    this.#chunks.push(chunk);
    if (this.#chunks.length === 1) this.#compress(chunk);
  }

  #compress(chunk: Chunk): void {
    deflateRaw(chunk.bytes, LEVEL, (error, deflated) => {
      const write = (): void => {
        // `end` may have written it meanwhile.
        if (this.#chunks[0] !== chunk) return;
        this.#chunks.shift();
        if (error) this.stop();
        else this.#put(chunk, deflated);
        this.#orStop(() => {
          if (this.#chunks[0]) this.#compress(this.#chunks[0]);
        });
      };
      if (this.#isPaused) this.#onResumed = write;
      else write();
    });
  }

  /** Writes nothing until {@link resume}, because another line is being written in pieces. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    const write = this.#onResumed;
    this.#onResumed = undefined;
    write?.();
  }

  #put({ n, frames }: Chunk, deflated: Uint8Array): void {
    if (this.#over) return;
    const line = encodeIndexLine(n, frames, deflated);
    const at = this.#places.length < LIMITS.indexes ? this.#write(line) : undefined;
    if (at === undefined) this.stop();
    else this.#places.push([at, line.length]);
  }
}
