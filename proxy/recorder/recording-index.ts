import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { IndexPlace } from '@/lib/recording/format';
import type { LongFrame } from '@/lib/recording/large/index-maker';
import { LIMITS } from '@/lib/wire/limits';
import { IndexReader, type WrittenLines } from './index-reader';
import type { IndexReply, IndexWork, IndexWorkerData } from './index-worker';

/** Makes the index lines of a file while it is being written. */
export interface Indexing {
  /** Reads more lines. The last call has the rest. */
  readUpTo(lines: WrittenLines, isLast: boolean): void;
  /** Stops early. Idempotent. */
  stop(): void;
}

/** Gets each index line, and once everything is read, `undefined`. `failed` is called instead if that is impossible. */
export interface IndexSink {
  add(line: Uint8Array | undefined): void;
  failed(): void;
}

/** Starts to index a file, `framesEach` frames per index. */
export type StartIndexing = (path: string, framesEach: number, sink: IndexSink) => Indexing;

/** The worker's file in the package. Absent where our source is run without the package: in tests. */
const WORKER = new URL('./index-worker.js', import.meta.url);

/** Indexes on a thread of its own, which takes no time from the server's traffic. */
const indexOnThread: StartIndexing = (path, framesEach, sink) => {
  const worker = new Worker(WORKER, { workerData: { path, framesEach } satisfies IndexWorkerData, execArgv: [] });
  // A server's traffic keeps the process alive, not an index.
  worker.unref();
  worker.on('message', (line: IndexReply) => sink.add(line));
  worker.on('error', () => sink.failed());
  return {
    readUpTo(lines, isLast) {
      if (isLast) worker.ref();
      worker.postMessage({ ...lines, isLast } satisfies IndexWork);
    },
    stop: () => void worker.terminate(),
  };
};

/** Indexes at once, when everything is written. */
export const indexAtEnd: StartIndexing = (path, framesEach, sink) => {
  const long: LongFrame[] = [];
  return {
    readUpTo(lines, isLast) {
      long.push(...lines.long);
      if (!isLast) return;
      const reader = new IndexReader(path, framesEach);
      for (const line of reader.readUpTo({ to: lines.to, long })) sink.add(line);
      for (const line of reader.end()) sink.add(line);
      reader.close();
      sink.add(undefined);
    },
    stop: () => {},
  };
};

/** The way of indexing that is possible here. */
const indexHere: StartIndexing = existsSync(WORKER) ? indexOnThread : indexAtEnd;

/** How a recording is indexed. */
export interface IndexOptions {
  /** Frames per index. */
  readonly framesEach: number;
  /** Bytes of the shortest file that gets indexes. */
  readonly fromBytes: number;
  readonly start: StartIndexing;
}

/** No reader uses the index of a file that it reads whole. */
export const INDEX_OPTIONS: IndexOptions = {
  framesEach: LIMITS.indexedFrames,
  fromBytes: LIMITS.wholeRecordingBytes,
  start: indexHere,
};

/**
 * The indexes of a recording that is being written. They are made from the file itself, so whatever records does not
 * wait for them. A short recording has none, since it is read whole. Errors are ignored, because without indexes it
 * only opens slower.
 */
export class IndexWriter {
  readonly #path: string;
  readonly #framesEach: number;
  readonly #fromBytes: number;
  readonly #start: StartIndexing;
  readonly #write: (line: Uint8Array) => number | undefined;
  readonly #places: IndexPlace[] = [];
  #indexing: Indexing | undefined;
  /** Frames that were written since the last call of `readUpTo`: how many, and those that are long. */
  #frames = 0;
  #long: LongFrame[] = [];
  #isPaused = false;
  /** Lines that arrived while paused. */
  #held: Uint8Array[] = [];
  /** True once the rest is being indexed. */
  #isLast = false;
  #isComplete = false;
  #isOver = false;
  #onOver: (() => void) | undefined;

  /** `write` adds a line to the file and returns its offset, or undefined if it fails. */
  constructor(
    path: string,
    { framesEach, fromBytes, start }: IndexOptions,
    write: (line: Uint8Array) => number | undefined,
  ) {
    this.#path = path;
    this.#framesEach = framesEach;
    this.#fromBytes = fromBytes;
    this.#start = start;
    this.#write = write;
  }

  /** Call this when frames were written. `to`: the length of the file. `long`: those that can't be read again. */
  onWritten(frames: number, to: number, long: readonly LongFrame[]): void {
    if (this.#isOver) return;
    this.#frames += frames;
    for (const frame of long) this.#long.push(frame);
    if (this.#frames >= this.#framesEach && to >= this.#fromBytes) this.#readUpTo(to, false);
  }

  /** Writes nothing until {@link resume}, because another line is being written in pieces. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const line of this.#held.splice(0)) this.#add(line);
  }

  /** Indexes the rest. Resolves when that is done, or after `mostMs`. Never rejects. */
  async finish(to: number, mostMs: number): Promise<void> {
    if (!this.#indexing || this.#isLast) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, mostMs);
      this.#onOver = () => {
        clearTimeout(late);
        resolve();
      };
      this.#readUpTo(to, true);
    });
  }

  /** Stops indexing, and returns the places of all indexes. Returns undefined unless they are complete by now. */
  end(to: number): readonly IndexPlace[] | undefined {
    if (this.#indexing && !this.#isLast) this.#readUpTo(to, true);
    const isUsable = this.#isComplete && !this.#isOver && this.#places.length > 0;
    this.stop();
    return isUsable ? this.#places : undefined;
  }

  /** Stops indexing. Idempotent. */
  stop(): void {
    this.#isOver = true;
    this.#indexing?.stop();
    this.#indexing = undefined;
    this.#held = [];
    this.#long = [];
    this.#onOver?.();
  }

  #readUpTo(to: number, isLast: boolean): void {
    if (this.#isOver) return;
    const long = this.#long;
    this.#frames = 0;
    this.#long = [];
    this.#isLast = isLast;
    try {
      this.#indexing ??= this.#start(this.#path, this.#framesEach, {
        add: (line) => this.#add(line),
        failed: () => this.stop(),
      });
      this.#indexing.readUpTo({ to, long }, isLast);
    } catch {
      this.stop();
    }
  }

  #add(line: Uint8Array | undefined): void {
    if (this.#isOver) return;
    if (line === undefined) {
      this.#isComplete = true;
      this.#onOver?.();
    } else if (this.#isPaused) this.#held.push(line);
    else {
      const at = this.#places.length < LIMITS.indexes ? this.#write(line) : undefined;
      if (at === undefined) this.stop();
      else this.#places.push([at, line.length]);
    }
  }
}
