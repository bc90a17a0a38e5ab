import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import WebSocket from 'ws';
import { BATCH_BYTES } from '@/lib/hub/viewer';
import { type BatchHeader, BatchReader, readBatchHeader } from '@/lib/wire/batch';
import type { Command, Event } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';

declare const ROOT: string;

/** Path of a file of the project. */
export const fromRoot = (...parts: string[]) => join(ROOT, ...parts);

/** The real bin, inspecting `argv`, and the way in. */
export interface Inspected {
  readonly process: ChildProcess;
  readonly port: number;
  /** Where it keeps its recordings: set for all benchmarks by run.mjs. */
  readonly home: string;
  readonly token: string;
  /** Seconds of processor time that it took so far; undefined where the system does not tell. */
  readonly cpuSeconds: number | undefined;
  /** A new viewer's socket, after its `welcome`. */
  viewer(): Promise<ViewerSocket>;
  stop(): Promise<void>;
}

/** Boots dist/cli.js on a free port with `argv` as its server and trades the launch code for the token. */
export async function inspect(argv: readonly string[], options: readonly string[] = []): Promise<Inspected> {
  const words = [fromRoot('dist/cli.js'), '--no-open', '--port', '0', ...options, '--', ...argv];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const link = await launchLink(child);
  const code = new URL(link).hash.slice('#launch='.length);
  const { port, origin } = new URL(link);
  const reply = await fetch(`${origin}/launch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ code }),
  });
  const { token } = (await reply.json()) as { token: string };
  return {
    process: child,
    port: Number(port),
    home: process.env.MCP_INSPECT_HOME!,
    token,
    get cpuSeconds() {
      return cpuSecondsOf(child.pid!);
    },
    viewer: () => ViewerSocket.open(origin, token),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** In user mode and in the kernel, as Linux counts it: in hundredths. */
function cpuSecondsOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the name, which may have anything in it: the state, and 11 more.
    const facts = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(facts[11]) + Number(facts[12])) / 100;
  } catch {
    return undefined;
  }
}

/** The first URL on the bin's stdout. */
export async function launchLink(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout!) {
    output += chunk;
    const link = /http:\/\/\S+/.exec(output)?.[0];
    if (link && output.includes('\n', output.indexOf(link))) {
      child.stdout!.resume();
      return link;
    }
  }
  throw new Error(`mcp-inspect ended before it printed its URL: ${output}`);
}

/** A viewer without a page: commands out, frames in. */
export class ViewerSocket {
  readonly socket: WebSocket;
  onFrames: (frames: Frame[]) => void = () => {};
  /** Set to look at headers only: what a viewer then does with the frames is its own cost, not the bridge's. */
  onBatch: ((header: BatchHeader) => void) | undefined;
  readonly #reader = new BatchReader();
  readonly #waiting = new Map<string, (event: Event) => void>();
  #ref = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, binary: boolean) => {
      if (binary) {
        const whole = data.byteLength === data.buffer.byteLength ? data.buffer : new Uint8Array(data).buffer;
        if (this.onBatch) this.onBatch(readBatchHeader(whole as ArrayBuffer));
        else this.onFrames(this.#reader.read(whole as ArrayBuffer).frames);
        return;
      }
      const event = JSON.parse(data.toString()) as Event;
      if ('ref' in event && event.ref) this.#waiting.get(event.ref)?.(event);
    });
  }

  static async open(origin: string, token: string): Promise<ViewerSocket> {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, ['mcp-inspect.1', `bearer.${token}`], {
      origin,
      perMessageDeflate: false,
    });
    await once(socket, 'open');
    return new ViewerSocket(socket);
  }

  send(command: Command): void {
    this.socket.send(JSON.stringify(command));
  }

  /** Sends and resolves with the `done` or `error` event. */
  ask(command: Record<string, unknown>): Promise<Event> {
    const ref = String(++this.#ref);
    return new Promise((resolve) => {
      this.#waiting.set(ref, resolve);
      this.socket.send(JSON.stringify({ ref, ...command }));
    });
  }
}

/** Middle of the sorted values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
}

/** A viewer of the one connection, once the server is open. */
export async function attached(inspected: Inspected): Promise<ViewerSocket> {
  const viewer = await inspected.viewer();
  await new Promise<void>((resolve) => {
    viewer.onFrames = (frames) => {
      if (frames.some(({ bytes }) => Buffer.from(bytes).includes('"event":"open"'))) resolve();
    };
    viewer.send({ type: 'attach', connection: 'c1', after: 0 });
  });
  return viewer;
}

/** What makes the flood server send `count` messages of about `size` bytes. */
export const floodRequest = (count: number, size: number) =>
  `{"jsonrpc":"2.0","id":"flood","method":"flood","params":{"count":${count},"size":${size}}}`;

/** Has the flood server send as much, and counts at a viewer. Messages a second. */
export async function flood(inspected: Inspected, count: number, size: number): Promise<number> {
  const viewer = await attached(inspected);
  let frames = 0;
  const all = new Promise<void>((resolve) => {
    const take = (more: number) => {
      frames += more;
      if (frames > count) resolve();
    };
    // What is larger than a batch comes in parts, which have to be put together to be counted.
    if (size < BATCH_BYTES) viewer.onBatch = (batch) => take(batch.count);
    else viewer.onFrames = (some) => take(some.length);
  });
  const begin = performance.now();
  viewer.send({
    type: 'send-raw',
    ref: 'flood',
    connection: 'c1',
    text: floodRequest(count, size),
    terminate: true,
  });
  await all;
  const rate = count / ((performance.now() - begin) / 1000);
  viewer.socket.close();
  return rate;
}
