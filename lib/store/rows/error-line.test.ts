import { describe, expect, test } from 'vitest';
import { crashLine, errorLine, stderrDigest } from './error-line';

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place);
const itself = (text: string) => text;

test('shows up to 60 lines in full', () => {
  expect(stderrDigest(numbers(60))).toEqual({ head: numbers(60), left: 0, tail: [] });
});

test('shows the first 20 and the last 40 lines of a longer output', () => {
  const { head, left, tail } = stderrDigest(numbers(100));
  expect(head).toEqual(numbers(20));
  expect(left).toBe(40);
  expect(tail).toEqual(numbers(100).slice(60));
});

describe('crashLine', () => {
  test('finds the error above the end of the output', () => {
    expect(crashLine(['up', 'Error: no ship', '    at run (a.js:1)', '', 'Node.js v22'], itself)).toBe(
      'Error: no ship',
    );
  });

  test('returns the last line if none names an error', () => {
    expect(crashLine(['listening', '  mind the edge ', ''], itself)).toBe('mind the edge');
    expect(crashLine([], itself)).toBe('');
  });

  test('prefers the error nearest to the end', () => {
    expect(crashLine(['Error: retried', 'FATAL: gave up: no database'], itself)).toBe('FATAL: gave up: no database');
  });

  test('prefers an error with a stack, and not its cause', () => {
    const lines = [
      'Error: handled',
      'TypeError: fetch failed',
      '    at node:internal/deps/undici',
      '  [cause]: Error: connect ECONNREFUSED 127.0.0.1:5432',
      '      at TCPConnectWrap.afterConnect',
      '}',
      '',
      'Node.js v22.1.0',
      'error: script "start" exited with code 1',
    ];
    expect(crashLine(lines, itself)).toBe('TypeError: fetch failed');
  });

  test('ignores the version that Node prints at the end', () => {
    expect(crashLine(['no region', '', 'Node.js v22.1.0'], itself)).toBe('no region');
  });

  test('finds an error with a long list, a long stack and a printed object below it', () => {
    const many = (text: string) => numbers(20).map((at) => `${text} ${at}`);
    const lines = [
      '  err = new Error(',
      '  ^',
      '',
      'Error: Could not locate the bindings file. Tried:',
      ...many(' → /srv/build'),
      ...many('    at bindings'),
      '  tries: [',
      ...many('    /srv/build'),
      '  ]',
      '}',
      '',
      'Node.js v22.1.0',
    ];
    expect(crashLine(lines, itself)).toBe('Error: Could not locate the bindings file. Tried:');
  });

  test('never returns brackets', () => {
    expect(crashLine(['no region', '{', '  [', '});'], itself)).toBe('no region');
  });

  test('ignores old errors', () => {
    expect(crashLine(['Error: an old one', ...numbers(40).map(String)], itself)).toBe('39');
  });
});

describe('errorLine', () => {
  test('finds the line above the stack and trims it', () => {
    const stack = Array.from({ length: 80 }, (_, place) => `    at Module._compile (node:internal:${place})`);
    const lines = [
      '/srv/bindings.js:126',
      '  err = new Error(',
      '  Error: Could not locate the bindings file',
      ...stack,
    ];
    expect(errorLine(lines, itself)).toBe('Error: Could not locate the bindings file');
  });

  test.each([
    'TypeError: x is not a function',
    'Error [ERR_MODULE_NOT_FOUND]: Cannot find package',
    'ModuleNotFoundError: No module named mcp',
    'java.lang.IllegalStateException: no port',
    'error: unrecognized flag',
    'error[E0425]: cannot find value',
    'panic: runtime error',
    '2026-01-01 FATAL: no database',
  ])('finds %j', (line) => {
    expect(errorLine(['starting', line], itself)).toBe(line);
  });

  test.each(['throw new Error(message);', '0 errors', 'no error', 'onError: ', 'listening'])('ignores %j', (line) => {
    expect(errorLine([line], itself)).toBeUndefined();
  });

  test('is fast on a hostile line of one long word', () => {
    const began = performance.now();
    expect(errorLine(['a.'.repeat(100_000), 'a'.repeat(100_000)], itself)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
