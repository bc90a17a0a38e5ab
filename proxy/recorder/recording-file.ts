import { closeSync, constants, fstatSync, ftruncateSync, futimesSync, openSync, rmSync, writeSync } from 'node:fs';
import { encodeLine, type FrameToRecord } from '@/lib/recording/encode-line';
import type { RecordingHeader } from '@/lib/recording/format';
import { FrameEncoder } from '@/lib/recording/frame-encoder';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { atOnce, inTurns, turn } from '@/lib/wire/in-slices';
import { BYTE } from '@/lib/wire/json-bytes';
import { LIMITS } from '@/lib/wire/limits';
import { nowWritten } from './being-recorded';
import { IndexWriter, type WrittenFrame } from './index-writer';
import { RecordingAppender } from './recording-appender';
import { runningSha256, sha256Of } from './sha256';
import { writeFailure } from './write-failure';

/** Writes `bytes` from `offset` on and returns how many it took. Throws the system's error. */
type Write = (file: number, bytes: Uint8Array, offset: number) => number;

/** A frame as it is to be written: its blobs that are not there yet, and then it; and those that it refers to. */
interface Coded {
  readonly frame: FrameToRecord;
  readonly lines: readonly Uint8Array[];
  readonly named: readonly string[];
}

/**
 * A recording on disk, as docs/recording-format.md has it: a file made anew, readable for its owner alone, that grows by
 * whole lines, each on its way to disk before the next thing happens. What goes wrong is told at the end; until there
 * nothing throws.
 */
export class RecordingFile {
  readonly path: string;
  readonly #write: Write;
  readonly #written: () => void;
  readonly #onClosed: (() => void)[] = [];
  /** The system counts the names of files, as not all do. */
  readonly #named: boolean;
  /** Whoever can't see our process sees by this that the file is written, however long nothing is said. */
  readonly #touching: NodeJS.Timeout;
  readonly #digest = runningSha256();
  readonly #encoder = new FrameEncoder(sha256Of);
  readonly #index: IndexWriter;
  /** Where the lines of blobs begin, by the order in which they came. */
  readonly #blobsAt: number[] = [];
  readonly #coded: Coded[] = [];
  #file: number | undefined;
  readonly #redactor: CaptureRedactor;
  /** Bytes of whole lines. */
  #length = 0;
  #frames = 0;
  #notes = 0;
  #time = 0;
  #failure: string | undefined;
  #cause: unknown;

  private constructor(path: string, file: number, redactor: CaptureRedactor, write: Write, indexed: number) {
    this.path = path;
    this.#written = nowWritten(path);
    this.#file = file;
    this.#named = fstatSync(file).nlink > 0;
    this.#redactor = redactor;
    this.#write = write;
    this.#touching = setInterval(() => this.#touch(), LIMITS.touchMs).unref();
    this.#index = new IndexWriter((line) => this.#addIndex(line), indexed);
  }

  /** Makes the file, which must not be there yet, not even as a link. `indexedFrames`: of one index. Throws the system's error. */
  static create(
    path: string,
    header: RecordingHeader,
    redactor: CaptureRedactor,
    write: Write = writeSync,
    indexedFrames: number = LIMITS.indexedFrames,
  ): RecordingFile {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    // Windows knows no O_NOFOLLOW; O_EXCL refuses links by itself.
    const recording = new RecordingFile(
      path,
      openSync(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600),
      redactor,
      write,
      indexedFrames,
    );
    recording.#add([encodeLine(header)]);
    if (recording.#cause !== undefined) {
      rmSync(path, { force: true });
      throw recording.#cause;
    }
    return recording;
  }

