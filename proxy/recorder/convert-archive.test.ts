import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConvertOptions, recordingBytes } from '@/lib/recording/recording-bytes';
import { type ArchiveFile, convertArchive } from './convert-archive';
import { openFile } from './open-file';

let folder: string;
let worker: URL;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  const outfile = join(folder, 'archive-worker.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'archive-worker.ts')],
    outfile,
    alias: { '@': join(import.meta.dirname, '../..') },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  worker = pathToFileURL(outfile);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes an archive of pings whose results have `length` characters. */
function archive(name: string, pings: number, length = 0): ArchiveFile {
  const path = join(folder, name);
  const [method, url] = ['POST', 'http://h.test/mcp'];
  const entries = Array.from({ length: pings }, (_, id) => {
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(length) } });
    return {
      startedDateTime: new Date(Date.UTC(2026, 0, 1) + id).toISOString(),
      time: 5,
      request: { method, url, headers: [], postData: { text: `{"jsonrpc":"2.0","id":${id},"method":"ping"}` } },
      response: { status: 200, headers: [], content: { mimeType: 'application/json', text: answer } },
    };
  });
  writeFileSync(path, JSON.stringify({ log: { entries } }));
  const { ino, size } = statSync(path);
  return { path, ino, length: size };
}

function convert(file: ArchiveFile, options: ConvertOptions = {}, at = worker): AsyncGenerator<Uint8Array> {
  const here = () => {
    throw new Error('The worker did not start.');
  };
  return convertArchive(file, options, here, at);
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

/** Number of threads of this process that still run. */
function threads(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Worker').length;
}

test('a worker converts an archive to the lines that this thread makes, and reports progress', async () => {
  // More lines than the worker may be ahead.
  const file = archive('a.har', 500, 10_000);
  const progress: number[] = [];
  const lines = await textOf(convert(file, { onRead: (bytes) => progress.push(bytes) }));
  expect(lines).toBe(await textOf(recordingBytes((await openFile(file.path)).bytes)));
  expect(lines).toContain('{"jsonrpc":"2.0","id":499,"method":"ping"}');
  expect(progress.length).toBeGreaterThan(0);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBeLessThanOrEqual(file.length);
  expect(threads()).toBe(0);
});

test('an abort ends the worker', async () => {
  const stop = new AbortController();
  const converted = convert(archive('b.har', 500, 10_000), { signal: stop.signal, onRead: () => stop.abort() });
  await expect(textOf(converted)).rejects.toMatchObject({ name: 'AbortError' });
  expect(threads()).toBe(0);
  await expect(textOf(convert(archive('c.har', 1), { signal: stop.signal }))).rejects.toMatchObject({
    name: 'AbortError',
  });
});

test('a loop that is left ends the worker', async () => {
  for await (const _ of convert(archive('d.har', 500, 10_000))) break;
  expect(threads()).toBe(0);
});

test('errors of the worker have their code and advice', async () => {
  await expect(textOf(convert(archive('e.har', 0)))).rejects.toMatchObject({
    code: 'har-without-mcp',
    message: expect.stringContaining('no MCP traffic'),
    advice: expect.stringContaining('Export it again'),
  });
  const file = archive('f.har', 1);
  await expect(textOf(convert({ ...file, ino: file.ino + 1 }))).rejects.toMatchObject({ code: 'recording-replaced' });
  rmSync(file.path);
  await expect(textOf(convert(file))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an archive is converted on this thread if no other can be started', async () => {
  const { path } = archive('g.har', 3);
  const file = await openFile(path);
  // There is no built worker beside the source.
  const text = await textOf(recordingBytes(file.bytes, { convertArchive: file.convertArchive }));
  expect(text).toContain('{"jsonrpc":"2.0","id":2,"method":"ping"}');
  expect(text.endsWith('}\n')).toBe(true);
});

test('a worker that exits without an error ends the import', async () => {
  const at = join(folder, 'exits.mjs');
  writeFileSync(
    at,
    "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ is: 'began' }); process.exit(0);",
  );
  await expect(textOf(convert(archive('h.har', 1), {}, pathToFileURL(at)))).rejects.toMatchObject({
    code: 'har-stopped',
  });
});
