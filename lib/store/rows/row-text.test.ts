import { describe, expect, test } from 'vitest';
import type { HttpRow } from './row';
import { rowLabel, rowText, statusText } from './row-text';

const HTTP: HttpRow = {
  kind: 'response',
  what: 'response',
  about: undefined,
  status: undefined,
  severity: undefined,
  bytes: undefined,
  ended: false,
  expectedRefusal: false,
};

describe('rowLabel', () => {
  test.each([
    [{ kind: 'request', method: 'tools/call', name: 'echo' }, 'tools/call', 'echo'],
    [{ kind: 'response', method: 'tools/call', name: 'echo' }, 'result', 'echo'],
    [{ kind: 'response', method: 'tools/list', name: undefined }, 'result', 'tools/list'],
    [{ kind: 'error', method: undefined, name: undefined, id: 7 }, 'error', 'no matching request'],
    [{ kind: 'response', method: undefined, name: undefined, id: '7' }, 'result', 'no matching request'],
    [{ kind: 'error', method: undefined, name: undefined, id: null }, 'error', 'without an id'],
    [
      { kind: 'response', method: 'tools/call', name: 'echo', peer: 67, isSecondAnswer: true },
      'result',
      'echo · second response to #67',
    ],
    [{ kind: 'notification', method: 'notifications/message', name: 'info' }, 'notifications/message', 'info'],
    [{ kind: 'junk', method: undefined, name: 'DEBUG loaded' }, 'not a message:', 'DEBUG loaded'],
    [{ kind: 'junk', method: undefined, name: '' }, 'not a message:', 'a blank line'],
    [{ kind: 'stderr', method: undefined, name: 'warning' }, 'stderr', 'warning'],
    [{ kind: 'lifecycle', method: undefined, name: 'exit code 1' }, 'exit code 1', undefined],
    [{ kind: 'batch', method: undefined, name: undefined }, 'batch', undefined],
    [
      { kind: 'error', method: 'server/discover', name: undefined, status: 'refused' },
      'refused',
      'no server/discover (legacy server)',
    ],
    [
      { kind: 'other', channel: 'app', direction: 'to-server', method: undefined, name: 'tools/call get' },
      'app → host',
      'tools/call get',
    ],
    [
      { kind: 'other', channel: 'app', direction: 'to-client', method: undefined, name: 'result of request 3' },
      'host → app',
      'result of request 3',
    ],
    // The name is that of the client.
    [{ kind: 'response', method: 'initialize', name: 'us' }, 'result', 'initialize'],
    [
      { kind: 'error', method: 'initialize', name: undefined, status: 'refused' },
      'refused',
      'initialize was refused, as expected',
    ],
  ] as const)('%j', (row, what, about) => {
    expect(rowLabel(row)).toEqual({ what, about });
  });
});

test('labels an expected refusal', () => {
  const row = { kind: 'http', method: undefined, name: undefined } as const;
  expect(rowLabel({ ...row, http: { ...HTTP, about: 'text/html', expectedRefusal: true } })).toEqual({
    what: 'response',
    about: 'text/html · refused, as expected',
  });
});

test.each([
  [{ kind: 'request', status: 'pending' }, 'in flight'],
  [{ kind: 'request', status: 'lost' }, 'no response'],
  [{ kind: 'request', status: 'ok', peer: 2 }, ''],
  [{ kind: 'request', status: 'error', peer: 2 }, ''],
  // A late response does not change the outcome.
  [{ kind: 'request', status: 'timeout', peer: 2 }, 'timed out'],
  [{ kind: 'response', status: 'ok', peer: 1 }, 'ok'],
  [{ kind: 'http', http: { ...HTTP, kind: 'request', status: 200 } }, ''],
  [{ kind: 'http', http: { ...HTTP, kind: 'response', status: 200 } }, '200'],
] as const)('the outcome is in one row of an exchange: %j shows %j', (facts, words) => {
  const row = { method: undefined, name: undefined, ...facts };
  expect(rowText(row)).toBe([...Object.values(rowLabel(row)), words].filter(Boolean).join(' '));
});

test('rowText has the label and the status', () => {
  const row = { method: undefined, name: undefined };
  expect(rowText({ ...row, kind: 'request', method: 'ping', status: 'lost' })).toBe('ping no response');
  expect(rowText({ ...row, kind: 'request', method: 'ping', status: 'lost', refusedWith: 404 })).toBe(
    'ping no response HTTP 404',
  );
  expect(statusText({ status: 'lost', refusedWith: 404 })).toBe('HTTP 404');
  expect(rowText({ ...row, kind: 'junk', name: 'x' })).toBe('not a message: x');
  expect(statusText({ status: undefined, http: { ...HTTP, kind: 'request', ended: true } })).toBe('failed');
  expect(statusText({ status: undefined, http: { ...HTTP, kind: 'sse' } })).toBeUndefined();
});
