import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { refOf } from '@/lib/hub/hub';
import { BATCH_BYTES, VIEWER_BUFFERED_BYTES, type Viewer, type ViewerLink } from '@/lib/hub/viewer';
import type { Batch } from '@/lib/wire/batch';
import type { Clock } from '@/lib/wire/clock';
import type { Command, Event } from '@/lib/wire/command';
import { parseCommand, REF_CHARS } from './parse-command';

/** Commands a viewer may send a second on average, and in one burst: more than a person or a panel ever needs. */
export const COMMANDS_PER_SECOND = 200;
/** Malformed commands in a row after which the socket is closed with 1008: such a page is broken or hostile. */
export const MALFORMED_COMMANDS = 20;

/** Bytes of a batch that leaves at once, since it fills a system call by itself. */
const LARGE_BATCH_BYTES = 32 * 1024;

/**
 * How long the answer to a command and the frame it sent may wait, in ms: a fast server has answered by then, and all
 * of it leaves in one system call.
 */
const COMMAND_WAIT_MS = 1;

/** Bytes for the batches that wait in one socket, and the next one with its table. */
const RING_BYTES = VIEWER_BUFFERED_BYTES + 2 * BATCH_BYTES;

/**
 * A browser tab behind a WebSocket. Small messages that one input causes leave in one system call, which costs more
 * than everything else that is done for a lone message.
 */
export class SocketLink implements ViewerLink {
  readonly #socket: WebSocket;
  readonly #wire: Duplex;
  readonly #clock: Clock;
  /** Memory for large batches, made for the first one. */
  #ring: Ring | undefined;
  /** True while sent messages wait in `wire`. */
  #held = false;
  /** True if they leave once all promises have settled. */
  #leaving = false;
  #cancelWait: (() => void) | undefined;
  /** A command is running, up to the first wait for something outside. */
  #inCommand = false;

  /** `wire` is what the WebSocket writes to. */
  constructor(socket: WebSocket, wire: Duplex, clock: Clock) {
    this.#socket = socket;
    this.#wire = wire;
    this.#clock = clock;
  }

  /** Call this before a command runs. What it sends waits for the server's answer, for `COMMAND_WAIT_MS` at most. */
  beginCommand(): void {
    if (this.#inCommand) return;
    this.#inCommand = true;
    // The tick comes after all promises that the command settles.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#inCommand = false;
      }),
    );
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  sendEvent(event: Event): void {
    this.#hold();
    this.#socket.send(JSON.stringify(event));
  }

  batchMemory = (bytes: number): Batch => {
    if (bytes < LARGE_BATCH_BYTES) return new Uint8Array(bytes);
    this.#ring ??= new Ring(RING_BYTES);
    return this.#ring.take(bytes) ?? new Uint8Array(bytes);
  };

  sendBatch(batch: Batch, taken: () => void): void {
    this.#hold();
    this.#socket.send(batch, { binary: true }, () => {
      this.#ring?.giveBack(batch);
      taken();
    });
    if (batch.length >= LARGE_BATCH_BYTES) this.#release();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #hold(): void {
    if (!this.#held) {
      this.#held = true;
      this.#wire.cork();
    }
    if (this.#inCommand) this.#cancelWait ??= this.#clock.after(COMMAND_WAIT_MS, () => this.#release());
    else if (!this.#leaving) {
      this.#leaving = true;
      process.nextTick(() => this.#release());
    }
  }

  #release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#leaving = false;
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#wire.uncork();
  }
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

/** Handles what a viewer sends. */
interface SocketHost {
  readonly clock: Clock;
  /** Runs a command and answers it. */
  runCommand(command: Command): void;
  /** Handles a batch of frames. Returns false if it is invalid. */
  addBatch(message: ArrayBuffer): boolean;
}

/** Reads a viewer's messages, limits their rate, and closes a socket that keeps sending nonsense. */
export function readSocket(socket: WebSocket, link: SocketLink, viewer: Viewer, host: SocketHost): void {
  const rate = new RateLimit(host.clock, COMMANDS_PER_SECOND);
  let malformed = 0;
  /** Runs a text message and answers it. Returns false if it is not a command. */
  const command = (text: string): boolean => {
    const parsed = parseCommand(text);
    const allowed = rate.tryAcquire();
    if (!allowed) viewer.sendEvent({ ...RATE_LIMITED, ref: parsed && refOf(parsed) });
    else if (parsed) host.runCommand(parsed);
    else viewer.sendEvent({ ...MALFORMED, ref: refIn(text) });
    return parsed !== undefined;
  };
  socket.on('message', (data, binary) => {
    if (socket.readyState !== socket.OPEN) return;
    link.beginCommand();
    const isSound = binary ? host.addBatch(bufferOf(data)) : command(data.toString());
    malformed = isSound ? 0 : malformed + 1;
    if (malformed >= MALFORMED_COMMANDS) socket.close(1008, 'malformed commands');
  });
}

/** Copies a socket's message to a buffer of its own. */
function bufferOf(data: RawData): ArrayBuffer {
  const whole = Array.isArray(data) ? Buffer.concat(data) : data;
  return Uint8Array.from(whole instanceof ArrayBuffer ? new Uint8Array(whole) : whole).buffer;
}

/** Returns the `ref` of a malformed command, since its sender waits for an answer too. */
function refIn(text: string): string | undefined {
  try {
    const ref: unknown = JSON.parse(text)?.ref;
    return typeof ref === 'string' ? ref.slice(0, REF_CHARS) : undefined;
  } catch {
    return undefined;
  }
}

const MALFORMED = {
  type: 'error',
  code: 'malformed-command',
  message: 'The proxy received something that is not a command.',
  advice: 'Check your input, or reload the page: it may be older than the proxy.',
} as const;

const RATE_LIMITED = {
  type: 'error',
  code: 'rate-limited',
  message: `The proxy received more than ${COMMANDS_PER_SECOND} commands in a second.`,
  advice: 'Send it again, more slowly.',
} as const;

/** A token bucket: `perSecond` on average, and in one burst. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #tokens: number;
  #at: number;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#at = clock.now();
  }

  /** Returns false above the rate. */
  tryAcquire(): boolean {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
