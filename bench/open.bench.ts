/**
 * Time to open a long recording in Chromium: 1,000,000 frames in 500 MB, with the index that the recorder writes, and
 * line by line without it. The baseline, in the same run, is Node parsing the lines. `--frames=N` sets another length.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { RecordingFile } from '@/proxy/recorder/recording-file';
import { BarePage, cpuOf } from './bare-page';
import { fromRoot, launchLink } from './inspected';

const FRAMES = Number(process.argv.find((word) => /^--frames=\d+$/.test(word))?.slice('--frames='.length) ?? 1_000_000);
const FILLER = 'x'.repeat(380);
const file = join(process.env.MCP_INSPECT_HOME!, 'long.mcpr.jsonl');

/** Frames in one write. */
const PORTION = 256;

/** Skips redaction: the generated frames contain no secrets. */
class Unredacted extends CaptureRedactor {
  override apply<T extends Pick<FrameToRecord, 'bytes'>>(frame: T): T {
    return frame;
  }
}

/** Generates calls with progress and log messages, like a long recording. */
function* frames(): Generator<FrameToRecord> {
  const encoder = new TextEncoder();
  let time = 0;
  const frame = (
    channel: 'protocol' | 'lifecycle',
    direction: 'to-server' | 'to-client',
    text: string,
  ): FrameToRecord => {
    time += 50;
    return { time, channel, direction, flags: 0, bytes: encoder.encode(text) };
  };
  const event = (text: string) => frame('lifecycle', 'to-client', text);
  const out = (text: string) => frame('protocol', 'to-server', text);
  const back = (text: string) => frame('protocol', 'to-client', text);
  yield event(
    '{"event":"start","at":"2026-01-31T12:00:00.000Z","name":"long","transport":"stdio","command":"node","args":["server.js"]}',
  );
  yield out(
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}',
  );
  yield back(
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"long","version":"1"}}}',
  );
  yield event('{"event":"open","era":"legacy","version":"2025-11-25"}');
  for (let call = 1; ; call++) {
    yield out(
      `{"jsonrpc":"2.0","id":${call},"method":"tools/call","params":{"name":"work","arguments":{"text":"${FILLER}"},"_meta":{"progressToken":${call}}}}`,
    );
    for (let step = 1; step <= 2; step++)
      yield back(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${call},"progress":${step},"total":2,"message":"${FILLER}"}}`,
      );
    yield back(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"${FILLER}"}}`);
    yield back(`{"jsonrpc":"2.0","id":${call},"result":{"content":[{"type":"text","text":"${FILLER}"}]}}`);
  }
}

async function write(): Promise<void> {
  const header = {
    mcpr: RECORDING_VERSION,
    id: '0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11',
    at: '2026-01-31T12:00:00.000Z',
    by: 'bench/1',
    mode: 'client',
    name: 'long',
    transport: 'stdio',
    redaction: { policy: 'capture/2' },
  } as const;
  const recording = RecordingFile.create(file, header, new Unredacted([]));
  const source = frames();
  for (let left = FRAMES; left > 0; left -= PORTION) {
    recording.add(Array.from({ length: Math.min(PORTION, left) }, () => source.next().value as FrameToRecord));
    // The recorder writes its indexes in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const failure = recording.end();
  if (failure !== undefined) throw new Error(failure);
}

/** Removes the last line, which holds the places of the indexes. */
function cutEnd(): void {
  const { size } = statSync(file);
  const tail = Buffer.alloc(Math.min(size, 256 * 1024));
  readSync(openSync(file, 'r'), tail, 0, tail.length, size - tail.length);
  truncateSync(file, size - tail.length + tail.lastIndexOf(10, tail.length - 2) + 1);
}

/** Parses every line and discards the value. Resolves with CPU and elapsed seconds. */
async function readLines(): Promise<{ readonly cpu: number; readonly clock: number }> {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  let rest = '';
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024, encoding: 'utf8' })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) JSON.parse(line);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e6, clock: (performance.now() - begin) / 1000 };
}

const say = (what: string, target: string, words: string) =>
  console.log(`${what.padEnd(44)} ${target.padEnd(12)} ${words}`);
const s = (seconds: number) => `${seconds.toFixed(2)} s`;

async function open(how: string, target: string): Promise<void> {
  const page = await BarePage.open(1440, 900);
  console.log(`${how}, load ${loadavg()[0]!.toFixed(1)}`);
  const begin = performance.now();
  const child = spawn(process.execPath, [fromRoot('dist/cli.js'), '--no-open', '--port', '0', 'open', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await page.goto(await launchLink(child));
    const rows = async (least: number) => {
      await page.until(`document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') >= ${least}`);
      return (performance.now() - begin) / 1000;
    };
    say('command → first rows', target, s(await rows(20)));
    const usable = await page.now();
    const all = await rows(FRAMES);
    const [tab, proxy] = [await page.cpu(), cpuOf(child.pid!)];
    say('command → every row', target, s(all));
    const times = `${((tab + proxy) / baseline.cpu).toFixed(2)} × parsing the lines`;
    say('CPU until then: tab, proxy', '', `${s(tab)}, ${s(proxy)}: ${times}`);
    say('longest task after the first rows', '≤ 50 ms', `${(await page.longestTask(usable)).toFixed(0)} ms`);
    const { heap, resident } = await page.memory();
    say('memory of the tab', '≤ 400 MB', `heap ${heap.toFixed(0)} MiB, process ${resident.toFixed(0)} MiB`);
  } finally {
    await page.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

await write();
console.log(`${FRAMES.toLocaleString('en')} frames, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
const baseline = await readLines();
say('parsing the lines alone, in Node', '', `${s(baseline.clock)}, ${s(baseline.cpu)} of CPU`);
await open('by its index', '≤ 3 s');
cutEnd();
await open('line by line', '');
rmSync(file);
