import { finished, type Readable, type Writable } from 'node:stream';
import { readOutput } from '@/proxy/process/read-output';

/**
 * Gets bytes just before they are passed on, so that another thread can record them. Don't change or keep the chunk.
 * May return a promise for which they wait.
 */
export type OnPassing = (chunk: Buffer) => Promise<void> | undefined;

/** Decides over the messages of a stream one by one, while rules are set. */
export interface LineTaker {
  /** Bytes of the longest line that is waited for, since it is held in memory. */
  readonly mostBytes: number;
  /** Returns true if the line passes as it is. It comes without its line feed. Don't change its memory. */
  onLine(line: Buffer): boolean;
  /** Called when a line is too long to wait for its end. It passes as it is. */
  onLongLine(beginning: Buffer): void;
}

const LINE_FEED = 10;
const LINE_END = Buffer.from([LINE_FEED]);
const NOTHING = Buffer.alloc(0);

/**
 * Passes bytes on as they come. Reads no more while the receiver does not read, so that at most a few chunks are in
 * memory. Once the receiver is gone, the sender's next write fails. The caller passes the end on.
 *
 * With a taker, it cuts lines, and further lines can be sent between them. It begins and ends to do so at the end of a
 * line, so every line is either passed or decided over as a whole.
 */
export class StreamRelay {
  /** The stream that is read, to wait for and to destroy in place of the one that was given. */
  readonly from: Readable;
  readonly #to: Writable;
  readonly #onPassing: OnPassing;
  #waits = 0;
  /** Receivers that have to read before we do. */
  readonly #full = new Set<Writable>();
  #taker: LineTaker | undefined;
  /** True if the bytes passed so far end within a line. */
  #isInLine = false;
  /** The beginning of a line whose end has not come yet, and room for more. Only with a taker. */
  #held = NOTHING;
  #heldBytes = 0;
  /** Lines of the present chunk that pass, but were not sent yet. */
  #passing: Buffer | undefined;
  /** Done at the end of the line that is being passed. */
  readonly #waiting: (() => void)[] = [];
  /** The rest of a chunk whose lines have caused more than the receiver reads. */
  #rest: Buffer | undefined;
  /** The newest line that was sent between others, and its bytes without the end: copies share them. */
  #line = { bytes: NOTHING as Uint8Array, whole: LINE_END };
  #isCut = false;
  #isEndAsked = false;
  /** Resolves once everything so far is recorded and sent. Absent: it is. */
  #unsent: Promise<void> | undefined;
  /** Called for each chunk, and when reading goes on. */
  onActivity: (() => void) | undefined;

