import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { expandHelp, isProgram, parseArguments } from './args';
import type { RunOptions } from './run-options';

test('a program is looked for in every folder, with the endings that the system adds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'on-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['tool', 'other.CMD']) writeFileSync(join(folder, name), '');
  const environment = { PATH: ['/nowhere', '', folder].join(delimiter), PATHEXT: '.EXE;.CMD' };
  expect(isProgram('tool', environment, '/nowhere')).toBe(true);
  expect(isProgram('other', environment, '/nowhere')).toBe(true);
  expect(isProgram('other', { PATH: folder }, '/nowhere')).toBe(false);
  expect(isProgram('tool', {}, folder)).toBe(false);
});

test('a path is looked for where the command line was typed, not on PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'on-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'example.com'));
  writeFileSync(join(folder, 'example.com', 'mcp'), '');
  expect(isProgram('example.com/mcp', {}, folder)).toBe(true);
  expect(isProgram('example.com/mcp', { PATH: folder }, '/nowhere')).toBe(false);
});

function run(...argv: string[]): RunOptions {
  const parsed = parseArguments(argv);
  if (parsed.kind !== 'run') throw new Error(`not a run: ${JSON.stringify(parsed)}`);
  return parsed.options;
}

function wrong(...argv: string[]): string {
  const parsed = parseArguments(argv);
  if (parsed.kind !== 'wrong') throw new Error(`not wrong: ${JSON.stringify(parsed)}`);
  return parsed.sentence;
}

test('nothing at all is an empty page with the defaults', () => {
  expect(run()).toEqual({
    demo: false,
    noRecord: false,
    transport: 'auto',
    protocol: 'auto',
    env: new Map(),
    inputs: new Map(),
    headers: new Map(),
    tls: {},
    allowLinkLocal: false,
    client: {},
    cleanEnv: false,
    hostNames: [],
    open: true,
    keepMs: LIMITS.viewerGraceMs,
  });
});

describe('options end at the command', () => {
  test.each([
    [
      ['node', 's.js', '--port', '1', '-h', '--', 'x'],
      ['s.js', '--port', '1', '-h', '--', 'x'],
    ],
    [['--no-open', 'node', '--help'], ['--help']],
    [
      ['--no-open', '--', 'node', '--', '--version'],
      ['--', '--version'],
    ],
    [
      ['--port', '0', 'node', '--env', 'A=1'],
      ['--env', 'A=1'],
    ],
    [['--port=0', 'node', ''], ['']],
    [
      ['--env', 'A=1', 'node', '-e', 'x;$(y)\n'],
      ['-e', 'x;$(y)\n'],
    ],
  ])('%j', (argv, args) => {
    expect(run(...argv).target).toEqual({ kind: 'command', command: 'node', args });
  });

  test('-- lets a command start with a dash', () => {
    expect(run('--', '--strange').target).toEqual({ kind: 'command', command: '--strange', args: [] });
  });
});

test('every option', () => {
  expect(
    run(
      ...[
        '--config',
        'f.json',
        '--server',
        'one',
        '--protocol',
        '2025-06-18',
        '--env',
        'A=1=2',
        '--env',
        'B=',
        '--clean-env',
        '--allow-link-local',
      ],
      ...['--header', 'X-A: b: c', '--client-id', 'me', '--client-secret', 'shh', '--scope', 'a b'],
      ...['--ca', 'a.pem', '--ca', 'b.pem', '--cert', 'c.pem', '--key', 'k.pem'],
      ...['--key-passphrase-env', 'PASS', '--insecure'],
      ...['--cwd', '/srv', '--port', '0', '--host', '192.168.1.5,box.local', '--no-open', '--keep', '5'],
    ),
  ).toEqual({
    config: 'f.json',
    noRecord: false,
    transport: 'auto',
    server: 'one',
    demo: false,
    protocol: '2025-06-18',
    env: new Map([
      ['A', '1=2'],
      ['B', ''],
    ]),
    inputs: new Map(),
    headers: new Map([['X-A', 'b: c']]),
    client: { clientId: 'me', clientSecret: 'shh', scope: 'a b' },
    tls: { ca: ['a.pem', 'b.pem'], cert: 'c.pem', key: 'k.pem', passphraseEnv: 'PASS', insecure: true },
    allowLinkLocal: true,
    cleanEnv: true,
    cwd: '/srv',
    port: 0,
    host: '192.168.1.5',
    hostNames: ['box.local'],
    open: false,
    keepMs: 5000,
  });
});

