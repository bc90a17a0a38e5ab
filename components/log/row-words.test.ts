import { describe, expect, test } from 'vitest';
import type { HttpRow, Row } from '@/lib/store/row';
import { directionWords, httpStatusWords, messageWords, rowTint, statusWords } from './row-words';

const tint = (kind: Row['kind'], status?: Row['status'], severity?: Row['severity']) =>
  rowTint({ kind, status, severity });

describe('messageWords', () => {
  test.each([
    [{ kind: 'request', method: 'tools/call', name: 'echo' }, 'tools/call', 'echo'],
    [{ kind: 'response', method: 'tools/call', name: 'echo' }, 'result', 'echo'],
    [{ kind: 'response', method: 'tools/list', name: undefined }, 'result', 'tools/list'],
    [{ kind: 'error', method: undefined, name: undefined }, 'error', 'answers no request'],
    [{ kind: 'response', method: undefined, name: undefined }, 'result', 'answers no request'],
    [{ kind: 'notification', method: 'notifications/message', name: 'info' }, 'notifications/message', 'info'],
    [
      { kind: 'notification', method: 'notifications/message', name: 'info', says: 'info db: slow' },
      'notifications/message',
      'info db: slow',
    ],
    [{ kind: 'junk', method: undefined, name: 'DEBUG loaded' }, 'not a message:', 'DEBUG loaded'],
    [{ kind: 'junk', method: undefined, name: '' }, 'not a message:', 'a blank line'],
    [{ kind: 'stderr', method: undefined, name: 'warning' }, 'stderr', 'warning'],
    [{ kind: 'lifecycle', method: undefined, name: 'exit code 1' }, 'exit code 1', undefined],
    [{ kind: 'batch', method: undefined, name: undefined }, 'batch', undefined],
    [
      { kind: 'error', method: 'server/discover', name: undefined, status: 'refused' },
      'refused',
      'legacy server: the probe was refused, as expected',
    ],
    [
      { kind: 'error', method: 'initialize', name: undefined, status: 'refused' },
      'refused',
      'no Streamable HTTP here: initialize was refused, as expected',
    ],
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

describe('HTTP', () => {
  const http = (facts: Partial<HttpRow>): HttpRow => ({
    kind: 'response',
    what: 'response',
    about: undefined,
    status: undefined,
    bad: undefined,
    bytes: undefined,
    over: false,
    expected: false,
    ...facts,
  });

  test('is not the colour of messages, and says what it is', () => {
    expect(directionWords({ kind: 'http', direction: 'to-server', severity: undefined })).toEqual({
      glyph: '→',
      words: 'HTTP, to server',
      colour: 'text-muted',
    });
    expect(directionWords({ kind: 'http', direction: 'to-client', severity: 'error' }).glyph).toBe('×');
  });

  test.each<[Partial<HttpRow>, string | undefined, string | undefined]>([
    [{ status: 200 }, '200', 'text-ok'],
    [{ status: 307 }, '307', 'text-muted'],
    [{ status: 404, bad: 'error' }, '404', 'text-error'],
    [{ status: 401, bad: 'warn' }, '401', 'text-warn'],
    [{ status: 405 }, '405', 'text-muted'],
    [{ kind: 'request' }, 'pending', 'text-muted'],
    [{ kind: 'request', over: true }, 'failed', 'text-error'],
    [{ kind: 'sse' }, undefined, undefined],
  ])('%j: status %s', (facts, words, colour) => {
    const status = httpStatusWords({ http: http(facts) });
    expect([status?.words, status?.colour]).toEqual([words, colour]);
  });

  test('a refusal that was expected says so', () => {
    const row = { kind: 'http', direction: 'to-client', method: undefined, name: undefined } as const;
    expect(messageWords({ ...row, http: http({ about: 'text/html', expected: true }) })).toEqual({
      what: 'response',
      about: 'text/html · refused, as expected',
    });
    expect(tint('error', 'refused')).toBe('');
  });
});
