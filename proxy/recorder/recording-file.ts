import { deflateRaw, deflateRawSync } from 'node:zlib';
import { BYTE } from '@/lib/json/scan';
import { encodeHeaderOrEnd, FrameEncoder, type FrameToRecord } from '@/lib/recording/encode-lines';
import type { IndexPlace, RecordingHeader } from '@/lib/recording/format';
import { encodeIndexChunk, encodeIndexLine, type IndexedFrame } from '@/lib/recording/large/indexes';
import { Skimmer } from '@/lib/recording/large/skims';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { nextTask, runToEnd, runYielding } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { AppendOnlyFile, type Write } from '@/proxy/files/append-only-file';
import { sha256Of } from '@/proxy/files/native-codecs';
import { RecordingAppender } from './recording-appender';

/** A frame as it was written. */
export interface WrittenFrame {
  readonly frame: FrameToRecord;
  /** Where its line begins. */
  readonly at: number;
  readonly blobsAt: readonly number[];
  /** It stands in its line as JSON. */
  readonly isJson: boolean;
}

interface Chunk {
  readonly n: number;
  readonly frames: number;
  readonly bytes: Uint8Array;
}

/** Quick, and not much larger than the smallest. */
const LEVEL = { level: 1 };

/**
 * Makes a recording's indexes, a few thousand frames each. It looks into frames once whoever wrote them has gone on, and compresses on
 * another thread, so a message waits for nothing of it; a short recording has none.
 */
export class IndexWriter {
  readonly #write: (line: Uint8Array) => number | undefined;
  readonly #framesEach: number;
  readonly #skimmer = new Skimmer();
  #unseen: WrittenFrame[] = [];
  #seen: IndexedFrame[] = [];
  /** Made and not yet written, oldest first. */
  #chunks: Chunk[] = [];
  readonly #places: IndexPlace[] = [];
  #next = 1;
  #scheduled = false;
  #over = false;

  /** `write` adds a line to the file and tells where it begins; undefined if it can't be. `framesEach`: of one index. */
  constructor(write: (line: Uint8Array) => number | undefined, framesEach: number) {
    this.#write = write;
    this.#framesEach = framesEach;
  }

  /** The next frame. Its bytes must stay as they are for a moment. */
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

  /** Writes what is left. Where the indexes are; undefined for too few frames, or too many. */
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

  /** There is to be no more of it. */
  stop(): void {
    this.#over = true;
    this.#unseen = [];
    this.#seen = [];
    this.#chunks = [];
  }

  /** A recording without indexes is as good, if slower to open: nobody else is to hear that there was no memory for one, say. */
  #orStop(work: () => void): void {
    try {
      work();
    } catch {
      this.stop();
    }
  }

  #look(): void {
    for (const { frame, at, blobsAt, isJson } of this.#unseen.splice(0)) {
      const { time, channel, direction, flags, bytes } = frame;
      const skim = this.#skimmer.skim(frame, isJson);
      // Of the segment that it lies in, the rest is not to be kept.
      const whole = bytes.length <= LIMITS.indexedBytes ? bytes.slice() : undefined;
      const entry = skim ?? whole;
      const [length, isSkim] = [bytes.length, skim !== undefined];
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
      // The end may have been quicker.
      if (this.#chunks[0] !== chunk) return;
      this.#chunks.shift();
      if (error) this.stop();
      else this.#put(chunk, deflated);
      this.#orStop(() => {
        if (this.#chunks[0]) this.#compress(this.#chunks[0]);
      });
    });
  }

  #put({ n, frames }: Chunk, deflated: Uint8Array): void {
    if (this.#over) return;
    const line = encodeIndexLine(n, frames, deflated);
    const at = this.#places.length < LIMITS.indexes ? this.#write(line) : undefined;
    if (at === undefined) this.stop();
    else this.#places.push([at, line.length]);
  }
}

/** A frame as it is to be written: its blobs that are not there yet, and then it; and those that it refers to. */
interface EncodedFrame {
  readonly frame: FrameToRecord;
  readonly lines: readonly Uint8Array[];
  readonly named: readonly string[];
}

/**
 * A recording on disk, as docs/recording-format.md has it: frames are redacted, written as lines, and indexed. What goes wrong is told at the
 * end; until there nothing throws.
 */
export class RecordingFile {
  readonly path: string;
  readonly #lines: AppendOnlyFile;
  readonly #redactor: CaptureRedactor;
  readonly #encoder = new FrameEncoder(sha256Of);
  readonly #index: IndexWriter;
  /** Where the lines of blobs begin, by the order in which they came. */
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

  /** Makes the file, which must not be there yet, not even as a link. `indexedFrames`: of one index. Throws the system's error. */
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

  /** Adds frames, each as whole lines, in one write. Returns the last one's number. After a failure it only counts. */
  add(frames: readonly FrameToRecord[]): number {
    runToEnd(this.#coding(frames));
    this.#put();
    return this.#frames;
  }

  /**
   * The same, and where it takes long, what is ready is written, and others have their turn for as long as `pause` takes. undefined if all is
   * done; nothing else may be added until it resolves; never rejects.
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
        if (this.#lines.isOpen) this.#coded.push(this.#code(n, redacted));
      } catch (error) {
        // There may be no memory for it. What has not gone through the redactor is not written.
        this.#lines.fail(error);
      }
    }
  }

  #code(n: number, frame: FrameToRecord): EncodedFrame {
    const lines = this.#encoder.encodeLines(n, frame);
    return { frame, lines, named: this.#encoder.blobNames };
  }

  /** Writes the lines of frames that are ready in one go, and has them indexed. */
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
      // Blobs are called by their number, b1 first.
      const blobsAt = named.map((name) => this.#blobsAt[Number(name.slice(1)) - 1]!);
      written.push({ frame, at, blobsAt, isJson: line.at(-3) !== BYTE.quote });
      at += line.length;
    }
    this.#lines.appendLines(coded.flatMap((one) => one.lines));
    if (this.#lines.isOpen) for (const frame of written) this.#index.addFrame(frame);
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

  /** What adds to it once it has ended. */
  appender(): RecordingAppender {
    return new RecordingAppender(this.path, this.#redactor);
  }

  /** A sentence for people once no more can be written. */
  get failure(): string | undefined {
    return this.#lines.failure;
  }

  /** Closes the file. Returns a sentence for people if something is missing in it. Idempotent. */
  end(): string | undefined {
    if (!this.#lines.isOpen) return this.#lines.failure;
    const index = this.#index.end();
    const { sha256 } = this.#lines;
    const { forgotten } = this.#redactor;
    const more = {
      ...(this.#notes > 0 && { notes: this.#notes }),
      ...(forgotten > 0 && { forgotten }),
      ...(index && { index }),
    };
    this.#lines.appendLines([encodeHeaderOrEnd({ k: 'end', t: this.#time, frames: this.#frames, ...more, sha256 })]);
    this.abandon();
    return this.#lines.failure;
  }

  /** Closes the file without an end: its connection goes on, and what it has can be read. Idempotent. */
  abandon(): void {
    this.#lines.close();
  }

  /** Calls back when nothing is written any more, for whatever reason. */
  onClosed(run: () => void): void {
    this.#lines.onClosed(run);
  }

  #count(frame: FrameToRecord): number {
    this.#time = frame.time;
    if (isNote(frame)) this.#notes++;
    return ++this.#frames;
  }
}
