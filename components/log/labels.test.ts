import { describe, expect, test } from 'vitest';
import type { HttpRow, Row } from '@/lib/store/rows/row';
import type { TimeSpan, TimeSpanPart } from '@/lib/store/rows/time-span';
import { formatTime } from '@/lib/wire/format';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { directionLabel, rowStatus, rowStatusLabel, rowTint, spanLabel } from './labels';
import { lifecycleSentence } from './lifecycle-sentences';

const tint = (kind: Row['kind'], status?: Row['status'], severity?: Row['severity']) =>
  rowTint({ kind, status, severity });

test('gives every direction a glyph and words', () => {
  const words = (kind: Row['kind'], direction: Row['direction'], severity?: Row['severity']) =>
    directionLabel({ kind, direction, severity });
  expect(words('request', 'to-server')).toMatchObject({ glyph: '→', words: 'to server' });
  expect(words('response', 'to-client')).toMatchObject({ glyph: '←', words: 'to client' });
  expect(words('junk', 'to-client')).toMatchObject({ glyph: '!', words: 'not a message' });
  expect(words('junk', 'to-server').glyph).toBe('→');
  expect(words('lifecycle', 'to-client', 'error')).toMatchObject({ glyph: '×', words: 'connection, error' });
});

test('names the two sides of messages of apps', () => {
  const words = (direction: Row['direction']) =>
    directionLabel({ kind: 'other', direction, severity: undefined, channel: 'app' }).words;
  expect([words('to-server'), words('to-client')]).toEqual(['app → host', 'host → app']);
});

test('labels isError and protocol errors differently and tints both', () => {
  expect(rowStatusLabel('tool-error').words).not.toBe(rowStatusLabel('error').words);
  expect(tint('response', 'tool-error')).toBe(tint('error', 'error'));
  expect(tint('response', 'ok')).toBe('');
});

test('tints a connection failure as an error and a requested exit as a warning', () => {
  expect(tint('lifecycle', undefined, 'error')).toBe(tint('error', 'error'));
  expect(tint('junk')).toBe(tint('error', 'error'));
  expect(tint('lifecycle', undefined, 'warn')).toBe(tint('request', 'cancelled'));
  expect(tint('lifecycle')).not.toBe(tint('lifecycle', undefined, 'warn'));
  expect(tint('stderr')).toBe('');
});

test('tints a successful response with a problem of severity error', () => {
  const ok = { kind: 'response', status: 'ok', severity: undefined } as const;
  expect(rowTint(ok, 'error')).toMatch(/error/);
  expect(rowTint({ ...ok, kind: 'error', status: 'error' }, 'error')).toBe(tint('error', 'error'));
  expect([rowTint(ok, 'warning'), rowTint(ok, 'info'), rowTint(ok)]).toEqual(['', '', '']);
});

test('shows "unmatched" instead of "in flight" for a request whose response can’t be matched', () => {
  const row = { status: 'pending', refusedWith: undefined, http: undefined } as const;
  expect(rowStatus({ ...row, unmatched: 7 })).toEqual({ words: 'unmatched', colour: 'text-warn' });
  expect(rowStatus({ ...row, unmatched: undefined })?.words).toBe('in flight');
  expect(rowStatus({ ...row, status: 'timeout', unmatched: 7 })?.words).toBe('timed out');
});

test('a subscription has no colour while it is open, and none when the client ends it', () => {
  const row = { method: 'subscriptions/listen', kind: 'request', severity: undefined, http: undefined } as const;
  const rest = { unmatched: undefined, refusedWith: undefined };
  for (const status of ['pending', 'cancelled'] as const) {
    expect(rowStatus({ ...row, ...rest, status })?.colour).toBe('text-muted');
    expect(rowTint({ ...row, status })).toBe('');
  }
  expect(rowStatus({ ...row, ...rest, status: 'lost' })?.colour).toBe('text-error');
  expect(rowTint({ ...row, status: 'lost' })).not.toBe('');
});

