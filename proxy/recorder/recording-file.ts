import { encodeLine, type FrameToRecord } from '@/lib/recording/encode-line';
import type { RecordingHeader } from '@/lib/recording/format';
import { FrameEncoder } from '@/lib/recording/frame-encoder';
import { isNote } from '@/lib/recording/lifecycle-event';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { atOnce, inTurns, turn } from '@/lib/wire/in-slices';
import { BYTE } from '@/lib/wire/json-bytes';
import { LIMITS } from '@/lib/wire/limits';
import { IndexWriter, type WrittenFrame } from './index-writer';
import { LinesFile, type Write } from './lines-file';
import { RecordingAppender } from './recording-appender';
import { sha256Of } from './sha256';

/** A frame as it is to be written: its blobs that are not there yet, and then it; and those that it refers to. */
interface Coded {
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
  readonly #lines: LinesFile;
  readonly #redactor: CaptureRedactor;
  readonly #encoder = new FrameEncoder(sha256Of);
  readonly #index: IndexWriter;
  /** Where the lines of blobs begin, by the order in which they came. */
  readonly #blobsAt: number[] = [];
  readonly #coded: Coded[] = [];
  #frames = 0;
  #notes = 0;
  #time = 0;

  private constructor(path: string, lines: LinesFile, redactor: CaptureRedactor, indexed: number) {
    this.path = path;
    this.#lines = lines;
    this.#redactor = redactor;
    this.#index = new IndexWriter((line) => this.#addIndex(line), indexed);
    lines.whenClosed(() => this.#index.stop());
  }

  /** Makes the file, which must not be there yet, not even as a link. `indexedFrames`: of one index. Throws the system's error. */
  static create(
    path: string,
    header: RecordingHeader,
    redactor: CaptureRedactor,
    write?: Write,
    indexedFrames: number = LIMITS.indexedFrames,
  ): RecordingFile {
    return new RecordingFile(path, LinesFile.create(path, encodeLine(header), write), redactor, indexedFrames);
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
        const redacted = this.#lines.isOpen ? yield* this.#redactor.applyInSlices(frame) : frame;
        if (this.#lines.isOpen) this.#coded.push(this.#code(n, redacted));
      } catch (error) {
        // There may be no memory for it. What has not gone through the redactor is not written.
        this.#lines.giveUp(error);
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
    this.#lines.add(coded.flatMap((one) => one.lines));
    if (this.#lines.isOpen) for (const frame of written) this.#index.add(frame);
  }

  #addIndex(line: Uint8Array): number | undefined {
    const at = this.#lines.length;
    this.#lines.add([line]);
    return this.#lines.isOpen ? at : undefined;
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
    this.#lines.add([encodeLine({ k: 'end', t: this.#time, frames: this.#frames, ...more, sha256 })]);
    this.abandon();
    return this.#lines.failure;
  }

  /** Closes the file without an end: its connection goes on, and what it has can be read. Idempotent. */
  abandon(): void {
    this.#lines.close();
  }

  /** Calls back when nothing is written any more, for whatever reason. */
  whenClosed(run: () => void): void {
    this.#lines.whenClosed(run);
  }

  #count(frame: FrameToRecord): number {
    this.#time = frame.time;
    if (isNote(frame)) this.#notes++;
    return ++this.#frames;
  }
}
