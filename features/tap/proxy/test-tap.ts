import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadFrame, RecordingReader } from '@/lib/recording/recording-reader';
import type { InterceptRule } from '@/lib/wire/intercept';
import { testBundle } from '@/proxy/files/test-bundle';

/** A bundled tap, and a data folder for its recordings. */
export interface TestTaps {
  /** The program, and the data folder. */
  readonly file: string;
  readonly home: string;
  readonly recordings: string;
  /** Starts a tap of a command. */
  start(options: readonly string[], command: readonly string[], through?: string): ChildProcessWithoutNullStreams;
  /** Starts a page that sets rules in the oldest tap, and prints a line when they are in force. */
  startPage(rules: readonly InterceptRule[]): ChildProcessWithoutNullStreams;
  /** Returns the names of the recordings, oldest first. */
  names(): readonly string[];
  /** Reads a recording, by default the oldest. */
  read(name?: string): { readonly frames: readonly ReadFrame[]; readonly reader: RecordingReader };
  /** Deletes everything. */
  remove(): void;
}

/** Bundles the tap as the package does, and makes a new data folder. */
export async function testTaps(): Promise<TestTaps> {
  const programs = await testBundle('tap', {
    tap: join(import.meta.dirname, 'fixtures/tap-cli.ts'),
    'rules-page': join(import.meta.dirname, 'fixtures/rules-page.ts'),
    'tap-worker': join(import.meta.dirname, 'tap-worker.ts'),
    'export-worker': join(import.meta.dirname, '../../../proxy/otel/export-worker.ts'),
  });
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-taps-'));
  const recordings = join(folder, 'home/recordings');
  const env = { ...process.env, MCP_INSPECT_HOME: join(folder, 'home') };
  const names = (): readonly string[] => {
    try {
      return readdirSync(recordings).sort();
    } catch {
      return [];
    }
  };
  return {
    file: join(programs, 'tap.js'),
    home: join(folder, 'home'),
    recordings,
    start(options, command, through) {
      const argv = [process.execPath, join(programs, 'tap.js'), ...options, '--', ...command];
      return through === undefined
        ? spawn(argv[0]!, argv.slice(1), { env })
        : spawn('/bin/sh', ['-c', through, 'sh', ...argv], { env });
    },
    startPage: (rules) =>
      spawn(process.execPath, [join(programs, 'rules-page.js'), recordings, JSON.stringify(rules)], { env }),
    names,
    read(name = names()[0]!) {
      const reader = new RecordingReader();
      return { frames: reader.readChunk(readFileSync(join(recordings, name))), reader };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Resolves with everything that a process prints, and how it ends. */
export async function finished(child: ChildProcessWithoutNullStreams) {
  const read = async (stream: NodeJS.ReadableStream) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  child.stdin.on('error', () => {});
  const [stdout, stderr, [code, signal]] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { stdout, stderr: stderr.toString(), code, signal };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the ids of the processes that have a text in their arguments. */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Returns a process’s memory in bytes. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
}
