import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { windowsProgram } from './environment';
import { explainSpawnError, resolveWindowsCommand } from './spawn';

const NPX = `@ECHO OFF
SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"
SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"
"%NODE_EXE%" "%NPX_CLI_JS%" %*`;
const SHIM = '@"%_prog%"  "%dp0%\\node_modules\\some-server\\dist\\cli.mjs" %*\r\n';

const disk: Record<string, string> = {
  'C:\\node\\npx.CMD': NPX,
  'C:\\node\\node_modules\\npm\\bin\\npx-cli.js': '',
  'C:\\node\\node_modules\\npm\\bin\\npm-prefix.js': '',
  'C:\\npm\\some-server.CMD': SHIM,
  'C:\\npm\\node_modules\\some-server\\dist\\cli.mjs': '',
  'C:\\work\\start.BAT': '@echo %1',
  'C:\\node\\node.EXE': '',
  'C:\\work\\evil.EXE': '',
  'C:\\work\\bin\\evil.EXE': '',
};
const files = { exists: (path: string) => Object.hasOwn(disk, path), read: (path: string) => disk[path]! };

const HOSTILE = ['"&calc&"', '%PATH%', '^', 'a b'];

function resolve(command: string): [string, readonly string[]] {
  const env = {
    Path: '.;bin;C:\\empty;C:\\node;C:\\npm',
    PathExt: '.COM;.EXE;.BAT;.CMD',
  } as unknown as NodeJS.ProcessEnv;
  return resolveWindowsCommand({ command, args: HOSTILE, cwd: 'C:\\work', env }, files);
}

describe('Windows command', () => {
  test('attack: runs npx without a shell, with literal arguments', () => {
    expect(resolve('npx')).toEqual([process.execPath, ['C:\\node\\node_modules\\npm\\bin\\npx-cli.js', ...HOSTILE]]);
  });

  test('runs an installed package without a shell', () => {
    const expected = [process.execPath, ['C:\\npm\\node_modules\\some-server\\dist\\cli.mjs', ...HOSTILE]];
    expect(resolve('some-server')).toEqual(expected);
    expect(resolve('some-server.CMD')).toEqual(expected);
    expect(resolve('C:\\npm\\some-server')).toEqual(expected);
  });

  test('refuses any other batch file', () => {
    expect(() => resolve('.\\start')).toThrow(expect.objectContaining({ code: 'batch-file' }));
  });

  test('finds a program by its extension', () => {
    expect(resolve('node')[0]).toBe('C:\\node\\node.EXE');
    expect(() => resolve('nothing')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  test('attack: no program of the working directory runs by its bare name, also where PATH has a relative folder', () => {
    expect(() => resolve('evil')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(resolve('.\\evil')[0]).toBe('C:\\work\\evil.EXE');
  });

  test('attack: the programs of Windows itself are named by their path', () => {
    expect(windowsProgram('taskkill.exe', { SystemRoot: 'D:\\Win' } as unknown as NodeJS.ProcessEnv)).toBe(
      'D:\\Win\\System32\\taskkill.exe',
    );
    expect(windowsProgram('rundll32.exe', {} as NodeJS.ProcessEnv)).toBe('C:\\Windows\\System32\\rundll32.exe');
  });
});

const notFound = Object.assign(new Error(), { code: 'ENOENT' });
const explain = (command: string, args: readonly string[] = [], error: unknown = notFound) =>
  explainSpawnError(error, { command, args, cwd: '/', env: { NODE_ENV: 'test' } }, (path) =>
    path === '/' ? 'directory' : path === '/bin/python3' ? 'executable' : 'nothing',
  );

test.each([
  ['python3 print.py', [], 'Remove the quotes: `python3 print.py`.'],
  ['python3 -u', ['print.py'], 'Remove the quotes: `python3 -u …`.'],
  ['/bin/python3 print.py', [], 'Remove the quotes: `/bin/python3 print.py`.'],
])('%j was passed as one word', (command, args, advice) => {
  expect(explain(command, args)).toEqual({
    code: 'command-not-found',
    message: `\`${command}\` was passed as one word, so it was looked up as one program name.`,
    advice: expect.stringContaining(advice),
  });
});

test('an error of the system in a context of its own, where jest runs us, is explained like any other', () => {
  expect(explain('python3', [], runInNewContext('Object.assign(new Error(), { code: "ENOENT" })'))).toEqual(
    explain('python3'),
  );
});

test('a script or program of the working directory is not looked for there, but named', () => {
  const explainBeside = (kind: 'plain' | 'executable') =>
    explainSpawnError(
      Object.assign(new Error(), { code: 'ENOENT' }),
      { command: 'server.js', args: [], cwd: '/here', env: {} as NodeJS.ProcessEnv },
      (path) => (path.endsWith('server.js') ? kind : 'directory'),
    );
  expect(explainBeside('plain').advice).toContain('`node server.js`');
  expect(explainBeside('executable').advice).toBe('Write ./server.js.');
});

test.each(['python3', '/no such/program', ' python3 '])('%j is a missing program', (command) => {
  expect(explain(command).message).toBe(`The command ${command} was not found.`);
});
