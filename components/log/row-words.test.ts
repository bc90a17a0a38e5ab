import { describe, expect, test } from 'vitest';
import type { Row } from '@/lib/store/row';
import { directionWords, messageWords, rowTint, statusWords } from './row-words';

const tint = (kind: Row['kind'], status?: Row['status'], severity?: Row['severity']) =>
  rowTint({ kind, status, severity });

describe('messageWords', () => {
  test.each([
    [{ kind: 'request', method: 'tools/call', name: 'echo' }, 'tools/call', 'echo'],
    [{ kind: 'response', method: 'tools/call', name: 'echo' }, 'result', 'echo'],
    [{ kind: 'response', method: 'tools/list', name: undefined }, 'result', 'tools/list'],
    [{ kind: 'error', method: undefined, name: undefined }, 'error', undefined],
    [{ kind: 'notification', method: 'notifications/message', name: 'info' }, 'notifications/message', 'info'],
    [{ kind: 'junk', method: undefined, name: 'DEBUG loaded' }, 'not a message:', 'DEBUG loaded'],
    [{ kind: 'junk', method: undefined, name: '' }, 'not a message:', 'a blank line'],
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
  const words = (kind: Row['kind'], direction: Row['direction'], severity?: Row['severity']) =>
    directionWords({ kind, direction, severity });
  expect(words('request', 'to-server')).toMatchObject({ glyph: '→', words: 'to server' });
  expect(words('response', 'to-client')).toMatchObject({ glyph: '←', words: 'to client' });
  expect(words('junk', 'to-client')).toMatchObject({ glyph: '!', words: 'not a message' });
  expect(words('junk', 'to-server').glyph).toBe('→');
  expect(words('lifecycle', 'to-client', 'error')).toMatchObject({ glyph: '×', words: 'connection, error' });
});

test('a tool that says isError is told apart from a protocol error, both are tinted', () => {
  expect(statusWords('tool-error').words).not.toBe(statusWords('error').words);
  expect(tint('response', 'tool-error')).toBe(tint('error', 'error'));
  expect(tint('response', 'ok')).toBe('');
});

test('a failure of the connection is tinted like other errors, an exit that was asked for as a warning', () => {
  expect(tint('lifecycle', undefined, 'error')).toBe(tint('error', 'error'));
  expect(tint('junk')).toBe(tint('error', 'error'));
  expect(tint('lifecycle', undefined, 'warn')).toBe(tint('request', 'cancelled'));
  expect(tint('lifecycle')).not.toBe(tint('lifecycle', undefined, 'warn'));
  expect(tint('stderr')).toBe('');
});
