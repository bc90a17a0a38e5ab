import { expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { errorPlace } from './error-place';

test.each<[string, string, string | undefined]>([
  [
    'Node, syntax',
    'file:///home/me/my%20app/server.mjs:14\n  foo(\n\nSyntaxError: missing )',
    '/home/me/my app/server.mjs:14',
  ],
  [
    'Node, exception',
    'node:internal/modules/run_main:123\n    triggerUncaughtException(\nError: no config\n    at Object.<anonymous> (/app/node_modules/x/i.js:1:2)\n    at start (file:///app/server.js:33:9)',
    '/app/server.js:33',
  ],
  ['tsx', '/app/src/server.ts:3:10: ERROR: Expected ";" but found "x"', '/app/src/server.ts:3'],
  ['tsc', 'src/server.ts(14,5): error TS2304: Cannot find name "x".', 'src/server.ts:14'],
  ['tsc, pretty', 'src/server.ts:14:5 - error TS2304: Cannot find name', 'src/server.ts:14'],
  [
    'Python',
    'Traceback (most recent call last):\n  File "/app/server.py", line 3, in <module>\n    import notes\n  File "/app/notes.py", line 7\n    def x(\nSyntaxError: invalid',
    '/app/notes.py:7',
  ],
  ['Go', '# notes\n./main.go:12:5: undefined: x', './main.go:12'],
  ['Rust', 'error[E0425]: cannot find value\n  --> src/main.rs:3:5', 'src/main.rs:3'],
  ['nothing', 'no configuration found at 12:30:14', undefined],
  ['a URL', 'Listening on http://127.0.0.1:8000/', undefined],
])('finds the place in the output of %s', (_name, output, place) => {
  expect(errorPlace(output.split('\n'))).toBe(place);
});

test('attack: reads a long line in bounded time', () => {
  const from = cpuMs();
  errorPlace(Array.from({ length: 1000 }, () => `at ${'('.repeat(50_000)}`));
  errorPlace(Array.from({ length: 1000 }, () => `${'a'.repeat(50_000)}:`));
  expect(cpuMs() - from).toBeLessThan(2000);
});
