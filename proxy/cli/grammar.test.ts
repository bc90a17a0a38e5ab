import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { readServerRequest } from '../commands/headless/on-server';
import { COMMANDS } from '../commands/registry';
import { parseRun, prepareAction, requestOf } from '../commands/test-command-line';
import { EXIT, ExitError } from './exit-code';
import { isOnPath, parseCommandLine, subcommandsOf } from './grammar';
import { type PageOptions, readPageOptions } from './page-options';
import { readServerOptions, type ServerOptions } from './server-options';

test('finds a program in every folder of PATH, with the system’s endings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'on-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['tool', 'other.CMD']) writeFileSync(join(folder, name), '');
  const environment = { PATH: ['/nowhere', '', folder].join(delimiter), PATHEXT: '.EXE;.CMD' };
  expect(isOnPath('tool', environment, '/nowhere')).toBe(true);
  expect(isOnPath('other', environment, '/nowhere')).toBe(true);
  expect(isOnPath('other', { PATH: folder }, '/nowhere')).toBe(false);
  expect(isOnPath('tool', {}, folder)).toBe(false);
});

test('finds a path from the current folder, not on PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'on-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'example.com'));
  writeFileSync(join(folder, 'example.com', 'mcp'), '');
  expect(isOnPath('example.com/mcp', {}, folder)).toBe(true);
  expect(isOnPath('example.com/mcp', { PATH: folder }, '/nowhere')).toBe(false);
});

type Options = ServerOptions & PageOptions & { readonly recordings?: readonly string[] };

function run(...argv: string[]): Options {
  return runTyped(argv, () => true);
}

function runTyped(argv: readonly string[], isProgram: (word: string) => boolean): Options {
  const { request } = parseRun(argv, isProgram);
  const { command, words, given } = request;
  return {
    ...readServerOptions(request, isProgram),
    ...readPageOptions(given),
    ...(command === 'open' && { recordings: words }),
  };
}

function wrong(...argv: string[]): string {
  return wrongTyped(argv, () => true);
}

function wrongTyped(argv: readonly string[], isProgram: (word: string) => boolean): string {
  try {
    runTyped(argv, isProgram);
  } catch (error) {
    if (error instanceof ExitError && error.exitCode === EXIT.usage) return error.message;
    throw error;
  }
  throw new Error(`not wrong: ${JSON.stringify(argv)}`);
}

const parse = (...argv: string[]) => parseCommandLine(argv, COMMANDS, () => true);

test('an empty command line opens an empty page with defaults', () => {
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
    keepSignIns: false,
    otel: true,
    intercept: [],
    hostNames: [],
    open: true,
    confirmCommands: false,
    keepMs: LIMITS.viewerGraceMs,
    watch: { on: false, globs: [] },
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
      '--env',
      'minimal',
      '--allow-link-local',
      '--header',
      'X-A: b: c',
      '--auth',
      'client-id=me',
      '--auth',
      'client-secret=shh',
      '--auth',
      'scope=a b',
      '--tls',
      'ca=a.pem',
      '--tls',
      'ca=b.pem',
      '--tls',
      'cert=c.pem',
      '--tls',
      'key=k.pem',
      '--tls',
      'passphrase-env=PASS',
      '--tls',
      'insecure',
      '--cwd',
      '/srv',
      '--port',
      '0',
      '--listen',
      '192.168.1.5,box.local',
      '--no-open',
      '--page',
      'confirm-commands',
      '--otel',
      'off',
      '--page',
      'linger=5',
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
    keepSignIns: false,
    otel: false,
    intercept: [],
    cwd: '/srv',
    port: 0,
    host: '192.168.1.5',
    hostNames: ['box.local'],
    open: false,
    confirmCommands: true,
    keepMs: 5000,
    watch: { on: false, globs: [] },
  });
});

test('re-run on save, with files and a build in words', () => {
  expect(run('--watch', 'node', 's.js', '--watch').watch).toEqual({ on: true, globs: [] });
  expect(run('--on-save', 'files=src/**', '--on-save', 'files=data', 'http://localhost:1/').watch).toEqual({
    on: true,
    globs: ['src/**', 'data'],
  });
  const build = 'cargo build --features "a b" $HOME';
  expect(run('--on-save', `build=${build}`, './server').watch.build).toEqual([
    'cargo',
    'build',
    '--features',
    'a b',
    '$HOME',
  ]);
});