  /** Adds frames, each as whole lines, in one write. Returns the last one's number. After a failure it only counts. */
  add(frames: readonly FrameToRecord[]): number {
    atOnce(this.#coding(frames));
    this.#put();
    return this.#frames;
  }

  /**
   * The same, and where it takes long, what is ready is written, and others have their turn for as long as `pause` takes. undefined if all is
   * done; nothing else may be added until it resolves; never rejects.
   */
  addInTurns(frames: readonly FrameToRecord[], pause = turn): Promise<void> | undefined {
    const rest = inTurns(this.#coding(frames), () => {
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
        const redacted = this.#file === undefined ? frame : yield* this.#redactor.applyInSlices(frame);
        if (this.#file !== undefined) this.#coded.push(this.#code(n, redacted));
      } catch (error) {
        // There may be no memory for it. What has not gone through the redactor is not written.
        if (this.#file !== undefined) this.#giveUp(this.#file, error);
      }
    }
  }

  #code(n: number, frame: FrameToRecord): Coded {
    const lines = this.#encoder.lines(n, frame);
    return { frame, lines, named: this.#encoder.named };
  }

  /** Writes the lines of frames that are ready in one go, and has them indexed. */
  #put(): void {
    const coded = this.#coded.splice(0);
    if (this.#file === undefined || coded.length === 0) return;
    let at = this.#length;
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
    this.#add(coded.flatMap((one) => one.lines));
    if (this.#file !== undefined) for (const frame of written) this.#index.add(frame);
  }

  #addIndex(line: Uint8Array): number | undefined {
    if (this.#file === undefined) return undefined;
    const at = this.#length;
    this.#add([line]);
    return this.#file === undefined ? undefined : at;
  }

  /** See {@link CaptureRedactor.learn}. */
  learn(secrets: readonly string[]): void {
    this.#redactor.learn(secrets);
  }

  /** What adds to it once it has ended. */
  appender(): RecordingAppender {
    return new RecordingAppender(this.path, this.#redactor);
  }

  /** A sentence for people once no more can be written. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Closes the file. Returns a sentence for people if something is missing in it. Idempotent. */
  end(): string | undefined {
    if (this.#file === undefined) return this.#failure;
    const index = this.#index.end();
    const sha256 = this.#digest.hex();
    const { forgotten } = this.#redactor;
    const more = {
      ...(this.#notes > 0 && { notes: this.#notes }),
      ...(forgotten > 0 && { forgotten }),
      ...(index && { index }),
    };
    if (this.#file !== undefined)
      this.#add([encodeLine({ k: 'end', t: this.#time, frames: this.#frames, ...more, sha256 })]);
    this.abandon();
    return this.#failure;
  }

  /** Closes the file without an end: its connection goes on, and what it has can be read. Idempotent. */
  abandon(): void {
    const file = this.#file;
    if (file !== undefined) {
      try {
        closeSync(file);
      } catch (error) {
        // Some systems find out only now that what was written has no room.
        this.#failure ??= this.#incomplete(error);
      }
    }
    this.#closed();
  }

  /** Calls back when nothing is written any more, for whatever reason. */
  whenClosed(run: () => void): void {
    this.#onClosed.push(run);
  }

  #touch(): void {
    try {
      if (this.#file !== undefined) futimesSync(this.#file, new Date(), new Date());
    } catch {
      // A file system that can't have that done; what is written touches it as well.
    }
  }

  #closed(): void {
    this.#index.stop();
    clearInterval(this.#touching);
    this.#file = undefined;
    this.#written();
    for (const run of this.#onClosed.splice(0)) run();
  }

  #count(frame: FrameToRecord): number {
    this.#time = frame.time;
    if (isNote(frame)) this.#notes++;
    return ++this.#frames;
  }

  /** In one write. */
  #add(each: readonly Uint8Array[]): void {
    const file = this.#file!;
    let lines: Uint8Array | undefined;
    let at = 0;
    try {
      lines = each.length === 1 ? each[0]! : Buffer.concat(each);
      while (at < lines.length) at += this.#write(file, lines, at);
      this.#digest.update(lines);
      this.#length += lines.length;
      // What is written to a file without a name is nowhere once it is closed.
      if (this.#named && fstatSync(file).nlink === 0) throw Object.assign(new Error('deleted'), { code: 'ENOENT' });
    } catch (error) {
      if (lines && at < lines.length) this.#length += lines.subarray(0, at).lastIndexOf(LINE_FEED) + 1;
      this.#giveUp(file, error);
    }
  }

  /** Takes away the part of a line that did get there: what stays are whole lines. */
  #giveUp(file: number, error: unknown): void {
    this.#cause = error;
    this.#failure =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `The recording \`${this.path}\` was deleted, and this connection is not recorded any further.`
        : this.#incomplete(error);
    for (const tidy of [() => ftruncateSync(file, this.#length), () => closeSync(file)]) {
      try {
        tidy();
      } catch {
        // A disk that fails may fail here as well; readers leave a torn line out.
      }
    }
    this.#closed();
  }

  #incomplete(error: unknown): string {
    return `The recording \`${this.path}\` is incomplete: ${writeFailure(error)}. What it has can be read.`;
  }
}

const LINE_FEED = 10;
