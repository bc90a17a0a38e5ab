import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { IndexReader } from './index-reader';
import { RecordingFile } from './recording-file';
import { IndexWriter, indexAtEnd, type StartIndexing } from './recording-index';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function recorded(path: string) {
  const reader = new RecordingReader();
  const frames = reader.readChunk(readFileSync(path));
  return { frames, report: reader.finish(), index: reader.position.index };
}

test('is made on a thread while the recording is written, the same as without a thread', async () => {
  const here = (name: string) => join(import.meta.dirname, name);
  const entryPoints = { writer: here('fixtures/indexed-writer.ts'), 'index-worker': here('index-worker.ts') };
  const bundle = { bundle: true, platform: 'node', format: 'esm', target: 'node20', alias: { '@': ROOT } } as const;
  await build({ ...bundle, entryPoints, outdir: folder });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const path = join(folder, 'threaded.mcpr.jsonl');
  const child = spawn(process.execPath, [join(folder, 'writer.js'), path, '9000'], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const { frames, report, index } = recorded(path);
  expect(frames).toHaveLength(9000);
  expect(report).toMatchObject({ complete: true, damaged: { count: 0 } });
  expect(index).toHaveLength(3);
  const bytes = readFileSync(path);
  const reader = new IndexReader(path, 4096);
  const lines = [...reader.readUpTo({ to: bytes.length, long: [] }), ...reader.end()];
  reader.close();
  expect(index!.map(([at, length]) => bytes.subarray(at, at + length).toString())).toEqual(
    lines.map((line) => Buffer.from(line).toString()),
  );
  // Two bundles and two threads take long on a busy machine.
}, 90_000);

const line = (n: number) => ({
  time: n,
  channel: 'protocol' as const,
  direction: 'to-client' as const,
  flags: 0,
  bytes: Buffer.from(`{"n":${n}}`),
});

function written(name: string, frames: number, start: StartIndexing): { path: string; file: RecordingFile } {
  const path = join(folder, name);
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), undefined, {
    framesEach: 2,
    fromBytes: 0,
    start,
  });
  for (let n = 1; n <= frames; n++) file.add([line(n)]);
  return { path, file };
}

test('a short recording has none', () => {
  const { path, file } = written('short.mcpr.jsonl', 1, indexAtEnd);
  expect(file.end()).toBeUndefined();
  expect(recorded(path)).toMatchObject({ report: { complete: true }, index: undefined });
});

test('only a file that is too long to be read whole has one, of all its frames', () => {
  for (const [frames, isLong] of [
    [3, false],
    [100, true],
  ] as const) {
    const path = join(folder, `${frames}-frames.mcpr.jsonl`);
    const indexed = { framesEach: 2, fromBytes: 1000, start: indexAtEnd };
    const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), undefined, indexed);
    for (let n = 1; n <= frames; n++) file.add([line(n)]);
    expect(file.end()).toBeUndefined();
    expect(recorded(path)).toMatchObject({
      report: { frames, complete: true },
      index: isLong ? { length: 50 } : undefined,
    });
  }
});

test.each<[string, StartIndexing]>([
  [
    'no thread can be started',
    () => {
      throw new Error('no threads');
    },
  ],
  ['the thread fails', (_path, _each, sink) => ({ readUpTo: () => setImmediate(() => sink.failed()), stop: () => {} })],
])('a recording has none, and is complete, if %s', async (_, start) => {
  const { path, file } = written('none.mcpr.jsonl', 9, start);
  await file.prepareEnd();
  expect(file.end()).toBeUndefined();
  expect(recorded(path)).toMatchObject({ report: { frames: 9, complete: true }, index: undefined });
  rmSync(path);
});

test('a recording does not wait long for a slow thread, and stops it', async () => {
  const stop = vi.fn();
  const { path, file } = written('slow.mcpr.jsonl', 9, () => ({ readUpTo: () => {}, stop }));
  await file.prepareEnd(1);
  expect(file.end()).toBeUndefined();
  expect(stop).toHaveBeenCalled();
  expect(recorded(path)).toMatchObject({ report: { frames: 9, complete: true }, index: undefined });
});

test('no index line comes between the pieces of another line', () => {
  let sink: Parameters<StartIndexing>[2] | undefined;
  const lines: string[] = [];
  const start: StartIndexing = (_path, _each, to) => {
    sink = to;
    return { readUpTo: () => {}, stop: () => {} };
  };
  const index = new IndexWriter('x', { framesEach: 1, fromBytes: 0, start }, (made) =>
    lines.push(Buffer.from(made).toString()),
  );
  index.onWritten(1, 10, []);
  index.pause();
  sink!.add(Buffer.from('a'));
  expect(lines).toEqual([]);
  index.resume();
  expect(lines).toEqual(['a']);
});

test('is not made from a file that is not our recording', () => {
  const path = join(folder, 'other');
  writeFileSync(path, `${Buffer.from(encodeHeaderOrEnd(TEST_HEADER))}no JSON\n`);
  const reader = new IndexReader(path, 1);
  expect(() => [...reader.readUpTo({ to: 1000, long: [] })]).toThrow();
  reader.close();
});