test.each([
  ['tsc && node x', 'it can’t have `&&`: put the commands into a script'],
  ['tsc "', 'has an unclosed quote'],
  [' ', 'is empty'],
])('the build %j is wrong', (build, sentence) => {
  expect(wrong('--on-save', `build=${build}`, 'node', 's.js')).toMatch(sentence);
});

test('reads a public URL as a browser would', () => {
  expect(run('--page', 'url=https://Box.example:443/tools/').publicUrl).toEqual({
    authority: 'box.example',
    origin: 'https://box.example',
    base: '/tools',
    href: 'https://box.example/tools/',
  });
});

test('the last value of an option counts', () => {
  expect(run('--port', '1', '--port', '2').port).toBe(2);
});

test('a command wins over --demo, so that `npm start -- node s.js` can put --demo first', () => {
  expect(run('--demo', 'node')).toMatchObject({ demo: true, target: { command: 'node' } });
});

test.each([
  [['--header', 'no colon', 'https://h'], /write `--header "Name: value"`/],
  [['--header', '@no-such-file', 'https://h'], /^Could not read `no-such-file`\. It does not exist\. Check the path/],
  [['--env', 'A=B', 'https://h'], /^`--env` works only for a server that a command starts\. Remove `--env`\.$/],
  [['list', '--cwd', '/tmp', 'https://h'], /^`--cwd` works only for a server that a command starts/],
  [['--header', ': v', 'https://h'], /write `--header "Name: value"`/],
  [['--header', 'Host: evil', 'https://h'], /HTTP itself sets/],
  [['--header', 'X-A: b\r\nX-C: d', 'https://h'], /"X-A" contains U\+000D, which HTTP headers can’t carry/],
  [['--header', 'X-A: café', 'https://h'], /"X-A" contains é \(U\+00E9\), which HTTP headers can’t carry/],
  [['--header', 'X-A: a\u200bb', 'https://h'], /"X-A" contains U\+200B, which/],
  [['-H', 'X-A: b', 'node', 's.js'], /for a server at a URL\. Use `--env`, or remove `--header`\.$/],
  [['-H', 'X-A: b'], /`--header` needs a server/],
  [['--tls', 'insecure', 'node', 's.js'], /`--tls` works only for a server at a URL\. Remove `--tls`\.$/],
  [['--tls', 'ca=a.pem'], /`--tls` needs a server\. Add its command or URL\.$/],
  [['--tls=insecure=no', 'https://h'], /takes no value/],
  [['--tls', 'cert'], /`--tls cert` needs a value: write `--tls cert=FILE`/],
  [['--tls', 'crt=a'], /no key `crt`: did you mean `cert`/],
  [['--auth', 'dpop=1', 'https://h'], /`--auth dpop` takes no value/],
  [['--page', 'url=localhost:9999'], /write `http:\/\/HOST\[:PORT\]\[\/PATH\]`/],
])('%j is wrong', (argv, sentence) => {
  expect(wrong(...argv)).toMatch(sentence);
});

test('a URL is a target', () => {
  expect(run('https://example.com/mcp').target).toEqual({ kind: 'url', url: 'https://example.com/mcp' });
});

test.each([['--help'], ['-h'], ['--port', '0', '--help'], ['-v', '-h']])('%s is help', (...argv) => {
  expect(parse(...argv)).toEqual({ kind: 'help' });
});

test.each([['--version'], ['-v']])('%s is the version', (...argv) => {
  expect(parse(...argv)).toEqual({ kind: 'version' });
});

