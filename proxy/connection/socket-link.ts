import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { BATCH_BYTES, VIEWER_BUFFERED_BYTES, type ViewerLink } from '@/lib/hub/viewer';
import type { Batch } from '@/lib/wire/batch';
import type { Clock } from '@/lib/wire/clock';
import type { Event } from '@/lib/wire/command';

/** Bytes of a batch that leaves at once, since it fills a system call by itself. */
const LARGE_BATCH_BYTES = 32 * 1024;

/**
 * How long the answer to a command and the frame it sent may wait, in ms: half an animation frame. Most servers have
 * answered by then, and all of it leaves in one system call. A shorter timer would often be the next one of the whole
 * system, and setting that costs about 10 µs in a virtual machine.
 */
export const COMMAND_WAIT_MS = 8;

/** Bytes for the batches that wait in one socket, and the next one with its table. */
const RING_BYTES = VIEWER_BUFFERED_BYTES + 2 * BATCH_BYTES;

const SETTLED = Promise.resolve();

/** First bytes of an unfragmented WebSocket message (RFC 6455, 5.2). */
const TEXT = 0x81;
const BINARY = 0x82;

const MOST_HEAD_BYTES = 10;

interface Message {
  readonly start: number;
  readonly bytes: Uint8Array;
  readonly taken?: () => void;
}

/**
 * A browser tab behind a WebSocket. Messages that one input causes leave in one piece and one system call, which costs
 * more than everything else that is done for a lone message. The link frames them itself, which takes a third of the
 * time that `ws` takes.
 */
export class SocketLink implements ViewerLink {
  readonly #socket: WebSocket;
  readonly #wire: Duplex;
  readonly #clock: Clock;
  /** Memory for large batches, made for the first one. */
  #ring: Ring | undefined;
  #waiting: Message[] = [];
  #waitingBytes = 0;
  /** True if they leave once all promises have settled. */
  #leaving = false;
  /** Number of commands that run, each up to its first wait for something outside. */
  #commands = 0;
  /** When the first message began to wait for a server's answer; undefined if none waits. */
  #waitsSince: number | undefined;
  #timing = false;
  /** Sends frames that wait for a server's answer. */
  #sendFrames: (() => void) | undefined;

  /** `wire` is what the WebSocket writes to, uncompressed. */
  constructor(socket: WebSocket, wire: Duplex, clock: Clock) {
    this.#socket = socket;
    this.#wire = wire;
    this.#clock = clock;
  }

  /** Runs a command. What it sends waits for the server's answer, for `COMMAND_WAIT_MS` at most. */
  runCommand(run: () => void): void {
    this.#commands++;
    run();
    // The tick comes after all promises that the command settles.
    void SETTLED.then(this.#afterCommand);
  }

  readonly #afterCommand = (): void => process.nextTick(this.#endCommand);

  readonly #endCommand = (): void => {
    this.#commands--;
  };

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get bufferedAmount(): number {
    return this.#waitingBytes + this.#wire.writableLength;
  }

  sendEvent(event: Event): void {
    this.#add({ start: TEXT, bytes: Buffer.from(JSON.stringify(event)) });
  }

  batchMemory = (bytes: number): Batch => {
    if (bytes < LARGE_BATCH_BYTES) return new Uint8Array(bytes);
    this.#ring ??= new Ring(RING_BYTES);
    return this.#ring.take(bytes) ?? new Uint8Array(bytes);
  };

  sendBatch(batch: Batch, taken: () => void): void {
    this.#add({ start: BINARY, bytes: batch, taken });
    if (batch.length >= LARGE_BATCH_BYTES) this.#release();
  }

