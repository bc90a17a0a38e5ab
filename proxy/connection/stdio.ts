import type { Readable } from 'node:stream';
import { BYTE } from '@/lib/json/scan';
import { ConnectionError, TAKEN, type Transport, type TransportSink } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { FLAG } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { climbKillLadder, type Rung, waitUntil } from '@/proxy/process/kill-ladder';
import { pythonInterpreter } from '@/proxy/process/python-interpreter';
import { readOutput } from '@/proxy/process/read-output';
import type { Reaper } from '@/proxy/process/reaper';
import { type ServerProcess, type SpawnRequest, spawnServer } from '@/proxy/process/spawn';
import { MessageQueue, SMALL_SOURCE_BYTES } from './message-queue';
import { EngineInterest, StderrLines, StdioLineSplitter } from './stdio-lines';
import { UnendedObjects } from './unended-objects';

/** How long output may still arrive after the exit while a grandchild holds the pipes, in ms. */
const DRAIN_MS = 500;
/**
 * Bytes waiting for a server that doesn't read its stdin. Beyond that, sending is refused, so that memory stays
 * bounded.
 */
const STDIN_BUFFERED_BYTES = 64 * 1024 * 1024;

/** The services that a {@link StdioTransport} needs. */
export interface StdioSurroundings {
  readonly sink: TransportSink;
  readonly clock: Clock;
  readonly reaper: Reaper;
  /** Variables that are known only when the server starts. Absent: none. */
  readonly lateVariables?: (() => Readonly<Record<string, string>>) | undefined;
}

const HELD_BY_GROUP = 'A process that the server started still holds its output. mcp-inspect is ending it too.';
const HELD_BY_STRANGER =
  'A process that the server started left its process group and still holds its output. mcp-inspect cannot end it.';

/**
 * A server as a child process, with one message a line on stdin and stdout, and its stderr.
 *
 * Every line becomes a frame before anything reads it; lines of stdin as they are written. Both outputs are always
 * read, so the server never blocks on them. The connection ends with the process's exit, since a grandchild can hold
 * the pipes open forever. After the `exit` frame, the pipes have `DRAIN_MS` to end; then the kill ladder ends the rest
 * of the process group.
 */
export class StdioTransport implements Transport {
  readonly #request: SpawnRequest;
  readonly #sink: TransportSink;
  readonly #clock: Clock;
  readonly #reaper: Reaper;
  readonly #lateVariables: StdioSurroundings['lateVariables'];
  readonly #stdout: StdioLineSplitter;
  readonly #unended: UnendedObjects;
  readonly #stderr: StderrLines;
  readonly #messages: MessageQueue;
  #opening: Promise<ServerProcess> | undefined;
  #server: ServerProcess | undefined;
  #closing = false;
  #ladder: Promise<boolean> | undefined;
  /** Settles after `sink.ended`. */
  #over: Promise<void> | undefined;
  readonly #openOutputs = new Set<Readable>();