describe('says what is wrong', () => {
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
    [['--port', '--', 'node', 's.js'], /^`--port` needs a value: write `--port N/],
    [['--no-open', '--record', '--', 'node'], /^`--record` needs a value: write `--record FILE/],
    [['-H', '--', 'node'], /^`--header` needs a value/],
    [['--auth', '--', 'https://h'], /^`--auth` needs a value/],
    [['--demo=yes'], /takes no value/],
    [['--port', '65536'], /is invalid/],
    [['--port', '-1'], /is invalid/],
    [['--port', '1e3'], /is invalid/],
    [['--page', 'linger=1.5'], /is invalid/],
    [['--page', 'linger=99999999'], /is invalid/],
    [['--protocol', '2025-01-01', 'node'], /choose from auto, 2024-11-05/],
    [['--env', 'NO_SUCH_VARIABLE', 'node'], /no variable `NO_SUCH_VARIABLE`: export it, or write/],
    [['--env', '=A', 'node'], /write `--env NAME=VALUE`/],
    [['--env', 'A=1'], /`--env` needs a server/],
    [['--input', 'A=1', 'node'], /add `--server NAME` or `--config FILE`/],
    [['--config', 'f', '--input', 'A'], /write `--input NAME=VALUE`/],
    [['--config', 'f', '--server', 'x', 'node'], /both name the server/],
    [['ftp://x'], /^The scheme `ftp` is not supported: give an http or https URL/],
    [['https://x', 'y'], /A URL takes no arguments/],
    [['--', ''], /The command is empty/],
    [['share'], /`share` needs more arguments: write `mcp-inspect share FILE`/],
    [['s3://team/x'], /This is in a bucket: write `mcp-inspect open` before it/],
    [['export', '--out', 'a.mcpr.jsonl'], /`a\.mcpr\.jsonl` was taken as the value of `--out`/],
    [['open', 'a.mcpr.jsonl', '--zzz'], /no option `--zzz`/],
    [['--json', 'node'], /`mcp-inspect` does not take `--json`/],
  ])('%j', (argv, sentence) => {
    expect(wrong(...argv)).toMatch(sentence);
  });
});

test.each([
  [['open', 'a.mcpr.jsonl', 'b.mcpr.gz'], { recordings: ['a.mcpr.jsonl', 'b.mcpr.gz'] }],
  [['--no-open', 'open', 'a.mcpr.jsonl'], { open: false, recordings: ['a.mcpr.jsonl'] }],
  [['open', 'a.mcpr.jsonl', '--server', 'host/s'], { server: 'host/s', recordings: ['a.mcpr.jsonl'] }],
  [['open', 'a.mcpr.jsonl', '--config', 'c', '--server', 's'], { server: 's', recordings: ['a.mcpr.jsonl'] }],
  [['--protocol', 'none', 'open', 'a.mcpr.jsonl', '--demo'], { protocol: 'none', recordings: ['a.mcpr.jsonl'] }],
  [
    ['open', 'a.mcpr.jsonl', '--no-open', '--', '-b.mcpr.gz'],
    { open: false, recordings: ['a.mcpr.jsonl', '-b.mcpr.gz'] },
  ],
  [['--', 'open', 'a.html'], { target: { kind: 'command', command: 'open', args: ['a.html'] } }],
])('%j opens recordings, or runs a program of that name', (argv, expected) => {
  expect(run(...argv)).toMatchObject(expected);
});

test.each(['share', 'replay', 'diff', 'test', 'call', 'prompt'])('behind an option, %s is not a program', (word) => {
  expect(wrong('--no-open', word, 'a.mcpr.jsonl')).toMatch(`\`mcp-inspect ${word}\` does not take \`--no-open\``);
  expect(run('--no-open', '--', word, 'x').target).toEqual({ kind: 'command', command: word, args: ['x'] });
});

test('a first word must name something to start', () => {
  for (const [word, meant] of [
    ['recrodings', 'recordings'],
    ['repaly', 'replay'],
    ['opne', 'open'],
  ] as const) {
    expect(wrongTyped([word, 'x'], () => false)).toContain(`Did you mean \`${meant}\`?`);
    expect(runTyped([word, 'x'], () => true)).toMatchObject({ target: { command: word } });
  }
  for (const word of ['nosuch', './opne', 'tools/list']) {
    expect(wrongTyped(['--no-open', word, 'x'], () => false)).toContain('neither a command of mcp-inspect, a URL');
    expect(runTyped(['--', word], () => false)).toMatchObject({ target: { command: word } });
  }
  expect(runTyped(['package.json'], () => false)).toMatchObject({ target: { command: 'package.json' } });
});

