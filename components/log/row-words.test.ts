import { describe, expect, test } from 'vitest';
import { directionWords, messageWords, rowTint, statusWords } from './row-words';

describe('messageWords', () => {
  test.each([
    [{ kind: 'request', method: 'tools/call', name: 'echo' }, 'tools/call', 'echo'],
    [{ kind: 'response', method: 'tools/call', name: 'echo' }, 'result', 'echo'],
    [{ kind: 'response', method: 'tools/list', name: undefined }, 'result', 'tools/list'],
    [{ kind: 'error', method: undefined, name: undefined }, 'error', undefined],
    [{ kind: 'notification', method: 'notifications/message', name: 'info' }, 'notifications/message', 'info'],
    [{ kind: 'junk', method: undefined, name: 'DEBUG loaded' }, 'stdout is not a message:', 'DEBUG loaded'],
    [{ kind: 'stderr', method: undefined, name: 'warning' }, 'stderr', 'warning'],
    [{ kind: 'lifecycle', method: undefined, name: 'exit code 1' }, 'exit code 1', undefined],
    [{ kind: 'batch', method: undefined, name: undefined }, 'batch', undefined],
  ] as const)('%j', (row, what, about) => {
    expect(messageWords({ direction: 'to-client', ...row })).toEqual({ what, about });
  });

  test('what we sent ourselves is not blamed on stdout', () => {
    expect(messageWords({ kind: 'junk', direction: 'to-server', method: undefined, name: '{' }).what).toBe(
      'not a message:',
    );
  });
});

test('every direction has words besides its glyph', () => {
  expect(directionWords('request', 'to-server')).toMatchObject({ glyph: '→', words: 'to server' });
  expect(directionWords('response', 'to-client')).toMatchObject({ glyph: '←', words: 'to client' });
  expect(directionWords('junk', 'to-client')).toMatchObject({ glyph: '!', words: 'not a message' });
  expect(directionWords('junk', 'to-server').glyph).toBe('→');
});

test('a tool that says isError is told apart from a protocol error, both are tinted', () => {
  expect(statusWords('tool-error').words).not.toBe(statusWords('error').words);
  expect(rowTint('response', 'tool-error')).toBe(rowTint('error', 'error'));
  expect(rowTint('response', 'ok')).toBe('');
});