  constructor(from: Readable, to: Writable, onPassing: OnPassing) {
    this.#to = to;
    this.#onPassing = onPassing;
    this.from = readOutput(from, (chunk) => this.#takeChunk(chunk));
    if (this.from !== from) this.from.once('close', () => from.destroy());
    this.from.on('error', () => {});
    to.on('error', () => {});
    // What is still on its way is lost, as it is in the pipe of a program that is gone.
    to.on('close', () => this.from.destroy());
  }

  /** True while the receiver does not read, or the recording is behind. */
  get isWaiting(): boolean {
    return this.#waits > 0;
  }

  /** Asks `taker` about each line from the next one on. Without one, bytes pass as they come. */
  decideBy(taker: LineTaker | undefined): void {
    this.#taker = taker;
    if (!taker) this.#sendHeld();
  }

  /**
   * Sends a line between others. After the end, it is only recorded, as what is lost on its way to a program that is
   * gone. Returns false if the receiver does not read, see {@link waitFor}.
   */
  sendLine(bytes: Uint8Array): boolean {
    this.#addLine(bytes, true);
    return !this.#full.has(this.#to);
  }

  /** Records a line among the others that the receiver never gets. */
  recordLine(bytes: Uint8Array): void {
    this.#addLine(bytes, false);
  }

  /** Does something between two lines. */
  afterLine(run: () => void): void {
    this.flush();
    if (this.#isInLine && !this.#isCut) this.#waiting.push(run);
    else run();
  }

  /** Sends what has been passed of the present chunk, so that it comes before what is recorded next. */
  flush(): void {
    const passing = this.#passing;
    this.#passing = undefined;
    if (passing) this.#sendPiece(passing);
  }

  /** Reads no more until the receiver of another passage does. */
  waitFor(other: StreamRelay): void {
    if (other !== this) this.#waitForDrain(other.#to);
  }

  /** Reads no more until the promise is resolved. */
  waitUntil(recorded: Promise<void> | undefined): void {
    if (!recorded) return;
    this.#wait();
    void recorded.then(this.#resume);
  }

  /** Ends both sides: the receiver gets what was sent so far, and the sender can't write any more. */
  cut(): void {
    this.flush();
    this.#isCut = true;
    this.#rest = undefined;
    if (this.#waiting.length > 0) this.#record(LINE_END);
    this.#sendWaiting();
    this.#afterUnsent(undefined, () => this.#to.end());
    this.from.destroy();
  }

  /** Asks the taker about a line without its end, because nothing more comes. It passes with the end. */
  endLine(): void {
    this.#takeRest(true);
    if (!this.#taker || this.#isEndAsked || this.#heldBytes === 0) return;
    this.#isEndAsked = true;
    if (!this.#taker.onLine(this.#held.subarray(0, this.#heldBytes))) this.#takeHeld();
  }

  /** Passes the end on, after everything that waits. The last line may lack its end. */
  end(): void {
    if (this.#isCut) return;
    this.endLine();
    if (this.#isCut) return;
    if (this.#waiting.length > 0 && this.#isInLine) this.#send(LINE_END);
    this.#sendWaiting();
    this.#sendHeld();
    this.#isCut = true;
    this.#afterUnsent(undefined, () => this.#to.end());
  }

  #takeChunk(chunk: Buffer): void {
    this.onActivity?.();
    if (this.#taker || this.#waiting.length > 0) this.#takeLines(chunk, false);
    else if (!this.#isCut) this.#sendPiece(chunk);
  }

  #takeRest(all: boolean): void {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest) this.#takeLines(rest, all);
  }

  /** Stops at a line that makes us wait, because a chunk can cause a hundred times its size. `all`: does not stop. */
  #takeLines(chunk: Buffer, all: boolean): void {
    for (let at = 0; at < chunk.length && !this.#isCut; ) {
      if (this.#waits > 0 && !all) {
        this.#rest = chunk.subarray(at);
        break;
      }
      const end = chunk.indexOf(LINE_FEED, at);
      const next = end < 0 ? chunk.length : end + 1;
      if (this.#isInLine || !this.#taker) {
        this.#pass(chunk, at, next);
        if (end >= 0) this.#sendWaiting();
      } else if (end < 0) this.#hold(chunk.subarray(at));
      else this.#decide(chunk, at, end);
      at = next;
    }
    this.flush();
  }

  #decide(chunk: Buffer, at: number, end: number): void {
    if (this.#heldBytes === 0) {
      // It may be kept, and the next chunk comes into the same memory.
      if (this.#taker!.onLine(Buffer.from(chunk.subarray(at, end)))) this.#pass(chunk, at, end + 1);
      return;
    }
    this.#keep(chunk.subarray(at, end + 1));
    const line = this.#takeHeld();
    if (this.#taker!.onLine(line.subarray(0, -1))) this.#send(line);
  }

  /** Lets lines of a chunk pass. Neighbours are sent together. */
  #pass(chunk: Buffer, at: number, end: number): void {
    const before = this.#passing;
    const isNext = before !== undefined && before.byteOffset + before.length === chunk.byteOffset + at;
    if (isNext) this.#passing = Buffer.from(chunk.buffer, before.byteOffset, before.length + end - at);
    else {
      this.flush();
      this.#passing = chunk.subarray(at, end);
    }
    this.#isInLine = chunk[end - 1] !== LINE_FEED;
  }

  #hold(piece: Buffer): void {
    this.#keep(piece);
    if (this.#heldBytes <= (this.#taker?.mostBytes ?? 0)) return;
    this.flush();
    this.#taker?.onLongLine(this.#held.subarray(0, this.#heldBytes));
    this.#sendHeld();
  }

  #keep(piece: Buffer): void {
    const bytes = this.#heldBytes + piece.length;
    if (bytes > this.#held.length) {
      const old = this.#held;
      this.#held = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * old.length));
      old.copy(this.#held, 0, 0, this.#heldBytes);
    }
    piece.copy(this.#held, this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #takeHeld(): Buffer {
    const held = this.#held.subarray(0, this.#heldBytes);
    this.#held = NOTHING;
    this.#heldBytes = 0;
    return held;
  }

  #sendHeld(): void {
    if (this.#heldBytes > 0) this.#send(this.#takeHeld());
  }

  #addLine(bytes: Uint8Array, isSent: boolean): void {
    if (this.#line.bytes !== bytes) this.#line = { bytes, whole: Buffer.concat([bytes, LINE_END]) };
    const { whole } = this.#line;
    this.afterLine(() => (isSent && !this.#isCut ? this.#send(whole) : this.#record(whole)));
  }

  #sendWaiting(): void {
    if (this.#waiting.length === 0) return;
    this.flush();
    for (const run of this.#waiting.splice(0)) run();
  }

  /** Sends a piece of a chunk. A small one does not make us wait, so its memory could be used before it is written. */
  #sendPiece(piece: Buffer): void {
    this.#send(piece.length < this.#to.writableHighWaterMark ? Buffer.from(piece) : piece);
  }

  #send(bytes: Buffer): void {
    if (this.#isCut) return;
    this.#isInLine = bytes[bytes.length - 1] !== LINE_FEED;
    this.#afterUnsent(this.#onPassing(bytes), () => {
      if (!this.#to.write(bytes)) this.#waitForDrain(this.#to);
    });
  }

  /** Does something once that is recorded, and what came before is sent. Reads no more until then. */
  #afterUnsent(recorded: Promise<void> | undefined, act: () => void): void {
    if (!recorded && !this.#unsent) {
      act();
      return;
    }
    const unsent = Promise.all([this.#unsent, recorded]).then(() => {
      act();
      if (this.#unsent === unsent) this.#unsent = undefined;
    });
    this.#unsent = unsent;
    this.waitUntil(unsent);
  }

  #record(bytes: Buffer): void {
    this.waitUntil(this.#onPassing(bytes));
  }

  #waitForDrain(to: Writable): void {
    if (this.#full.has(to)) return;
    this.#full.add(to);
    this.#wait();
    const go = (): void => {
      to.off('drain', go).off('close', go);
      this.#full.delete(to);
      this.#resume();
    };
    to.on('drain', go).on('close', go);
  }

  #wait(): void {
    if (this.#waits++ === 0) this.from.pause();
  }

  readonly #resume = (): void => {
    if (--this.#waits > 0) return;
    this.onActivity?.();
    this.#takeRest(false);
    if (this.#waits === 0) this.from.resume();
  };
}

/** Resolves once a stream has passed everything on, or is gone. Never rejects. */
export function closed(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => finished(stream, () => resolve()));
}
