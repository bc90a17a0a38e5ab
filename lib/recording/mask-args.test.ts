import { expect, test } from 'vitest';
import { maskArgs } from './mask-args';

test.each([
  [
    ['server.js', '--api-key=abc', '--port=3'],
    ['server.js', '--api-key=•••', '--port=3'],
  ],
  [
    ['--token', 'abc', 'x'],
    ['--token', '•••', 'x'],
  ],
  [['-token=abc'], ['-token=•••']],
  [
    ['--token', '--verbose'],
    ['--token', '--verbose'],
  ],
  [
    ['--name', 'abc', 'token', 'x'],
    ['--name', 'abc', 'token', 'x'],
  ],
])('%j → %j', (args, masked) => expect(maskArgs(args)).toEqual(masked));
