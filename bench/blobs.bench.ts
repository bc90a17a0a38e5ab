/**
 * Time to share 2,000 results that have the same screenshot of 1 MB, as a recording and as a bug report, and what other
 * commands take for them. The baseline, in the same run, is the same results without it, which shows what the program
 * and the other frames take. Exits with 1 beyond a target.
 */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { encodeHeaderOrEnd, FrameEncoder } from '@/lib/recording/encode-lines';
import { RECORDING_VERSION, type RecordingHeader } from '@/lib/recording/format';
import { sha256Of } from '@/proxy/files/native-codecs';
import { fromRoot } from './inspected';

const [RESULTS, BYTES] = [2000, 1024 * 1024];
const home = process.env.MCP_INSPECT_HOME!;

/** Writes calls whose results all have this image. Returns the path. */
function write(name: string, data: string): string {
  const path = join(home, name);
  const file = openSync(path, 'w');
  const encoder = new FrameEncoder(sha256Of);
  const header: RecordingHeader = {
    mcpr: RECORDING_VERSION,
    id: '0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11',
    at: '2026-01-31T12:00:00.000Z',
    by: 'bench/1',
    mode: 'client',
    name: 'blobs',
    transport: 'stdio',
    redaction: { policy: 'capture/2' },
  };
  writeSync(file, encodeHeaderOrEnd(header));
  let n = 0;
  const add = (direction: 'to-server' | 'to-client', message: unknown) => {
    const bytes = Buffer.from(JSON.stringify(message));
    n++;
    for (const line of encoder.encodeLines(n, { time: n * 1000, channel: 'protocol', direction, flags: 0, bytes }))
      writeSync(file, line);
  };
  for (let id = 1; id <= RESULTS; id++) {
    add('to-server', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'screenshot', arguments: {} } });
    add('to-client', { jsonrpc: '2.0', id, result: { content: [{ type: 'image', mimeType: 'image/png', data }] } });
  }
  writeSync(file, encodeHeaderOrEnd({ k: 'end', t: n * 1000, frames: n }));
  closeSync(file);
  return path;
}

/** Runs a command and prints its time. More than `most` seconds become the exit code. */
function time(what: string, words: readonly string[], most?: number): void {
  const begin = performance.now();
  const { status } = spawnSync(process.execPath, [fromRoot('dist/cli.js'), ...words], { stdio: 'ignore' });
  const seconds = (performance.now() - begin) / 1000;
  console.log(`${what.padEnd(16)} ${seconds.toFixed(2)} s${most === undefined ? '' : ` (target ≤ ${most} s)`}`);
  // 1: `search` found nothing.
  if ((status ?? 2) > 1 || seconds > (most ?? seconds)) process.exitCode = 1;
}

const shared = write('blobs.mcpr.jsonl', randomBytes((BYTES / 4) * 3).toString('base64'));
const bare = write('bare.mcpr.jsonl', '');
console.log(`${RESULTS} results share ${BYTES / 1024} KiB: a file of ${(statSync(shared).size / 1e6).toFixed(1)} MB`);
for (const path of [shared, bare]) {
  const most = path === shared ? 3 : undefined;
  console.log(path === shared ? '' : 'without the string, as a baseline');
  const out = `${path}.shared.mcpr.jsonl`;
  time('share --out', ['share', path, '--out', out], most);
  rmSync(out);
  time('share --format md', ['share', path, '--format', 'md', '--frames', '1-2000'], most);
  for (const words of [
    ['diff', path, path],
    ['check', path],
    ['search', 'tool:none', path],
  ])
    time(words[0]!, words);
}