  /** A server may answer soon what a command sent, so that both frames leave in one batch. */
  waitForMore(send: () => void): boolean {
    if (this.#commands === 0) return false;
    this.#sendFrames = send;
    this.#waitForAnswer();
    return true;
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #add(message: Message): void {
    this.#waiting.push(message);
    this.#waitingBytes += message.bytes.length;
    if (this.#commands > 0) this.#waitForAnswer();
    else if (!this.#leaving) {
      this.#leaving = true;
      process.nextTick(this.#release);
    }
  }

  #waitForAnswer(): void {
    this.#waitsSince ??= this.#clock.now();
    this.#startTimer(COMMAND_WAIT_MS);
  }

  /** Runs one timer at a time, because starting and stopping one for each command would cost more than it saves. */
  #startTimer(ms: number): void {
    if (this.#timing) return;
    this.#timing = true;
    this.#clock.after(ms, () => {
      this.#timing = false;
      if (this.#waitsSince === undefined) return;
      const left = this.#waitsSince + COMMAND_WAIT_MS - this.#clock.now();
      if (left <= 0) this.#release();
      else this.#startTimer(left);
    });
  }

  readonly #release = (): void => {
    const send = this.#sendFrames;
    this.#sendFrames = undefined;
    this.#leaving = true;
    send?.();
    this.#leaving = false;
    this.#waitsSince = undefined;
    const messages = this.#waiting;
    const bytes = this.#waitingBytes;
    if (messages.length === 0) return;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const sent = (): void => {
      for (const { bytes: batch, taken } of messages) {
        this.#ring?.giveBack(batch);
        taken?.();
      }
    };
    if (!this.isOpen) sent();
    else if (bytes < LARGE_BATCH_BYTES) this.#wire.write(joined(messages), sent);
    else {
      this.#wire.cork();
      for (const message of messages) {
        this.#wire.write(headOf(message));
        this.#wire.write(message.bytes, message === messages.at(-1) ? sent : undefined);
      }
      this.#wire.uncork();
    }
  };
}

/** Returns messages with their heads, in one piece. */
function joined(messages: readonly Message[]): Buffer {
  const all = Buffer.allocUnsafe(messages.reduce((sum, { bytes }) => sum + MOST_HEAD_BYTES + bytes.length, 0));
  let at = 0;
  for (const message of messages) {
    at = writeHead(message, all, at);
    all.set(message.bytes, at);
    at += message.bytes.length;
  }
  return all.subarray(0, at);
}

function headOf(message: Message): Buffer {
  const head = Buffer.allocUnsafe(MOST_HEAD_BYTES);
  return head.subarray(0, writeHead(message, head, 0));
}

/** Writes the bytes before a message and returns the offset after them. */
function writeHead({ start, bytes: { length } }: Message, into: Buffer, at: number): number {
  into[at] = start;
  if (length < 126) {
    into[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    into[at + 1] = 126;
    return into.writeUInt16BE(length, at + 2);
  }
  into[at + 1] = 127;
  into.writeUInt32BE(0, at + 2);
  return into.writeUInt32BE(length, at + 6);
}

/**
 * Memory that is used again and again. A flood that allocated memory for each batch would make the garbage collector
 * mark the whole heap many times a second.
 */
export class Ring {
  readonly #memory: Uint8Array<ArrayBuffer>;
  /** Pieces in use, oldest first, with their ends. */
  readonly #taken: { readonly start: number; readonly end: number }[] = [];

  constructor(bytes: number) {
    this.#memory = new Uint8Array(bytes);
  }

  /** Returns `bytes` of memory, not cleared; undefined if no piece that long is free. */
  take(bytes: number): Uint8Array<ArrayBuffer> | undefined {
    const { length } = this.#memory;
    const [oldest, newest] = [this.#taken[0], this.#taken.at(-1)];
    let start = newest?.end ?? 0;
    const isWrapped = oldest !== undefined && newest!.start < oldest.start;
    if (!isWrapped && start + bytes > length) start = 0;
    const limit = oldest && start <= oldest.start ? oldest.start : length;
    if (start + bytes > limit) return undefined;
    this.#taken.push({ start, end: start + bytes });
    return this.#memory.subarray(start, start + bytes);
  }

  /** Frees the oldest piece if it is this one. Pieces have to come back in the order in which they were taken. */
  giveBack(piece: Uint8Array): void {
    if (piece.buffer === this.#memory.buffer) this.#taken.shift();
  }
}
