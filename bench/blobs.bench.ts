/**
 * Time to share 2,000 results that have the same screenshot of 1 MB. The baseline, in the same run, is sharing the same
 * results without it, which shows what the program and the other frames take.
 */

import { execFileSync } from 'node:child_process';
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
    ...{ mcpr: RECORDING_VERSION, id: '0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11', at: '2026-01-31T12:00:00.000Z' },
    ...{ by: 'bench/1', mode: 'client', name: 'blobs', transport: 'stdio', redaction: { policy: 'capture/2' } },
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

function share(path: string): number {
  const out = `${path}.shared.mcpr.jsonl`;
  const begin = performance.now();
  execFileSync(process.execPath, [fromRoot('dist/cli.js'), 'share', path, '--out', out], { stdio: 'ignore' });
  const seconds = (performance.now() - begin) / 1000;
  rmSync(out);
  return seconds;
}

const shared = write('blobs.mcpr.jsonl', randomBytes((BYTES / 4) * 3).toString('base64'));
const bare = write('bare.mcpr.jsonl', '');
console.log(`${RESULTS} results share ${BYTES / 1024} KiB: a file of ${(statSync(shared).size / 1e6).toFixed(1)} MB`);
for (let round = 0; round < 3; round++) {
  console.log(`share       ${share(shared).toFixed(2)} s (target ≤ 3 s)`);
  console.log(`baseline    ${share(bare).toFixed(2)} s without the string`);
}