test('a public URL is read as a browser would', () => {
  expect(run('--public-url', 'https://Box.example:443/tools/').publicUrl).toEqual({
    authority: 'box.example',
    origin: 'https://box.example',
    base: '/tools',
    href: 'https://box.example/tools/',
  });
});

test('an option given twice counts as given last', () => {
  expect(run('--port', '1', '--port', '2').port).toBe(2);
});

test('a command wins over --demo, so that `npm start -- node s.js` can put --demo first', () => {
  expect(run('--demo', 'node')).toMatchObject({ demo: true, target: { command: 'node' } });
});

test.each([
  [['--header', 'no colon', 'https://h'], /write `--header "Name: value"`/],
  [['--header', ': v', 'https://h'], /write `--header "Name: value"`/],
  [['--header', 'Host: evil', 'https://h'], /belongs to HTTP itself/],
  [['--header', 'X-A: b\r\nX-C: d', 'https://h'], /no header may have/],
  [['-H', 'X-A: b', 'node', 's.js'], /for a server at a URL/],
  [['-H', 'X-A: b'], /none is named/],
  [['--insecure', 'node', 's.js'], /`--insecure` is for a server at a URL/],
  [['--ca', 'a.pem'], /`--ca` is about a server, and none is named/],
  [['--insecure=no', 'https://h'], /takes no value/],
  [['--cert'], /needs a value/],
  [['--public-url', 'localhost:9999'], /write `http:\/\/HOST\[:PORT\]\[\/PATH\]`/],
])('%j is wrong', (argv, sentence) => {
  expect(parseArguments(argv)).toEqual({ kind: 'wrong', sentence: expect.stringMatching(sentence) });
});

test('a URL is a target', () => {
  expect(run('https://example.com/mcp').target).toEqual({ kind: 'url', url: 'https://example.com/mcp' });
});

test.each([['--help'], ['-h'], ['--port', '0', '--help'], ['-v', '-h']])('%s is help', (...argv) => {
  expect(parseArguments(argv)).toEqual({ kind: 'help' });
});

test.each([['--version'], ['-v']])('%s is the version', (...argv) => {
  expect(parseArguments(argv)).toEqual({ kind: 'version' });
});

describe('what is wrong gets a sentence', () => {
  test.each<[string[], RegExp]>([
    [['--prot', '1'], /`--prot`: did you mean `--protocol`/],
    [['--confg', 'x'], /did you mean `--config`/],
    [['--noopen'], /did you mean `--no-open`/],
    [['--zzz'], /no option `--zzz`: see `mcp-inspect --help`/],
    [['-z'], /no option `-z`/],
    [['--__proto__'], /no option/],
    [['--port'], /`--port` needs a value/],
    [['--port='], /`--port` needs a value/],
    [['--config', '--no-open'], /`--config` needs a value/],
    [['--demo=yes'], /takes no value/],
    [['--port', '65536'], /out of range/],
    [['--port', '-1'], /out of range/],
    [['--port', '1e3'], /out of range/],
    [['--keep', '1.5'], /out of range/],
    [['--keep', '99999999'], /out of range/],
    [['--protocol', '2025-01-01', 'node'], /choose from auto, 2024-11-05/],
    [['--no-handshake', '--protocol', '2025-06-18', 'node'], /leave one of them out/],
    [['--env', 'A', 'node'], /write `--env NAME=VALUE`/],
    [['--env', '=A', 'node'], /write `--env NAME=VALUE`/],
    [['--env', 'A=1'], /none is named/],
    [['--input', 'A=1', 'node'], /add `--config FILE`/],
    [['--config', 'f', '--input', 'A'], /write `--input NAME=VALUE`/],
    [['--server', 'x'], /add `--config FILE`/],
    [['--config', 'f', '--server', 'x', 'node'], /both name the server/],
    [['ftp://x'], /not a http or https URL/],
    [['https://x', 'y'], /stands alone/],
    [['--', ''], /The command is empty/],
    [['open'], /`open` needs a recording/],
    [['recordings', 'x'], /`-- recordings` for a program/],
    [['open', 'a.mcpr.jsonl', '--zzz'], /no option `--zzz`/],
  ])('%j', (argv, sentence) => {
    expect(wrong(...argv)).toMatch(sentence);
  });
});

test.each([
  [['open', 'a.mcpr.jsonl', 'b.mcpr.gz'], { recordings: ['a.mcpr.jsonl', 'b.mcpr.gz'] }],
  [['--no-open', 'open', 'a.mcpr.jsonl'], { open: false, recordings: ['a.mcpr.jsonl'] }],
  [
    ['open', 'a.mcpr.jsonl', '--no-open', '--', '-b.mcpr.gz'],
    { open: false, recordings: ['a.mcpr.jsonl', '-b.mcpr.gz'] },
  ],
  [['--', 'open', 'a.html'], { target: { kind: 'command', command: 'open', args: ['a.html'] } }],
])('%j opens recordings, or runs a program of that name', (argv, expected) => {
  expect(run(...argv)).toMatchObject(expected);
});

