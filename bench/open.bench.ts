/**
 * What opening a long recording takes: 1,000,000 frames in 500 MB, through the real bin, into Chromium; by its index, as the recorder
 * writes one, and line by line. Beside it, in the same run, how long Node takes to read that file and do nothing with it. `--frames=N` for another length.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { RecordingFile } from '@/proxy/recorder/recording-file';
import { fromRoot, launchLink } from './inspected';
import { PageProbe } from './page-probe';

declare const ROOT: string;
const { findBrowser } = (await import(`${ROOT}/scripts/browser.mjs`)) as { findBrowser: () => string };

const FRAMES = Number(process.argv.find((word) => /^--frames=\d+$/.test(word))?.slice('--frames='.length) ?? 1_000_000);
const FILLER = 'x'.repeat(380);
const file = join(process.env.MCP_INSPECT_HOME!, 'long.mcpr.jsonl');

/** Frames in one write. */
const PORTION = 256;

/** There is no secret in what this writes. */
class Unredacted extends CaptureRedactor {
  override apply<T extends Pick<FrameToRecord, 'bytes'>>(frame: T): T {
    return frame;
  }
}

/** Calls with progress and log messages, as a long session has them. */
function* frames(): Generator<FrameToRecord> {
  const encoder = new TextEncoder();
  let time = 0;
  const said = (
    channel: 'protocol' | 'lifecycle',
    direction: 'to-server' | 'to-client',
    text: string,
  ): FrameToRecord => {
    time += 50;
    return { time, channel, direction, flags: 0, bytes: encoder.encode(text) };
  };
  const event = (text: string) => said('lifecycle', 'to-client', text);
  const out = (text: string) => said('protocol', 'to-server', text);
  const back = (text: string) => said('protocol', 'to-client', text);
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
    mcpr: 1,
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
    // Indexes are made in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const failure = recording.end();
  if (failure !== undefined) throw new Error(failure);
}

/** Takes the last line away, which says where the indexes are. */
function cutEnd(): void {
  const { size } = statSync(file);
  const tail = Buffer.alloc(Math.min(size, 256 * 1024));
  readSync(openSync(file, 'r'), tail, 0, tail.length, size - tail.length);
  truncateSync(file, size - tail.length + tail.lastIndexOf(10, tail.length - 2) + 1);
}

async function readOnly(): Promise<number> {
  const begin = performance.now();
  for await (const _ of createReadStream(file, { highWaterMark: 1024 * 1024 }));
  return performance.now() - begin;
}

const say = (what: string, target: string, words: string) =>
  console.log(`${what.padEnd(38)} ${target.padEnd(12)} ${words}`);
const s = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

async function open(how: string, target: string): Promise<void> {
  console.log(`${how}, load ${loadavg()[0]!.toFixed(1)}`);
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const begin = performance.now();
  const child = spawn(process.execPath, [fromRoot('dist/cli.js'), '--no-open', '--port', '0', 'open', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const probe = await PageProbe.on(page);
    await page.goto(await launchLink(child));
    const rows = async (least: number) => {
      await page.waitForFunction(
        (count) => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') ?? 0) >= count,
        least,
        { polling: 50, timeout: 300_000 },
      );
      return performance.now() - begin;
    };
    say('command → first rows', '≤ 3 s', s(await rows(20)));
    const load = await probe.during(() => rows(FRAMES));
    say('command → every row', target, s(load.value));
    say(
      'meanwhile: frame, longest task',
      '≤ 100 ms',
      `p95 ${load.frameP95.toFixed(0)} ms, ${load.longestTask.toFixed(0)} ms`,
    );
    const { heap, resident } = await probe.memory();
    say('memory of the tab', '≤ 400 MB', `heap ${heap.toFixed(0)} MiB, process ${resident.toFixed(0)} MiB`);
  } finally {
    await browser.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

await write();
console.log(`${FRAMES.toLocaleString('en')} frames, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
say('reading the file alone, in Node', '', s(await readOnly()));
await open('by its index', '≤ 3 s');
cutEnd();
await open('line by line', '');
rmSync(file);
