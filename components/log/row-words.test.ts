import { describe, expect, test } from 'vitest';
import type { HttpRow, Row } from '@/lib/store/row';
import { directionWords, rowStatus, rowTint, statusWords } from './row-words';

const tint = (kind: Row['kind'], status?: Row['status'], severity?: Row['severity']) =>
  rowTint({ kind, status, severity });

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

test('what is ok but for an error that the rules found is tinted, and no more than a failure', () => {
  const ok = { kind: 'response', status: 'ok', severity: undefined } as const;
  expect(rowTint(ok, 'error')).toMatch(/error/);
  expect(rowTint({ ...ok, kind: 'error', status: 'error' }, 'error')).toBe(tint('error', 'error'));
  expect([rowTint(ok, 'warning'), rowTint(ok, 'info'), rowTint(ok)]).toEqual(['', '', '']);
});

test('a request whose answer can’t be matched shows “unmatched”, not “pending”', () => {
  const row = { status: 'pending', http: undefined } as const;
  expect(rowStatus({ ...row, unmatched: 7 })).toEqual({ words: 'unmatched', colour: 'text-warn' });
  expect(rowStatus({ ...row, unmatched: undefined })?.words).toBe('pending');
  expect(rowStatus({ ...row, status: 'timeout', unmatched: 7 })?.words).toBe('timeout');
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
    const status = rowStatus({ status: undefined, http: http(facts), unmatched: undefined });
    expect([status?.words, status?.colour]).toEqual([words, colour]);
  });

  test('a refusal that was expected has no tint', () => {
    expect(tint('error', 'refused')).toBe('');
  });
});