  constructor(request: SpawnRequest, { sink, clock, reaper, lateVariables }: StdioSurroundings) {
    this.#request = request;
    this.#lateVariables = lateVariables;
    this.#sink = sink;
    this.#clock = clock;
    this.#reaper = reaper;
    const interest = new EngineInterest();
    this.#messages = new MessageQueue(interest.nextSign.bind(interest), (text) => sink.onMessage(text));
    const appendLines = sink.appendLines?.bind(sink);
    this.#stdout = new StdioLineSplitter(
      LIMITS.frameBytes,
      (source, start, end, flags, whole) => {
        const seq = sink.appendFrame('protocol', 'to-client', source, start, end, flags);
        if (whole && seq > TAKEN) this.#messages.add(source, start, end);
      },
      appendLines &&
        ((source, start, end) => {
          if (!appendLines('protocol', 'to-client', source, start, end)) return false;
          this.#messages.addLines(source, start, end);
          return true;
        }),
    );
    this.#unended = new UnendedObjects(clock, this.#stdout, (text) => sink.logEvent({ event: 'line-unended', text }));
    this.#stderr = new StderrLines(clock, (source, start, end, flags) => {
      sink.appendFrame('stderr', 'to-client', source, start, end, flags);
    });
  }

  async open(): Promise<void> {
    // An earlier close had nothing to end, so nothing would end a server that starts now.
    if (this.#closing) throw notRunning();
    const env = Object.assign(Object.create(null), this.#request.env, this.#lateVariables?.());
    this.#opening = spawnServer({ ...this.#request, env }, this.#reaper);
    const server = await this.#opening;
    this.#server = server;
    this.#sink.logEvent({ event: 'spawned', pid: server.pid, ...pythonInterpreter(this.#request) });

    const { stdin, stdout, stderr } = server.child;
    // EPIPE: the server closed its stdin or is gone. Its exit tells which.
    stdin.on('error', () => {});
    this.#read(
      stdout,
      (chunk) => {
        this.#stdout.addChunk(chunk);
        this.#unended.onChunk(!this.#stdout.holds || chunk.includes(BYTE.lineFeed));
      },
      () => this.#stdout.end(),
    );
    this.#read(
      stderr,
      (chunk) => this.#stderr.addChunk(chunk),
      () => this.#stderr.end(),
    );
    this.#over = new Promise((resolve) => {
      server.child.once('exit', (code, signal) => {
        server.tree.onLeaderExit();
        // Its output was read before, since libuv handles signals after the readable pipes.
        this.#messages.flush();
        setImmediate(() => resolve(this.#finish(server, code, signal)));
      });
    });
  }

  /** Replaces line feeds in `text`, which would end the line. Valid JSON has them only between tokens. */
  send(text: string): number {
    const stdin = this.#writableStdin();
    const bytes = Buffer.from(`${/[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text}\n`);
    return this.#sendLine(stdin, bytes);
  }

  /** Sends a line, with its line feed, and returns its frame's seq. The server runs while the frame is appended. */
  #sendLine(stdin: NodeJS.WritableStream, line: Buffer): number {
    stdin.write(line);
    return this.#sink.appendFrame('protocol', 'to-server', line, 0, line.length - 1, 0);
  }

  /**
   * Sends bytes as they are. Each line feed ends a frame, because the server splits lines there too. Returns the first
   * one's seq.
   */
  sendRaw(bytes: Uint8Array, terminate: boolean): number {
    const stdin = this.#writableStdin();
    const { length } = bytes;
    if (terminate && length <= LIMITS.frameBytes && !bytes.includes(BYTE.lineFeed)) {
      const line = Buffer.allocUnsafe(length + 1);
      line.set(bytes);
      line[length] = BYTE.lineFeed;
      return this.#sendLine(stdin, line);
    }
    const sent = Buffer.concat(terminate ? [bytes, Buffer.from('\n')] : [bytes]);
    let first: number | undefined;
    const lines = new StdioLineSplitter(LIMITS.frameBytes, (source, start, end, flags) => {
      const seq = this.#sink.appendFrame('protocol', 'to-server', source, start, end, flags);
      first ??= seq;
    });
    lines.addChunk(sent);
    lines.end();
    stdin.write(sent);
    return first ?? this.#sink.appendFrame('protocol', 'to-server', sent, 0, 0, FLAG.unterminated);
  }

  receive(bytes: Uint8Array): void {
    this.#messages.add(Buffer.from(bytes), 0, bytes.length);
  }

  async close(): Promise<void> {
    this.#closing = true;
    const server = await this.#opening?.catch(() => undefined);
    if (server === undefined) return;
    await this.#climb(server, 'stdin-end');
    await this.#over;
  }

  #writableStdin(): NodeJS.WritableStream {
    const stdin = this.#server?.child.stdin;
    if (stdin === undefined || this.#closing || this.#exited()) {
      throw notRunning();
    }
    if (!stdin.writable) {
      throw new ConnectionError({
        code: 'stdin-closed',
        message: 'The server runs, but it has closed its standard input.',
        advice: 'Read its stderr for the reason, then restart it.',
      });
    }
    if (stdin.writableLength > STDIN_BUFFERED_BYTES) {
      throw new ConnectionError({
        code: 'server-not-reading',
        message: 'The server does not read its standard input, and too much is waiting already.',
        advice: 'Wait until it reads again, or restart it.',
      });
    }
    return stdin;
  }

  #exited(): boolean {
    const child = this.#server?.child;
    return child === undefined || child.exitCode !== null || child.signalCode !== null;
  }

  #read(pipe: Readable, add: (chunk: Buffer) => void, end: () => void): void {
    const onChunkEnd = this.#sink.onChunkEnd?.bind(this.#sink);
    const output = onChunkEnd
      ? readOutput(pipe, (chunk) => {
          add(chunk.length < SMALL_SOURCE_BYTES ? Buffer.from(chunk) : chunk);
          onChunkEnd();
        })
      : pipe.on('data', add);
    this.#openOutputs.add(output);
    output.on('error', () => {});
    output.on('close', () => {
      this.#openOutputs.delete(output);
      end();
    });
  }

  /** Runs one ladder at most: a close joins the one that is running. */
  #climb({ child, tree }: ServerProcess, from: Rung): Promise<boolean> {
    const endStdin = (): void => void child.stdin.end();
    this.#ladder ??= climbKillLadder({ tree, endStdin }, from, this.#clock, (rung) =>
      this.#sink.logEvent({ event: 'rung', rung }),
    );
    return this.#ladder;
  }

  async #finish(server: ServerProcess, code: number | null, signal: string | null): Promise<void> {
    this.#sink.logEvent({ event: 'exit', code, signal });

    const quiet = (): boolean => this.#openOutputs.size === 0 && !server.tree.isAlive();
    if (!(await waitUntil(quiet, DRAIN_MS, this.#clock))) {
      const message = server.tree.isAlive() ? HELD_BY_GROUP : HELD_BY_STRANGER;
      if (this.#openOutputs.size > 0) this.#sink.logEvent({ event: 'output-held', message });
      if (server.tree.isAlive()) {
        await this.#climb(server, 'SIGTERM');
        await waitUntil(quiet, DRAIN_MS, this.#clock);
      }
    }
    for (const pipe of [...server.child.stdio, ...this.#openOutputs]) pipe?.destroy();
    this.#stdout.end();
    this.#stderr.end();
    this.#messages.flush();
    this.#reaper.delete(server.pid);
    this.#sink.onEnd({ code, signal });
  }
}

function notRunning(): ConnectionError {
  return new ConnectionError({
    code: 'not-connected',
    message: 'The server is not running, so nothing can be sent to it.',
    advice: 'Restart it.',
  });
}
