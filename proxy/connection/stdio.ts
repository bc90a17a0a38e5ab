import { ConnectionError, type Transport, type TransportSink } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { FLAG } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { climbKillLadder, type Rung, waitUntil } from '@/proxy/process/kill-ladder';
import type { Reaper } from '@/proxy/process/reaper';
import { type ServerProcess, type SpawnRequest, spawnServer } from '@/proxy/process/spawn';
import { EngineInterest, LineSplitter, StderrLines } from './stdio-lines';

/** How long output may still arrive after the exit when a grandchild holds the pipes. */
const DRAIN_MS = 500;
/** Bytes waiting for a server that doesn't read its stdin, above which nothing more is sent to it. */
const STDIN_BUFFERED_BYTES = 64 * 1024 * 1024;

/** What a {@link StdioTransport} needs besides its command. */
export interface StdioSurroundings {
  readonly sink: TransportSink;
  readonly clock: Clock;
  readonly reaper: Reaper;
}

const HELD_BY_GROUP = 'A process that the server started still holds its output; it is being ended as well.';
const HELD_BY_STRANGER =
  'A process that the server started has left its process group and still holds its output; it can not be ended from here.';

/**
 * A server as a child process: one message a line on stdin and stdout, stderr beside them.
 *
 * Every line is a frame before anything reads it; stdin's are taken as they are written. Both outputs are always read,
 * so a server never blocks on one of them. The end is the process's exit, since a grandchild can hold the pipes open
 * for ever: after the `exit` frame come `DRAIN_MS` for the pipes to end, and the ladder for whatever the server
 * left behind in its process group.
 */
export class StdioTransport implements Transport {
  readonly #request: SpawnRequest;
  readonly #sink: TransportSink;
  readonly #clock: Clock;
  readonly #reaper: Reaper;
  readonly #stdout: LineSplitter;
  readonly #stderr: StderrLines;
  #opening: Promise<ServerProcess> | undefined;
  #server: ServerProcess | undefined;
  #closing = false;
  #ladder: Promise<boolean> | undefined;
  /** Settles after `sink.ended`. */
  #over: Promise<void> | undefined;
  #openPipes = 0;

  constructor(request: SpawnRequest, { sink, clock, reaper }: StdioSurroundings) {
    this.#request = request;
    this.#sink = sink;
    this.#clock = clock;
    this.#reaper = reaper;
    const interest = new EngineInterest();
    this.#stdout = new LineSplitter(LIMITS.frameBytes, (source, start, end, flags, whole) => {
      sink.appendFrame('protocol', 'to-client', source, start, end, flags);
      if (whole && interest.mayConcernEngine(source, start, end)) sink.onMessage(source.toString('utf8', start, end));
    });
    this.#stderr = new StderrLines(clock, (source, start, end, flags) => {
      sink.appendFrame('stderr', 'to-client', source, start, end, flags);
    });
  }

  async open(): Promise<void> {
    // A close that came first would have nothing to end, and nobody would end what starts now.
    if (this.#closing) throw notRunning();
    // At once: were we killed right after, nobody else would know of it.
    this.#opening = spawnServer(this.#request, (pid) => this.#reaper.add(pid));
    const server = await this.#opening;
    this.#server = server;
    this.#sink.logEvent({ event: 'spawned', pid: server.pid });

    const { stdin, stdout, stderr } = server.child;
    // EPIPE: the server closed its stdin or is gone. Only its exit says which.
    stdin.on('error', () => {});
    this.#read(stdout, this.#stdout);
    this.#read(stderr, this.#stderr);
    this.#over = new Promise((resolve) => {
      server.child.once('exit', (code, signal) => {
        server.tree.onLeaderExit();
        resolve(this.#finish(server, code, signal));
      });
    });
  }

  /** A line feed in `text` would end the line. Valid JSON has them between tokens only, where a space is the same. */
  send(text: string): number {
    const stdin = this.#writableStdin();
    const bytes = Buffer.from(`${/[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text}\n`);
    const seq = this.#sink.appendFrame('protocol', 'to-server', bytes, 0, bytes.length - 1, 0);
    stdin.write(bytes);
    return seq;
  }

  /** Bytes with line feeds in them are several lines to the server, so they are several frames; returns the first's seq. */
  sendRaw(bytes: Uint8Array, terminate: boolean): number {
    const stdin = this.#writableStdin();
    const sent = Buffer.concat(terminate ? [bytes, Buffer.from('\n')] : [bytes]);
    let first: number | undefined;
    const lines = new LineSplitter(LIMITS.frameBytes, (source, start, end, flags) => {
      const seq = this.#sink.appendFrame('protocol', 'to-server', source, start, end, flags);
      first ??= seq;
    });
    lines.addChunk(sent);
    lines.end();
    stdin.write(sent);
    return first ?? this.#sink.appendFrame('protocol', 'to-server', sent, 0, 0, FLAG.unterminated);
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
        advice: 'See its stderr for the reason, then restart it.',
      });
    }
    if (stdin.writableLength > STDIN_BUFFERED_BYTES) {
      throw new ConnectionError({
        code: 'server-not-reading',
        message: 'The server is not reading its standard input, and too much is waiting for it already.',
        advice: 'Wait until it reads again, or restart it.',
      });
    }
    return stdin;
  }

  #exited(): boolean {
    const child = this.#server?.child;
    return child === undefined || child.exitCode !== null || child.signalCode !== null;
  }

  #read(pipe: NodeJS.ReadableStream, lines: LineSplitter | StderrLines): void {
    this.#openPipes++;
    pipe.on('data', (chunk: Buffer) => lines.addChunk(chunk));
    pipe.on('error', () => {});
    pipe.on('close', () => {
      this.#openPipes--;
      lines.end();
    });
  }

  /** One ladder a life: a close during the ending of what is left joins it. */
  #climb({ child, tree }: ServerProcess, from: Rung): Promise<boolean> {
    const endStdin = (): void => void child.stdin.end();
    this.#ladder ??= climbKillLadder({ tree, endStdin }, from, this.#clock, (rung) =>
      this.#sink.logEvent({ event: 'rung', rung }),
    );
    return this.#ladder;
  }

  async #finish(server: ServerProcess, code: number | null, signal: string | null): Promise<void> {
    // What the server itself printed has been read: libuv handles signals after the pipes that are readable by then.
    this.#sink.logEvent({ event: 'exit', code, signal });

    const quiet = (): boolean => this.#openPipes === 0 && !server.tree.isAlive();
    if (!(await waitUntil(quiet, DRAIN_MS, this.#clock))) {
      const message = server.tree.isAlive() ? HELD_BY_GROUP : HELD_BY_STRANGER;
      if (this.#openPipes > 0) this.#sink.logEvent({ event: 'output-held', message });
      if (server.tree.isAlive()) {
        await this.#climb(server, 'SIGTERM');
        await waitUntil(quiet, DRAIN_MS, this.#clock);
      }
    }
    for (const pipe of server.child.stdio) pipe?.destroy();
    this.#stdout.end();
    this.#stderr.end();
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
