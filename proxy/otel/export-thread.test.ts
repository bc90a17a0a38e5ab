import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { answered, asked, framesOf, happened } from '@/lib/store/test-frames';
import type { Frame } from '@/lib/wire/frame';
import { ExportThread, WAITING_BYTES } from './export-thread';
import { readOtlpSettings } from './otlp-settings';
import { packFrames, unpackFrames } from './packed-frames';
import { attributesOf, testReceiver } from './test-telemetry';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-export-'));
const worker = pathToFileURL(join(folder, 'export-worker.mjs'));
beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, 'export-worker.ts')];
  await build({
    entryPoints,
    outfile: join(folder, 'export-worker.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

function threadTo(url: string, environment = {}) {
  const notes: string[] = [];
  const note = (sentence: string) => notes.push(sentence);
  const thread = new ExportThread(readOtlpSettings(url, environment), { version: '1', note, worker });
  return { thread, notes };
}

const START = framesOf([
  happened({
    event: 'start',
    at: '2026-01-02T03:04:05.000Z',
    name: 's',
    transport: 'stdio',
    command: 'node',
    args: [],
    cwd: '/',
    environment: { policy: 'shell', inherited: [], added: [] },
    protocol: 'auto',
  }),
  happened({ event: 'open', era: 'legacy', version: '2025-11-25' }),
]);
/** A call and its answer, as the frames from `seq` on. */
function exchange(seq: number, more: object = {}): Frame[] {
  const frames = framesOf([asked(seq, 'tools/call', { name: 'add', ...more }), answered(seq, {})]);
  return frames.map((frame, index) => ({ ...frame, seq: seq + index, time: seq + index }));
}

test('frames of several logs become spans', async () => {
  const receiver = await testReceiver();
  onTestFinished(() => receiver.close());
  const { thread, notes } = threadTo(receiver.url);
  for (const recording of ['r-1', 'r-2']) {
    const feed = thread.begin({ recording, seed: recording }, []);
    feed.add([...START, ...exchange(3), ...exchange(5)]);
    await thread.room();
    if (recording === 'r-1') feed.end();
  }
  await thread.end(10_000);
  const places = receiver.spans().map((span) => {
    const attributes = attributesOf(span);
    return [attributes['mcp_inspect.recording.id'], attributes['mcp_inspect.recording.frame']];
  });
  expect(places).toEqual([
    ['r-1', 3],
    ['r-1', 5],
    ['r-2', 3],
    ['r-2', 5],
  ]);
  expect(notes).toEqual([]);
});

test('secrets are masked in names, those of the server and those found later', async () => {
  const receiver = await testReceiver();
  onTestFinished(() => receiver.close());
  const { thread } = threadTo(receiver.url);
  const feed = thread.begin({ seed: 'r' }, ['given-value-of-a-secret']);
  feed.add([...START, ...exchange(3, { name: 'given-value-of-a-secret' })]);
  feed.addMaskedSecrets(['masked-value-0123456789']);
  feed.add(exchange(5, { name: 'masked-value-0123456789' }));
  await thread.end(10_000);
  expect(receiver.spans()).toHaveLength(2);
  for (const { text } of receiver.received) expect(text).not.toMatch(/given-value|masked-value/);
});

test('a thread that is behind costs a bounded number of bytes, and what is dropped is counted', async () => {
  const receiver = await testReceiver();
  onTestFinished(() => receiver.close());
  const { thread, notes } = threadTo(receiver.url);
  const feed = thread.begin({ seed: 'r' }, []);
  feed.add(START);
  const half = 'x'.repeat(WAITING_BYTES / 2);
  // Nothing can be read in this turn of the event loop.
  for (let seq = 3; seq < 13; seq += 2) feed.add(exchange(seq, { arguments: { half } }));
  await thread.room();
  feed.add(exchange(13));
  await thread.end(20_000);
  expect(notes.join()).toMatch(/\d+ messages were not exported, because they came too fast\./);
  const frames = receiver.spans().map((span) => attributesOf(span)['mcp_inspect.recording.frame']);
  expect(frames).toEqual([3, 13]);
}, 60_000);

test('a thread that can’t start says so, and ends at once', async () => {
  const notes: string[] = [];
  const file = pathToFileURL(join(folder, 'missing.mjs'));
  const settings = readOtlpSettings('http://127.0.0.1:9', {});
  const thread = new ExportThread(settings, { version: '1', note: (one) => notes.push(one), worker: file });
  thread.begin({ seed: 'r' }, []).add(START);
  await thread.room();
  await thread.end(10_000);
  expect(notes[0]).toContain('Spans are no longer exported');
});

test('packed frames are the same frames', () => {
  const frames = [...START, ...exchange(3)].map((frame, flags) => ({ ...frame, flags: flags % 3 }));
  expect(unpackFrames(packFrames(frames))).toEqual(
    frames.map((frame) => ({ ...frame, bytes: Uint8Array.from(frame.bytes) })),
  );
  expect(packFrames([])).toMatchObject({ table: { length: 0 } });
});