test('recordings is a subcommand, and a program after --', () => {
  expect(parse('recordings')).toMatchObject({ kind: 'run', command: { name: 'recordings' } });
  expect(parse('recordings', '--help')).toMatchObject({ kind: 'help', command: { name: 'recordings' } });
  expect(parse('open', '-h')).toMatchObject({ kind: 'help', command: { name: 'open' } });
  expect(parse('--', 'open', '-h')).toMatchObject({ kind: 'run', command: { name: '' } });
  expect(run('--', 'recordings').target).toEqual({ kind: 'command', command: 'recordings', args: [] });
});

describe('a URL without its scheme', () => {
  test('is read as http if it names this machine', () => {
    for (const argv of [['localhost:3911/mcp'], ['--', 'localhost:3911/mcp']]) {
      expect(runTyped(argv, () => false).target).toEqual({
        kind: 'url',
        url: 'http://localhost:3911/mcp',
        written: 'localhost:3911/mcp',
      });
    }
  });

  test('gets advice if it names another machine', () => {
    expect(wrongTyped(['example.com/mcp'], () => false)).toContain('Did you mean https://example.com/mcp?');
  });

  test('is a program if there is one', () => {
    for (const word of ['localhost/mcp', 'example.com/mcp']) {
      expect(runTyped([word], () => true).target).toMatchObject({ kind: 'command' });
    }
  });

  test('takes no further words, like any URL', () => {
    expect(wrongTyped(['localhost:3911/mcp', '--no-open'], () => false)).toContain('Put options before it');
  });
});

describe('help and version as words', () => {
  test('mean `--help` and `--version`', () => {
    expect(run('--', 'help').target).toEqual({ kind: 'command', command: 'help', args: [] });
    expect(parse('help')).toEqual({ kind: 'help' });
    expect(parse('--no-open', 'help')).toEqual({ kind: 'help' });
    expect(parse('version')).toEqual({ kind: 'version' });
    expect(run('version', 'x').target).toMatchObject({ command: 'version' });
  });

  test('help before a subcommand is its --help', () => {
    for (const argv of [['list'], ['share', 'x'], ['open']]) {
      expect(parse('help', ...argv)).toEqual(parse(argv[0]!, '--help'));
    }
    expect(parse('list', 'help', '--demo')).toMatchObject({ kind: 'run', request: { words: ['help'] } });
    expect(wrong('help', 'lsit')).toMatch('did you mean `help list`?');
    expect(wrong('help', 'node')).toMatch('Unknown help topic `node`');
  });

  test('subcommands have help and a version, too', () => {
    expect(parse('call', '--help')).toMatchObject({ kind: 'help', command: { name: 'call' } });
    expect(parse('list', '-h')).toMatchObject({ kind: 'help', command: { name: 'list' } });
    expect(parse('share', 'a', '-h')).toMatchObject({ kind: 'help', command: { name: 'share' } });
    expect(parse('raw', '--version')).toEqual({ kind: 'version' });
  });
});

describe('the first word that is not an option selects the subcommand', () => {
  test.each<[string[], string, string[], string[]]>([
    [['list', '--demo'], 'list', [], []],
    [['--demo', 'list'], 'list', [], []],
    [['--protocol', 'auto', 'call', 'list', '--', 'x'], 'call', ['list'], ['x']],
    [['--timeout', 'list', 'read', 'u'], 'read', ['u'], []],
    [['share', 'a', '--out', 'b'], 'share', ['a'], []],
    [['share', '--', '-a'], 'share', ['-a'], []],
    [['--demo', 'share', 'a'], 'share', ['a'], []],
    [['--', 'list'], '', [], ['list']],
    [['--demo', '--', 'share'], '', [], ['share']],
    [['node', 'list'], '', [], ['node', 'list']],
    [['./list'], '', [], ['./list']],
    [['--config', 'list'], '', [], []],
    [['constructor'], '', [], ['constructor']],
    [[], '', [], []],
  ])('%j', (argv, command, words, server) => {
    expect(requestOf(...argv)).toMatchObject({ command, words, server });
  });
});

