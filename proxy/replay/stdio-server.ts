import type { Readable, Writable } from 'node:stream';
import type { ResponseSink } from '@/lib/replay/server/messages-to-client';
import type { Replay, ReplayHost } from '@/lib/replay/server/replay';
import { ReplayConnection } from '@/lib/replay/server/replay-connection';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { StdioLineSplitter } from '@/proxy/connection/stdio-lines';

/** Milliseconds between another message and an answer, so that clients do not read both in one piece. */
export const REPLAY_APART_MS = 50;
/** Most milliseconds that a replay goes on answering after its client closed stdin. */
export const REPLAY_FINISH_MS = 60_000;

/**
 * Writes messages in order, with a pause before each answer that follows another message. Clients such as the
 * official SDK handle an answer first if they read both in one piece, and then drop the progress.
 */
class SpacedWriter {
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  /** Messages not written yet. They keep their order, so all wait while the first one waits. */
  readonly #waiting: { readonly text: string; readonly isAnswer: boolean }[] = [];
  #toldAt = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;
  #onFlushed: (() => void)[] = [];

  constructor(clock: Clock, write: (text: string) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  sendMessage(text: string): void {
    this.#add(text, false);
  }

  sendAnswer(text: string): void {
    this.#add(text, true);
  }

  /** Resolves once everything is written. */
  async flushed(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => this.#onFlushed.push(resolve));
  }

  /** Stops writing. */
  end(): void {
    this.#callOff?.();
    this.#waiting.length = 0;
  }

  #add(text: string, isAnswer: boolean): void {
    this.#waiting.push({ text, isAnswer });
    if (!this.#callOff) this.#pump();
  }

  #pump(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const left = this.#toldAt + REPLAY_APART_MS - this.#clock.now();
      if (next.isAnswer && left > 0) {
        this.#callOff = this.#clock.after(left, () => {
          this.#callOff = undefined;
          this.#toldAt = Number.NEGATIVE_INFINITY;
          this.#pump();
        });
        return;
      }
      this.#waiting.shift();
      this.#write(next.text);
      if (!next.isAnswer) this.#toldAt = this.#clock.now();
    }
    for (const resolve of this.#onFlushed.splice(0)) resolve();
  }
}

/**
 * Replays to the client on these streams, one message a line. Resolves when the client has closed its end and got its
 * answers.
 */
export async function serveStdio(
  replay: Replay,
  host: Omit<ReplayHost, 'side'>,
  input: Readable,
  output: Writable,
): Promise<void> {
  const writer = new SpacedWriter(host.clock, (text) => void output.write(`${text}\n`));
  const outlet: ResponseSink = {
    sendMessage: (text) => writer.sendMessage(text),
    sendAnswer: (text) => writer.sendAnswer(text),
    dropAnswer: () => {},
  };
  const connection = new ReplayConnection(replay, { ...host, side: { sendMessage: outlet.sendMessage, isOpen: true } });
  const read: string[] = [];
  const lines = new StdioLineSplitter(LIMITS.frameBytes, (source, start, end, _flags, whole) => {
    const text = whole ? source.toString('utf8', start, end) : '';
    if (text.trim() !== '') read.push(text);
  });
  const gone = new Promise<void>((resolve) => void output.on('error', () => resolve()));
  connection.begin();
  for await (const chunk of input as AsyncIterable<Buffer>) {
    lines.addChunk(chunk);
    for (const text of read.splice(0)) {
      connection.receive(text, outlet);
      // Answers that need not wait keep the order of the requests.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  let callOff = (): void => {};
  const tooLong = new Promise<void>((resolve) => {
    callOff = host.clock.after(REPLAY_FINISH_MS, resolve);
  });
  await Promise.race([connection.finish().then(() => writer.flushed()), gone, tooLong]);
  callOff();
  connection.end();
  writer.end();
}
