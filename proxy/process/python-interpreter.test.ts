import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pythonInterpreter } from './python-interpreter';

/** Makes these files in a folder of their own. */
function folderWith(...files: readonly (readonly [path: string, text?: string])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-python-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text = ''] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The interpreter of a command that is started in a folder. */
function interpreterOf(folder: string, command: string, args: readonly string[], env: Record<string, string> = {}) {
  return pythonInterpreter({
    command,
    args,
    cwd: folder,
    env: { NODE_ENV: 'test', PATH: join(folder, 'bin'), ...env },
  });
}

test('the interpreter is found on PATH, and the environment beside the script', () => {
  const folder = folderWith(['bin/python3'], ['app/.venv/bin/python']);
  expect(interpreterOf(folder, 'python3', ['app/src/server.py'])).toEqual({
    program: join(folder, 'bin/python3'),
    venv: join(folder, 'app/.venv/bin/python'),
  });
  expect(interpreterOf(folder, './app/.venv/bin/python', ['app/server.py'])).toEqual({
    program: join(folder, 'app/.venv/bin/python'),
  });
});

test('other commands have none', () => {
  expect(interpreterOf(folderWith(['bin/node']), 'node', ['server.js'])).toEqual({});
  expect(interpreterOf(folderWith(), 'python3', ['server.py'])).toEqual({});
});

test('a shim of pyenv stands for the version that is chosen', () => {
  const folder = folderWith(
    ['.pyenv/shims/python3'],
    ['.pyenv/version', '3.11.7\n'],
    ['.pyenv/versions/3.11.7/bin/python3'],
    ['.pyenv/versions/3.12.1/bin/python3'],
  );
  const PATH = join(folder, '.pyenv/shims');
  const of = (version: string) => ({ program: join(folder, '.pyenv/versions', version, 'bin/python3') });
  expect(interpreterOf(folder, 'python3', ['s.py'], { PATH })).toEqual(of('3.11.7'));
  expect(interpreterOf(folder, 'python3', ['s.py'], { PATH, PYENV_VERSION: '3.12.1' })).toEqual(of('3.12.1'));
  writeFileSync(join(folder, '.python-version'), '3.12.1\n');
  expect(interpreterOf(folder, 'python3', ['s.py'], { PATH })).toEqual(of('3.12.1'));
  writeFileSync(join(folder, '.python-version'), 'gone\n');
  expect(interpreterOf(folder, 'python3', ['s.py'], { PATH })).toEqual({ program: join(PATH, 'python3') });
});
