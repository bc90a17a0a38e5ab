import { appendFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import { openErrorText, openFile } from './open-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('reads any part of a file while it is the same file', async () => {
  const path = join(folder, 'a');
  writeFileSync(path, 'one two three');
  const opened = await openFile(path);
  await opened.bytes.cancel();
  const file = await opened.parts();
  expect(file.size).toBe(13);
  expect(Buffer.from(await file.read(4, 7)).toString()).toBe('two');
  truncateSync(path, 6);
  await expect(file.read(4, 7)).rejects.toMatchObject({ code: 'EIO' });
  await file.close();
  writeFileSync(join(folder, 'b'), 'one two three');
  renameSync(join(folder, 'b'), path);
  await expect(opened.parts()).rejects.toMatchObject({ code: 'recording-replaced' });
});

/** Lets everything that already began arrive. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
}

test('an HTTP Archive of many chunks is converted elsewhere, and its own stream is left quietly', async () => {
  const path = join(folder, 'a.har');
  writeFileSync(path, `{"log":{"entries":[${'{},'.repeat(500_000)}{}]}}`);
  const { bytes } = await openFile(path);
  await turns();
  const convertArchive = async function* () {
    await turns();
    yield Buffer.from('converted');
  };
  const lines: string[] = [];
  for await (const chunk of recordingBytes(bytes, { convertArchive })) lines.push(Buffer.from(chunk).toString());
  expect(lines).toEqual(['converted']);
  // What the stream had begun to read arrives after it was left.
  await turns();
});

test('the bytes of a file end where it ended when it was opened', async () => {
  const path = join(folder, 'a');
  for (const length of [0, 1, 65_536, 200_000]) {
    writeFileSync(path, 'x'.repeat(length));
    const { bytes } = await openFile(path);
    appendFileSync(path, 'more');
    expect(await new Response(bytes).text()).toBe('x'.repeat(length));
  }
});

test('says what a path leads to that is not a file', async () => {
  const [socket, loop] = [join(folder, 'socket'), join(folder, 'loop')];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  symlinkSync('loop', loop);
  const textOf = (path: string) => openFile(path).catch((error) => openErrorText(error, 'after `open`'));
  expect(await textOf(socket)).toBe('Not a file, but a socket. Name a file after `open`.');
  expect(await textOf(loop)).toBe('A link that leads nowhere. Check the path after `open`.');
  await new Promise((resolve) => server.close(resolve));
});

test('says how to get a file that is in a bucket', async () => {
  const error = await openFile(join(folder, 's3:/team/a.mcpr.jsonl')).catch((reason: unknown) => reason);
  expect(openErrorText(error, 'after `diff`')).toContain(
    'It is in a bucket. Download it with `mcp-inspect recordings pull`',
  );
});

test('the bytes of a file that is cut while they are read end with an error', async () => {
  const path = join(folder, 'a');
  writeFileSync(path, Buffer.alloc(200_000));
  const { bytes } = await openFile(path);
  const reader = bytes.getReader();
  await reader.read();
  truncateSync(path, 100_000);
  await reader.read();
  await expect(reader.read()).rejects.toMatchObject({ code: 'EIO' });
});
