import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openNamedFile, readNamedFile, readNamedFileNow } from './user-files';

const folder = mkdtempSync(join(tmpdir(), 'named-'));
const at = (name: string): string => join(folder, name);
const MOST = 100_000;

describe.skipIf(process.platform === 'win32')('a named file', () => {
  const server = createServer();
  beforeAll(async () => {
    execFileSync('mkfifo', [at('pipe')]);
    mkdirSync(at('folder'));
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 100 * 1024 * 1024 * 1024);
    writeFileSync(at('most'), 'x'.repeat(MOST));
    symlinkSync('most', at('link'));
    symlinkSync('/dev/zero', at('zero'));
    symlinkSync('loop', at('loop'));
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const both = async (path: string) => {
    const now = readNamedFileNow(path, MOST);
    const { text, wrong } = await readNamedFile(path, { most: MOST });
    expect({ text: now.text, wrong: now.wrong }).toEqual({ text, wrong });
    return { text, wrong };
  };

  test.each([
    ['a pipe', 'pipe', 'It is not a file, but a pipe or a device.'],
    ['a device without an end', 'zero', 'It is not a file, but a pipe or a device.'],
    ['a directory', 'folder', 'It is not a file, but a directory.'],
    ['a socket', 'socket', 'It is not a file, but a socket.'],
    ['a huge file', 'huge', 'It is larger than 97.65625 KiB.'],
    ['a loop of links', 'loop', 'It is a link that leads nowhere.'],
  ])('attack: %s is refused in one sentence', async (_name, name, wrong) => {
    expect(await both(at(name))).toEqual({ text: undefined, wrong });
  });

  test('is read up to its bound, also through a link', async () => {
    expect((await both(at('most'))).text).toHaveLength(MOST);
    expect((await both(at('link'))).text).toHaveLength(MOST);
  });

  test('is read to its end if the system gives no size, as in /proc', async () => {
    const text = (await both('/proc/version')).text;
    if (process.platform === 'linux') expect(text).toContain('Linux');
  });

  test('has neither a text nor a reason if it is missing', async () => {
    expect(await both(at('none'))).toEqual({ text: undefined, wrong: undefined });
  });

  test.each([
    ['pipe', 'EINVAL'],
    ['zero', 'EINVAL'],
    ['folder', 'EISDIR'],
    ['socket', 'ENXIO'],
  ])('attack: a %s is not opened', async (name, code) => {
    await expect(openNamedFile(at(name))).rejects.toMatchObject({ code });
  });
});
