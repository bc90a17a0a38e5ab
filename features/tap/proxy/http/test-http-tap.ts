import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ReadFrame, RecordingReader } from '@/lib/recording/recording-reader';
import { testBundle } from '@/proxy/files/test-bundle';
import { type HttpTapLine, type ListeningTap, startHttpTap } from './http-tap';

/** HTTP taps with a data folder of their own. */
export interface TestHttpTaps {
  readonly recordings: string;
  /** Sentences that were printed. */
  readonly notes: string[];
  /** `headersMs`: another limit than that of taps. */
  start(url: string, options?: Partial<HttpTapLine>, headersMs?: number): Promise<ListeningTap>;
  /** Starts a tap as a process, and resolves with the URL that it prints. */
  spawn(url: string, home?: string): Promise<{ readonly child: ChildProcess; readonly url: string }>;
  /** Starts a server, and returns its origin. */
  serve(listener: RequestListener): Promise<string>;
  /** Returns the names of the recordings, oldest first. */
  names(): readonly string[];
  /** Reads the frames of a recording, by default of the oldest. */
  frames(name?: string): readonly ReadFrame[];
  /** Reads the frames as text: channel, direction and bytes. */
  lines(name?: string): readonly string[];
  /** Ends and deletes everything. */
  remove(): Promise<void>;
}

/** Bundles the thread and the process of a tap as the package does, and makes a new data folder. */
export async function testHttpTaps(): Promise<TestHttpTaps> {
  const programs = await testBundle('http-tap', {
    'http-tap-cli': join(import.meta.dirname, 'fixtures/http-tap-cli.ts'),
    'http-tap-worker': join(import.meta.dirname, 'http-tap-worker.ts'),
    'export-worker': join(import.meta.dirname, '../../../../proxy/otel/export-worker.ts'),
  });
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-http-taps-'));
  const home = join(folder, 'home');
  const recordings = join(home, 'recordings');
  const before = process.env.MCP_INSPECT_HOME;
  process.env.MCP_INSPECT_HOME = home;
  const notes: string[] = [];
  const ends: (() => unknown)[] = [];
  const names = (): readonly string[] => {
    try {
      return readdirSync(recordings).sort();
    } catch {
      return [];
    }
  };
  const frames = (name = names()[0]!) => new RecordingReader().readChunk(readFileSync(join(recordings, name)));
  return {
    recordings,
    notes,
    async start(url, options = {}, headersMs) {
      const line = {
        url: new URL(url),
        port: 0,
        address: '127.0.0.1',
        names: [],
        tls: {},
        allowLinkLocal: false,
        records: true,
        mostBytes: 64_000_000,
        mostMs: 86_400_000,
        intercept: [],
        ...options,
      };
      const worker = pathToFileURL(join(programs, 'http-tap-worker.js'));
      const tap = await startHttpTap(line, {
        version: '0.0.0-test',
        worker,
        headersMs,
        note: (one) => notes.push(one),
      });
      ends.push(() => tap.close());
      return tap;
    },
    async spawn(url, own = home) {
      const child = spawn(process.execPath, [join(programs, 'http-tap-cli.js'), url], {
        env: { ...process.env, MCP_INSPECT_HOME: own },
      });
      child.stderr.on('data', (chunk) => notes.push(String(chunk).trim()));
      ends.push(() => child.kill('SIGKILL'));
      const [printed] = await once(child.stdout, 'data');
      return { child, url: String(printed).trim() };
    },
    async serve(listener) {
      const server = createServer(listener).listen(0, '127.0.0.1');
      await once(server, 'listening');
      ends.push(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    names,
    frames,
    lines: (name) =>
      frames(name).map(
        ({ channel, direction, bytes }) =>
          `${direction === 'to-server' ? '>' : '<'} ${channel} ${Buffer.from(bytes).toString()}`,
      ),
    async remove() {
      for (const end of ends.reverse()) await end();
      if (before === undefined) delete process.env.MCP_INSPECT_HOME;
      else process.env.MCP_INSPECT_HOME = before;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A response, with its body read to the end or to where it was cut. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  readonly complete: boolean;
}

/** Sends a request and resolves with everything that comes back. Rejects if nothing does. */
export function ask(
  url: string,
  { method = 'POST', headers = {}, body = '' }: { method?: string; headers?: object; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: headers as Record<string, string>, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      const { statusCode: status = 0, rawHeaders } = answer;
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => {});
      answer.on('close', () =>
        resolve({
          status,
          headers: answer.headers,
          rawHeaders,
          body: Buffer.concat(chunks).toString(),
          complete: answer.complete,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends exact bytes, and resolves with everything that comes back before the other side closes. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(text);
  let read = '';
  socket.on('data', (chunk) => {
    read += String(chunk);
  });
  await once(socket, 'close');
  return read;
}