test('options and words come in any order; a repeated option keeps all its values', () => {
  expect(requestOf('share', '--out', 'b', 'a', '--review', '--out=c')).toEqual({
    command: 'share',
    words: ['a'],
    given: new Map([
      ['out', ['b', 'c']],
      ['review', ['']],
    ]),
    server: [],
  });
});

describe('a subcommand on a server', () => {
  const request = (...argv: string[]) => {
    const parsed = requestOf(...argv);
    return { ...parsed, ...readServerRequest(parsed, () => true) };
  };

  test('separates words, options and the server', () => {
    const found = request(
      'call',
      'echo',
      '--arg',
      'a=1',
      '--protocol=2025-06-18',
      '--arg',
      'b:=[]',
      '--json',
      '--env',
      'X=y',
      '--timeout',
      '1.5',
      '--env',
      'minimal',
      '--cwd',
      '/tmp',
      '--',
      'node',
      's.js',
      '--json',
      '--',
      '--arg',
    );
    expect(found).toMatchObject({ command: 'call', words: ['echo'], json: true, timeoutMs: 1500 });
    expect(found.given.get('arg')).toEqual(['a=1', 'b:=[]']);
    expect(found.options).toMatchObject({
      target: { kind: 'command', command: 'node', args: ['s.js', '--json', '--', '--arg'] },
      protocol: '2025-06-18',
      env: new Map([['X', 'y']]),
      cleanEnv: true,
      keepSignIns: false,
      cwd: '/tmp',
    });
  });

  test('--json is output, and --args has the arguments', () => {
    const found = request('call', 't', '--json', '--args', '{}', '--demo');
    expect({ json: found.json, input: found.given.get('args') }).toEqual({ json: true, input: ['{}'] });
    expect(() => request('call', 't', '--json', '{}', '--demo')).toThrow('`{}` is one word too many');
  });

  test.each<[string[], string[], string]>([
    [['list', 'https://h/mcp'], [], 'https://h/mcp'],
    [['list', 'tools', 'http://h'], ['tools'], 'http://h'],
    [['read', 'https://a/x', 'https://h/mcp'], ['https://a/x'], 'https://h/mcp'],
    [['read', 'https://a/x', '--', 'https://h/mcp'], ['https://a/x'], 'https://h/mcp'],
  ])('takes a bare URL after its words: %j', (argv, words, url) => {
    const found = request(...argv);
    expect({ words: found.words, target: found.options.target }).toEqual({ words, target: { kind: 'url', url } });
  });

  test('takes a URL of this machine without its scheme', () => {
    const on = (...argv: string[]) => {
      const parsed = requestOf(...argv);
      return { words: parsed.words, ...readServerRequest(parsed, () => false) };
    };
    for (const [argv, words] of [
      [['list', 'localhost:3911/mcp'], []],
      [['list', 'tools', '127.0.0.1:3911'], ['tools']],
      [['call', 'echo', '[::1]:3911/mcp'], ['echo']],
      [['doctor', '--', 'localhost:3911/mcp'], []],
    ] as const) {
      const target = { kind: 'url', url: `http://${argv.at(-1)}` };
      expect(on(...argv)).toMatchObject({ words, options: { target } });
    }
    expect(() => on('list', 'example.com/mcp')).toThrow('Did you mean https://example.com/mcp?');
  });

  test.each<[string[], RegExp]>([
    [['list'], /No server is named: end with `-- command args…` or a URL, .+ See `mcp-inspect help list`\.$/],
    [['list', 'ftp://x'], /^The scheme `ftp` is not supported/],
    [['call', 't', 'ftp://x'], /^The scheme `ftp` is not supported/],
    [['list', '--config', 'f'], /`--server NAME`/],
    [['list', '--'], /No server is named/],
    [['call', '--demo'], /write `mcp-inspect call TOOL/],
    [['read', '--', 'node'], /write `mcp-inspect read URI/],
    [['call', 't', 'node', 's.js'], /`node` is one word too many: put `--`/],
    [['call', 't', 'node', 's.js', '--demo'], /`node` is one word too many: remove it\. See `mcp-inspect help call`/],
    [
      ['call', 't', 'at:place=Bonn', '--demo'],
      /`at:place=Bonn` is one word too many: write arguments as `--arg at:place=Bonn`\./,
    ],
    [['prompt', 'p', 'a?=b c', '--demo'], /`a\?=b c` is one word too many: write arguments as `--arg NAME=VALUE`\./],
    [['call', 't', 'https://h/mcp', 'a=b'], /^The URL comes last: write `mcp-inspect call t a=b URL`\./],
    [['list', 'a=b', 'tools', '--demo'], /`tools` is one word too many/],
    [['read', 'u', 'x'], /`x` is one word too many/],
    [['list', 'http://localhost:1/mcp', 'tools'], /^The URL comes last: write `mcp-inspect list tools URL`\./],
    [['list', '--port', '1', '--demo'], /`mcp-inspect list` does not take `--port`/],
    [['list', '--no-open', '--demo'], /does not take `--no-open`/],
    [['list', '--arg', 'a=1', '--demo'], /`mcp-inspect list` does not take `--arg`/],
    [['read', 'u', '--json={}', '--demo'], /`--json` takes no value/],
    [['doctor', '--protocol', 'none', '--demo'], /`doctor` needs the handshake: remove `--protocol none`/],
    [['call', 't', '--arg'], /`--arg` needs a value/],
    [['call', 't', '--arg', '--', 'python3', 's.py'], /^`--arg` needs a value: write `--arg K=V`\.$/],
    [['call', 't', '--arg=--', '--demo'], /^`--arg` needs a value/],
    [['list', '--timeout', '--', 'python3', 's.py'], /^`--timeout` needs a value: write `--timeout SECONDS`\.$/],
    [['list', '--env', '--', 'python3', 's.py'], /^`--env` needs a value/],
    [['list', 'tools', '--json', '--timeout', 'http://h/mcp'], /^`--timeout` needs a value: write `--timeout SECONDS`/],
    [['list', '--timeout', 'localhost:3000/mcp'], /^`--timeout` needs a value/],
    [['check', '--budget', '--', 'python3', 's.py'], /^`--budget` needs a value/],
    [['call', 't', '--tmeout', '1', '--demo'], /did you mean `--timeout`/],
    [['call', 't', '--prot', '1', '--demo'], /did you mean `--protocol`/],
    [['call', 't', '--zzz', '--demo'], /see `mcp-inspect call --help`/],
    [['list', '--protocol', '1', '--demo'], /choose from auto/],
    [['list', '--timeout', '0', '--demo'], /is invalid/],
    [['list', '--timeout', '1e3', '--demo'], /is invalid/],
    [['list', '--timeout=-1', '--demo'], /is invalid/],
    [['list', '--timeout', '999999', '--demo'], /is invalid/],
    [['list', 'https://h', '--server', 'x', '--config', 'f'], /both name the server/],
    [['list', '--record', 'a', '--record', 'b', '--demo'], /`--record` is given twice/],
    [['list', '--record', 'x/a.jsonl', '--demo'], /ends in `\.mcpr\.jsonl`: write `--record x\/a\.mcpr\.jsonl`\./],
    [['list', '--record', '.mcpr.jsonl', '--demo'], /write `--record NAME\.mcpr\.jsonl`\./],
  ])('says what is wrong: %j', (argv, sentence) => {
    expect(() => request(...argv)).toThrow(sentence);
    expect(() => request(...argv)).toThrow(ExitError);
  });

  test('accepts arguments in one form only', async () => {
    for (const argv of [
      ['call', 't', '--arg', 'a=1', '--args', '{}', '--demo'],
      ['call', 't', '--args', '{}', '--args', '{}', '--demo'],
    ]) {
      await expect(prepareAction(...argv)).rejects.toThrow(/given twice/);
    }
  });
});

