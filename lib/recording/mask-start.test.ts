import { expect, test } from 'vitest';
import { maskStart, secretFlagValues } from './mask-start';

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
])('%j → %j', (args, masked) => {
  const start = (words: string[]) =>
    JSON.stringify({ event: 'start', transport: 'stdio', command: 'node', args: words });
  expect(maskStart(start(args))).toBe(start(masked));
});

test('other events stay as they are', () => {
  expect(maskStart('{"event":"open" , "version":"1"}')).toBe('{"event":"open" , "version":"1"}');
});

test('what is taken out is known by value', () => {
  expect(secretFlagValues(['server.js', '--api-key=abc', '--port=3', '--token', 'def'])).toEqual(['abc', 'def']);
});
