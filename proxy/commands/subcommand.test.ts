import { describe, expect, test } from 'vitest';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { findSubcommand } from '@/proxy/cli/subcommands';
import { type HeadlessRequest, parseRequest } from './subcommand';

function parse(...argv: string[]) {
  return parseRequest(findSubcommand(argv)!);
}

function request(...argv: string[]): HeadlessRequest {
  const parsed = parse(...argv);
  if (typeof parsed === 'string') throw new Error(`it asks for the ${parsed}`);
  return parsed;
}

function wrong(...argv: string[]): string {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof ExitError && error.exitCode === EXIT.usage) return error.message;
    throw error;
  }
  throw new Error('it is not wrong');
}

test('the words, the options and the command fall apart where they should', () => {
  const found = request(
    ...['call', 'echo', '--arg', 'a=1', '--protocol=2025-06-18', '--arg', 'b:=[]', '--json', '--env', 'X=y'],
    ...['--timeout', '1.5', '--clean-env', '--cwd', '/tmp', '--', 'node', 's.js', '--json', '--', '--arg'],
  );
  expect(found).toMatchObject({ name: 'call', words: ['echo'], args: ['a=1', 'b:=[]'], json: true, timeoutMs: 1500 });
  expect(found.run).toMatchObject({
    target: { kind: 'command', command: 'node', args: ['s.js', '--json', '--', '--arg'] },
    protocol: '2025-06-18',
    env: new Map([['X', 'y']]),
    cleanEnv: true,
    cwd: '/tmp',
  });
});

describe('--json is output, but before what can only be arguments it is input', () => {
  test.each<[string[], boolean, string | undefined]>([
    [['call', 't', '--json'], true, undefined],
    [['call', '--json', 't'], true, undefined],
    [['call', 't', '--json', '{"a":1}'], false, '{"a":1}'],
    [['call', 't', '--json', ' {}', '--json'], true, ' {}'],
    [['call', 't', '--json={}'], false, '{}'],
    [['call', 't', '--json', '@f.json'], false, '@f.json'],
    [['prompt', 'p', '--json', '-'], false, '-'],
    [['call', 't', '--args', '{}', '--json'], true, '{}'],
    [['call', 't', '--args', '-'], false, '-'],
    [['raw', '--json', '{}'], true, undefined],
    [['raw', '--json', '-'], true, undefined],
  ])('%j', (argv, json, input) => {
    const found = request(...argv, '--demo');
    expect({ json: found.json, input: found.input }).toEqual({ json, input });
    expect(found.words).toHaveLength(1);
  });
});

describe('a URL may follow the words bare', () => {
  test.each<[string[], string[], string]>([
    [['list', 'https://h/mcp'], [], 'https://h/mcp'],
    [['list', 'tools', 'http://h'], ['tools'], 'http://h'],
    [['read', 'https://a/x', 'https://h/mcp'], ['https://a/x'], 'https://h/mcp'],
    [['read', 'https://a/x', '--', 'https://h/mcp'], ['https://a/x'], 'https://h/mcp'],
  ])('%j', (argv, words, url) => {
    const found = request(...argv);
    expect({ words: found.words, target: found.run.target }).toEqual({ words, target: { kind: 'url', url } });
  });
});

test('help and version are asked for as everywhere', () => {
  expect(parse('call', '--help')).toBe('help');
  expect(parse('list', '-h')).toBe('help');
  expect(parse('raw', '--version')).toBe('version');
});

describe('what is wrong gets a sentence', () => {
  test.each<[string[], RegExp]>([
    [['list'], /No server is named: end with `-- command args…`/],
    [['list', '--config', 'f'], /`--server NAME`/],
    [['list', '--'], /No server is named/],
    [['call', '--demo'], /write `mcp-inspect call TOOL/],
    [['read', '--', 'node'], /write `mcp-inspect read URI/],
    [['call', 't', 'node', 's.js'], /`node` is one word too many: put `--`/],
    [['read', 'u', 'x'], /`x` is one word too many/],
    [['list', '--port', '1', '--demo'], /`--port` is about the page/],
    [['list', '--no-open', '--demo'], /is about the page/],
    [['list', '--arg', 'a=1', '--demo'], /`list` takes no arguments: leave `--arg` out/],
    [['read', 'u', '--json={}', '--demo'], /`read` takes no arguments/],
    [['call', 't', '--arg', 'a=1', '--args', '{}', '--demo'], /given twice/],
    [['call', 't', '--json', '{}', '--args', '{}', '--demo'], /given twice/],
    [['call', 't', '--arg'], /`--arg` needs a value/],
    [['call', 't', '--tmeout', '1', '--demo'], /did you mean `--timeout`/],
    [['call', 't', '--prot', '1', '--demo'], /did you mean `--protocol`/],
    [['call', 't', '--zzz', '--demo'], /see `mcp-inspect call --help`/],
    [['list', '--protocol', '1', '--demo'], /choose from auto/],
    [['list', '--timeout', '0', '--demo'], /out of range/],
    [['list', '--timeout', '1e3', '--demo'], /out of range/],
    [['list', '--timeout=-1', '--demo'], /out of range/],
    [['list', '--timeout', '999999', '--demo'], /out of range/],
    [['list', 'https://h', '--server', 'x', '--config', 'f'], /both name the server/],
  ])('%j', (argv, sentence) => {
    expect(wrong(...argv)).toMatch(sentence);
  });
});

test('a URL may stand without its scheme where a URL may stand', () => {
  const on = (...argv: string[]) => parseRequest(findSubcommand(argv)!, () => false);
  for (const [argv, words] of [
    [['list', 'localhost:3911/mcp'], []],
    [['list', 'tools', '127.0.0.1:3911'], ['tools']],
    [['call', 'echo', '[::1]:3911/mcp'], ['echo']],
    [['doctor', '--', 'localhost:3911/mcp'], []],
  ] as const) {
    expect(on(...argv)).toMatchObject({ words, run: { target: { kind: 'url', url: `http://${argv.at(-1)}` } } });
  }
  expect(() => on('list', 'example.com/mcp')).toThrow('Did you mean https://example.com/mcp?');
});
