import { describe, expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { errorLine, stderrDigest } from './error-line';

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
    const began = cpuMs();
    expect(errorLine(['a.'.repeat(100_000), 'a'.repeat(100_000)], itself)).toBeUndefined();
    expect(cpuMs() - began).toBeLessThan(2000);
  });
});