test.each<[string[], RegExp]>([
  [['share'], /write `mcp-inspect share FILE/],
  [['share', 'a', 'b'], /^`b` is one word too many: remove it\./],
  [['check', '--like', 'cursor', '--demo'], /^There is no option `--like`: see `mcp-inspect check --help`/],
  [['share', 'a', '--revew'], /^There is no option `--revew`: did you mean `--review`\?$/],
  [['share', 'a', '--colour', '1'], /see `mcp-inspect share --help`/],
  [['share', 'a', '--out'], /`--out` needs a value/],
  [['share', 'a', '--review=1'], /^`--review` takes no value: remove `=1`\.$/],
  [['share', 'a', '--', 'node', 'x.js'], /`node` is one word too many/],
])('a subcommand on files says what is wrong: %j', (argv, sentence) => {
  expect(() => requestOf(...argv)).toThrow(sentence);
});

test('says how to start a program that is named like a subcommand, only if there is one', () => {
  const hint = 'To start the program `share`, write `mcp-inspect -- share`.';
  for (const argv of [['share'], ['share', 'a', 'b']]) {
    expect(wrongTyped(argv, () => true)).toContain(hint);
    expect(wrongTyped(argv, () => false)).toMatch(/ See `mcp-inspect help share`\.$/);
  }
  expect(wrongTyped(['help', 'node'], () => false)).toBe('Unknown help topic `node`: see `mcp-inspect help`.');
});

test('an option takes a value in every command or in none', () => {
  const commands = [COMMANDS.main, ...subcommandsOf(COMMANDS)];
  const kinds = new Map<string, boolean>();
  for (const { name, value } of commands.flatMap(({ options }) => options)) {
    expect(kinds.get(name) ?? value !== undefined).toBe(value !== undefined);
    kinds.set(name, value !== undefined);
  }
});

test('the secret of a grant may be in the environment', () => {
  const words = ['--auth', 'grant=client-credentials', '--auth', 'client-id=me', 'https://h/mcp'];
  expect(wrong(...words)).toContain('needs a client secret');
  vi.stubEnv('MCP_INSPECT_CLIENT_SECRET', 'secret-of-mine');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(run(...words)).toMatchObject({ client: { grant: 'client-credentials', clientId: 'me' } });
});

test('words K=V after the name of a tool or a prompt are arguments, unless they are a URL', () => {
  for (const [words, args, server] of [
    [['t', 'a=1', 'b:=[1]', '--demo'], ['a=1', 'b:=[1]'], []],
    [
      ['t', '--arg', 'c=2', 'a=https://x/y?z=1', 'https://h/mcp?a=b'],
      ['c=2', 'a=https://x/y?z=1'],
      ['https://h/mcp?a=b'],
    ],
    [['t', 'a=1', 'localhost:3000?a=b'], ['a=1'], ['localhost:3000?a=b']],
    [['t', 'file=./server.json', '--demo'], ['file=./server.json'], []],
    [['t', 'a=1', '--', 'node', 'b=2'], ['a=1'], ['node', 'b=2']],
  ] as const) {
    for (const command of ['call', 'prompt']) {
      const line = parse(command, ...words);
      expect(line).toMatchObject({ request: { words: ['t'], server } });
      expect(line.kind === 'run' && line.request.given.get('arg')).toEqual(args);
    }
  }
});

test('a name of before the first release names what does the same now, even if a program has it', () => {
  const table = { ...COMMANDS, tasks: [] };
  for (const isProgram of [() => true, () => false]) {
    expect(() => parseCommandLine(['ping', 'x'], table, isProgram)).toThrow(
      'There is no command `ping`: use `mcp-inspect doctor`.',
    );
    expect(() => parseCommandLine(['help', 'ping'], table, isProgram)).toThrow('use `mcp-inspect doctor`');
  }
  const line = parseCommandLine(['--', 'ping', 'x'], table, () => true);
  expect(line).toMatchObject({ request: { command: '', server: ['ping', 'x'] } });
});

test('`--record off` records nothing in any command', () => {
  for (const argv of [['list'], ['call', 't'], ['check']]) {
    expect(readServerRequest(requestOf(...argv, '--record', 'off', '--demo'))).not.toHaveProperty('record');
  }
});

test('a reserved word starts no program without `--`', () => {
  expect(wrongTyped(['init'], () => true)).toBe(
    '`init` is reserved for a later version. To start a program of this name, write `mcp-inspect -- init`.',
  );
  expect(run('--', 'init')).toMatchObject({ target: { command: 'init' } });
});

test('a mistyped verb is named', () => {
  expect(wrong('auth', 'logut', 'x')).toContain('`auth` has no `logut`: did you mean `auth logout`?');
});
