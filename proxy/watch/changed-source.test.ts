import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { noticeChange } from './changed-source';
import { newFolder, removeFolders } from './fixtures/edited-server';

afterEach(removeFolders);

test('names the first source file beside the script that is newer than the process, once', async () => {
  const cwd = newFolder();
  const write = (name: string) => writeFileSync(join(cwd, name), '');
  write('server.py');
  const changed: string[] = [];
  const started = Date.now() - 1000;
  const stop = noticeChange({ command: 'uv', args: ['run', 'server.py'], cwd }, started, (name) => changed.push(name));
  // Neither a source, nor newer.
  write('server.log');
  write('old.py');
  utimesSync(join(cwd, 'old.py'), 1, 1);
  expect(changed).toEqual([]);
  await vi.waitFor(() => {
    write('server.py');
    expect(changed).toEqual(['server.py']);
  });
  stop();
});

test('a command without a script has no sources', () => {
  noticeChange({ command: 'npx', args: ['some-server'], cwd: newFolder() }, 0, () => {})();
});
