import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testHome } from '@/proxy/servers/test-home';
import { entryPaths } from './entry-paths';

const home = () => testHome({ 'bin/node': '', 'server.js': '' });
const missingIn = (at: string, command: string, args: readonly string[] = [], cwd?: string) =>
  entryPaths({ command, args, ...(cwd !== undefined && { cwd }) }, { PATH: join(at, 'bin') }).missing;

test('programs, scripts and folders that do not exist', () => {
  const at = home();
  expect(missingIn(at, join(at, 'gone'))).toEqual([join(at, 'gone')]);
  expect(missingIn(at, 'gone')).toEqual(['gone']);
  expect(missingIn(at, 'node', ['--inspect', join(at, 'gone.js'), join(at, 'other.js')])).toEqual([
    join(at, 'gone.js'),
  ]);
  expect(missingIn(at, 'node', [join(at, 'server.js')], join(at, 'gone'))).toEqual([join(at, 'gone')]);
  expect(missingIn(at, join(at, 'bin/node'), [join(at, 'server.js')], at)).toEqual([]);
});

test('uv starts in a folder of its own', () => {
  const at = home();
  const uv = (folder: string) => missingIn(at, 'uv', ['--directory', folder, 'run', 'server.py']).slice(1);
  expect([uv(join(at, 'gone')), uv(at)]).toEqual([[join(at, 'gone')], []]);
});

test.each([
  ['a path with a placeholder', '${HOME}/gone', []],
  ['a path of Windows', 'C:\\gone\\server.exe', []],
  ['a path in a container', 'node', ['run', 'image', 'python', '/app/gone']],
  ['a shell of Windows', 'cmd', ['/c', 'npx']],
  ['an argument that is not a script', 'node', ['server.js', '/gone/data']],
  ['a name that no shell looks up', 'a b', []],
])('%s is not looked up', (_what, command, args) => expect(missingIn(home(), command, args)).toEqual([]));

test('the PATH of an entry is not this one', () => {
  expect(entryPaths({ command: 'gone', args: [], env: { PATH: '/opt' } }, { PATH: home() }).missing).toEqual([]);
});

test('names the program that PATH leads to', () => {
  const at = home();
  const { program } = entryPaths({ command: 'node', args: [] }, { PATH: join(at, 'bin') });
  expect(program).toBe(join(at, 'bin/node'));
});
