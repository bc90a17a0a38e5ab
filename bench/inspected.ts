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

/** Returns the path of a file in the project. */
export const fromRoot = (...parts: string[]) => join(ROOT, ...parts);

/** A running mcp-inspect, from the built CLI, with access to it. */
export interface Inspected {
  readonly process: ChildProcess;
  readonly port: number;
  /** Folder of its recordings, set by run.mjs. */
  readonly home: string;
  readonly token: string;
  /** CPU seconds used so far; undefined if the system has no /proc. */
  readonly cpuSeconds: number | undefined;
  /** Opens the socket of a new viewer. */
  viewer(): Promise<ViewerSocket>;
  stop(): Promise<void>;
}

/** Starts dist/cli.js on a free port with `argv` as its server, and exchanges the launch code for the token. */
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

/** User and kernel time of a process (Linux only). */
export function cpuSecondsOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The fields after the process name, which can contain any character. Times are in hundredths of a second.
    const facts = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(facts[11]) + Number(facts[12])) / 100;
  } catch {
    return undefined;
  }
}

/** Resolves with the first URL that mcp-inspect prints. */
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
  throw new Error(`mcp-inspect exited before it printed its URL: ${output}`);
}

/** A viewer without a page: sends commands and receives frames. */
export class ViewerSocket {
  readonly socket: WebSocket;
  onFrames: (frames: Frame[]) => void = () => {};
  /** Receives messages as they are. If set, nothing is decoded, since that costs the viewer, not the bridge. */
  onMessage: ((data: Buffer) => void) | undefined;
  /** Receives the headers of batches. If set, no frame is decoded, since that costs the viewer, not the bridge. */
  onBatch: ((header: BatchHeader) => void) | undefined;
  readonly #reader = new BatchReader();
  readonly #waiting = new Map<string, (event: Event) => void>();
  #ref = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, binary: boolean) => {
      if (this.onMessage) this.onMessage(data);
      else if (binary) {
        const whole = data.byteLength === data.buffer.byteLength ? data.buffer : new Uint8Array(data).buffer;
        if (this.onBatch) this.onBatch(readBatchHeader(whole as ArrayBuffer));
        else this.onFrames(this.#reader.read(whole as ArrayBuffer).frames);
      } else {
        const event = JSON.parse(data.toString()) as Event;
        if ('ref' in event && event.ref) this.#waiting.get(event.ref)?.(event);
      }
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

  /** Sends a command and resolves with its `done` or `error` event. */
  ask(command: Record<string, unknown>): Promise<Event> {
    const ref = String(++this.#ref);
    return new Promise((resolve) => {
      this.#waiting.set(ref, resolve);
      this.socket.send(JSON.stringify({ ref, ...command }));
    });
  }
}

/** Returns a quantile of the values; 0.5 is the median. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
}

/** Opens a viewer of the only connection and waits until the server is connected. */
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

/** Request to the flood server for `count` messages of about `size` bytes. */
export const floodRequest = (count: number, size: number) =>
  `{"jsonrpc":"2.0","id":"flood","method":"flood","params":{"count":${count},"size":${size}}}`;

/** Floods a new viewer and resolves with the messages per second that it received. */
export async function flood(inspected: Inspected, count: number, size: number): Promise<number> {
  const viewer = await attached(inspected);
  const rate = await floodAttached(viewer, count, size);
  viewer.socket.close();
  return rate;
}

/** Floods a viewer that has all earlier frames, and resolves with the messages per second that it received. */
export async function floodAttached(viewer: ViewerSocket, count: number, size: number): Promise<number> {
  let frames = 0;
  const all = new Promise<void>((resolve) => {
    const countFrames = (more: number) => {
      frames += more;
      if (frames > count) resolve();
    };
    // A frame larger than a batch is split, so it can be counted only after decoding.
    if (size < BATCH_BYTES) viewer.onBatch = (batch) => countFrames(batch.count);
    else viewer.onFrames = (some) => countFrames(some.length);
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
  return count / ((performance.now() - begin) / 1000);
}

/** Echoes in a burst, and milliseconds between bursts: a viewer may send a limited number of commands per second. */
const BURST = 12;
const PAUSE_MS = 80;

/** Times `echoes` calls of `ask` in bursts, in µs. The first third is a warm-up and not returned. */
export async function roundTrips(echoes: number, ask: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < echoes; n++) {
    if (n % BURST === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const begin = performance.now();
    await ask(n);
    times.push((performance.now() - begin) * 1000);
  }
  return times.slice(echoes / 3);
}