describe('HTTP', () => {
  const http = (facts: Partial<HttpRow>): HttpRow => ({
    kind: 'response',
    what: 'response',
    about: undefined,
    status: undefined,
    severity: undefined,
    bytes: undefined,
    ended: false,
    expectedRefusal: false,
    ...facts,
  });

  test('has its own colour and words', () => {
    expect(directionLabel({ kind: 'http', direction: 'to-server', severity: undefined })).toEqual({
      glyph: '→',
      words: 'HTTP, to server',
      colour: 'text-muted',
    });
    expect(directionLabel({ kind: 'http', direction: 'to-client', severity: 'error' }).glyph).toBe('×');
  });

  test.each<[Partial<HttpRow>, string | undefined, string | undefined]>([
    [{ status: 200 }, '200', 'text-muted'],
    [{ status: 307 }, '307', 'text-muted'],
    [{ status: 404, severity: 'error' }, '404', 'text-error'],
    [{ status: 401, severity: 'warn' }, '401', 'text-warn'],
    [{ status: 405 }, '405', 'text-muted'],
    [{ kind: 'request' }, 'in flight', 'text-accent'],
    [{ kind: 'request', ended: true }, 'failed', 'text-error'],
    [{ kind: 'sse' }, undefined, undefined],
  ])('%j: status %s', (facts, words, colour) => {
    const status = rowStatus({ status: undefined, refusedWith: undefined, http: http(facts), unmatched: undefined });
    expect([status?.words, status?.colour]).toEqual([words, colour]);
  });

  test('does not tint an expected refusal', () => {
    expect(tint('error', 'refused')).toBe('');
  });
});

const part = (from: number, to: number | undefined, status: TimeSpanPart['status']): TimeSpanPart => ({
  from,
  to,
  status,
});
const none: TimeSpan = { whole: undefined, parts: [], asked: [], ticks: [], at: undefined };

test.each<[Partial<TimeSpan>, string]>([
  [{}, ''],
  [{ at: 5000 }, 'at +0.005 s'],
  [{ at: 5000, whole: { from: 1000, to: 5000 } }, 'end of 4.0 ms from +0.001 s'],
  [{ at: 3000, whole: { from: 1000, to: 5000 } }, 'at +0.003 s'],
  [{ parts: [part(1000, 3000, 'ok')] }, '2.0 ms from +0.001 s, ok'],
  [{ parts: [part(1000, undefined, 'pending')], ticks: [1, 2] }, 'in flight since +0.001 s, notifications: 2'],
  [
    { whole: { from: 0, to: 9000 }, parts: [part(0, 1000, 'ok'), part(8000, 9000, 'ok')], asked: [part(1, 2, 'ok')] },
    '9.0 ms from +0.000 s, ok, 2 requests, requests from the server: 1',
  ],
])('labels the span %j', (span, words) => {
  expect(spanLabel({ ...none, ...span }, formatTime)).toBe(words);
});

test.each([
  [{ event: 'exit', code: 1, signal: null }, 'The server exited with code 1.'],
  [{ event: 'exit', code: null, signal: 'SIGKILL' }, 'The server was ended by SIGKILL.'],
  [{ event: 'rung', rung: 'SIGTERM' }, 'mcp-inspect sent SIGTERM.'],
  [{ event: 'closing', reason: 'user' }, 'Closing the connection: you disconnected.'],
  [{ event: 'timeout', id: '7', method: 'ping', afterMs: 500 }, 'No response to ping (id "7") within 500 ms.'],
  [{ event: 'input', id: 7, method: 'tools/call', phase: 'given', key: 'a' }, '"a" was answered (tools/call, id 7).'],
  [
    { event: 'roots', roots: [{ uri: 'file:///a' }, { uri: 'file:///b' }] },
    'mcp-inspect offers the server 2 roots: file:///a, file:///b',
  ],
  [
    { event: 'session-lost', reason: 'The server answered a POST in this session with HTTP 404.' },
    'The server answered a POST in this session with HTTP 404. The server has lost the session, so mcp-inspect opens a new one.',
  ],
  [{ event: 'session-lost' }, 'The server has lost the session, so mcp-inspect opens a new one.'],
  [{ event: 'reachable', attempts: 1 }, 'The server is reachable again after 1 attempt.'],
  [{ event: 'missing', frames: 1 }, '1 frame is missing here.'],
  [{ event: 'missing', frames: 1, lines: 1, line: 14 }, 'Line 14 is damaged. 1 frame is missing here.'],
  [
    { event: 'missing', frames: 3000, lines: 2, line: 14 },
    '2 lines from line 14 on are damaged. 3,000 frames are missing here.',
  ],
  [
    { event: 'missing', frames: 1e9, folded: true },
    '1,000,000,000 frames are missing here. From here on, frame numbers are lower than in the file.',
  ],
  [{ event: 'missing' }, 'This frame is missing too.'],
] as [LifecycleEvent, string][])('describes %j', (event, words) => expect(lifecycleSentence(event)).toBe(words));

test('survives malformed roots', () => {
  const odd = (roots: unknown) => lifecycleSentence({ event: 'roots', roots } as LifecycleEvent);
  expect([odd(undefined), odd([null, { uri: 7 }])]).toEqual(Array(2).fill('mcp-inspect offers the server no roots.'));
});

test('returns undefined for an event of a later version', () => {
  expect(lifecycleSentence({ event: 'constructor' } as unknown as LifecycleEvent)).toBeUndefined();
});
