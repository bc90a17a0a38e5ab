import { expect, test } from 'vitest';
import { closedWords } from './closed-words';

test('each reason is told; one of a newer version, or none, is no error', () => {
  expect(closedWords('user')).toContain('You disconnected');
  expect(closedWords('no-viewer')).toContain('no page was open');
  expect(closedWords(undefined)).toBe('This connection has ended.');
  expect(closedWords('constructor' as 'user')).toBe('This connection has ended.');
});