test.each(['share', 'replay', 'diff', 'verify', 'call', 'forms'])('behind an option %s is no program', (word) => {
  expect(wrong('--no-open', word, 'a.mcpr.jsonl')).toMatch(
    `write \`mcp-inspect ${word}\` and its own options behind it`,
  );
  expect(run('--no-open', '--', word, 'x').target).toEqual({ kind: 'command', command: word, args: ['x'] });
});

test('a mistyped word of ours is told, unless there is a program of that name', () => {
  const typed = (word: string, isThere: boolean) => parseArguments([word, 'x'], () => isThere);
  for (const [word, meant] of [
    ['recrodings', 'recordings'],
    ['repaly', 'replay'],
    ['opne', 'open'],
  ] as const) {
    expect(typed(word, false)).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining(`\`${meant}\`?`) });
    expect(typed(word, true)).toMatchObject({ kind: 'run', options: { target: { command: word } } });
    expect(parseArguments(['--', word], () => false)).toMatchObject({ kind: 'run' });
  }
  for (const word of ['node', './opne', 'uvx']) expect(typed(word, false)).toMatchObject({ kind: 'run' });
});

test('what was recorded is listed, unless a program is called like that', () => {
  expect(parseArguments(['recordings'])).toEqual({ kind: 'recordings' });
  expect(parseArguments(['recordings', '--help'])).toEqual({ kind: 'help', about: 'recordings' });
  expect(parseArguments(['open', '-h'])).toEqual({ kind: 'help', about: 'open' });
  expect(parseArguments(['--', 'open', '-h'])).toMatchObject({ kind: 'run' });
  expect(run('--', 'recordings').target).toEqual({ kind: 'command', command: 'recordings', args: [] });
});

describe('a URL without its scheme', () => {
  const typed = (argv: readonly string[], isThere = false) => parseArguments(argv, () => isThere);

  test('is read as http where it names this machine', () => {
    for (const argv of [['localhost:3911/mcp'], ['--', 'localhost:3911/mcp']]) {
      expect(typed(argv)).toMatchObject({
        kind: 'run',
        options: { target: { kind: 'url', url: 'http://localhost:3911/mcp', written: 'localhost:3911/mcp' } },
      });
    }
  });

  test('is asked about where it names another machine', () => {
    expect(typed(['example.com/mcp'])).toEqual({
      kind: 'wrong',
      sentence: expect.stringContaining('Did you mean https://example.com/mcp?'),
    });
  });

  test('is a program if there is one, or if more words follow', () => {
    for (const parsed of [typed(['localhost/mcp'], true), typed(['example.com/mcp'], true)]) {
      expect(parsed).toMatchObject({ kind: 'run', options: { target: { kind: 'command' } } });
    }
    expect(typed(['example.com/x', 'more'])).toMatchObject({
      kind: 'run',
      options: { target: { kind: 'command', command: 'example.com/x', args: ['more'] } },
    });
  });

  test('stands alone, like any URL', () => {
    expect(typed(['localhost:3911/mcp', '--no-open'])).toEqual({
      kind: 'wrong',
      sentence: expect.stringContaining('Put options before it'),
    });
  });
});

describe('help and version as words', () => {
  test('are the options', () => {
    expect(run('--', 'help').target).toEqual({ kind: 'command', command: 'help', args: [] });
    expect(parseArguments(['help'])).toEqual({ kind: 'help' });
    expect(parseArguments(['--no-open', 'help'])).toEqual({ kind: 'help' });
    expect(parseArguments(['version'])).toEqual({ kind: 'version' });
    expect(run('version', 'x').target).toMatchObject({ command: 'version' });
  });

  test('help before a word of ours is its --help', () => {
    expect(expandHelp(['help', 'list'])).toEqual(['list', '--help']);
    expect(expandHelp(['help', 'share', 'x'])).toEqual(['share', '--help']);
    expect(expandHelp(['help', 'open'])).toEqual(['open', '--help']);
    for (const argv of [['help'], ['help', 'lsit'], ['--', 'help', 'list'], ['list', 'help']]) {
      expect(expandHelp(argv)).toEqual(argv);
    }
    expect(wrong('help', 'lsit')).toMatch('did you mean `help list`?');
    expect(wrong('help', 'node')).toMatch('Unknown help topic `node`');
  });
});
