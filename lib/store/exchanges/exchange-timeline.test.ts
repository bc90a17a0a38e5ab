import { expect, test } from 'vitest';
import type { Log } from '../log';
import { answered, asked, got, happened, logOf, sent } from '../test-frames';
import { exchangeTimeline, requestOf } from './exchange-timeline';

const told = (log: Log, seq: number) =>
  exchangeTimeline(log, seq).parts.map(({ role, row, sure }) => `${role} ${row.seq}${sure ? '' : '?'}`);
const notification = (method: string, params = {}) => ({ jsonrpc: '2.0', method, params });

test('lists progress, server requests and notifications between request and response', () => {
  const log = logOf(
    asked(1, 'tools/call', { name: 'a', _meta: { progressToken: 7 } }),
    got(notification('notifications/progress', { progressToken: 7, progress: 1 })),
    got({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage' }),
    got(notification('notifications/message')),
    sent({ jsonrpc: '2.0', id: 1, result: {} }),
    answered(1, { content: [] }),
    got(notification('notifications/message')),
  );
  expect(told(log, 1)).toEqual(['request 1', 'progress 2', 'asked 3', 'notification 4', 'answered 5', 'response 6']);
  const { parts, tookUs } = exchangeTimeline(log, 1);
  expect(tookUs).toBe(5000);
  expect(parts.map(({ afterUs }) => afterUs)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
  expect(parts.map((part) => part.tookUs)).toEqual([undefined, undefined, undefined, undefined, 2000, 5000]);
});

test('does not assign a notification while another request is in flight', () => {
  const log = logOf(
    asked(1, 'tools/call'),
    asked(2, 'tools/call'),
    got(notification('notifications/message')),
    answered(2, {}),
    answered(1, {}),
  );
  expect(told(log, 1)).toEqual(['request 1', 'notification 3?', 'response 5']);
});

test('does not assign a notification while an earlier request is in flight', () => {
  const log = logOf(
    asked(1, 'tools/call', { name: 'slow' }),
    asked(2, 'tools/call', { name: 'quick' }),
    got(notification('notifications/message')),
    answered(2, {}),
    happened({ event: 'timeout', id: 1, method: 'tools/call', afterMs: 1 }),
    asked(3, 'tools/call'),
    got(notification('notifications/message')),
    answered(3, {}),
  );
  expect(told(log, 2)).toEqual(['request 2', 'notification 3?', 'response 4']);
  expect(told(log, 6)).toEqual(['request 6', 'notification 7', 'response 8']);
});

test('combines retries into one exchange', () => {
  const retry = happened({ event: 'retry', id: 1, method: 'tools/call', reason: 'input' });
  const log = logOf(
    asked(1, 'tools/call'),
    answered(1, { resultType: 'input_required' }),
    retry,
    asked(2, 'tools/call'),
    answered(2, { content: [] }),
    asked(3, 'tools/call'),
    answered(3, {}),
  );
  const all = ['request 1', 'response 2', 'again 3', 'request 4', 'response 5'];
  expect(told(log, 1)).toEqual(all);
  expect(told(log, 4)).toEqual(all);
  expect(told(log, 6)).toEqual(['request 6', 'response 7']);
});

test('reads an unanswered request to the end of the log', () => {
  const log = logOf(asked(1, 'tools/call'), got(notification('notifications/message')));
  expect(told(log, 1)).toEqual(['request 1', 'notification 2']);
  expect(exchangeTimeline(log, 1).tookUs).toBeUndefined();
});

test('finds the request of a frame', () => {
  const log = logOf(
    asked(1, 'tools/call', { _meta: { progressToken: 'p' } }),
    got(notification('notifications/progress', { progressToken: 'p', progress: 1 })),
    answered(1, {}),
    got(notification('notifications/message')),
    happened({ event: 'closed' }),
  );
  expect([0, 1, 2, 3, 4].map((index) => requestOf(log, log.row(index)))).toEqual([1, 1, 1, undefined, undefined]);
});

test('includes a second response', () => {
  const log = logOf(asked(1, 'tools/call', { name: 'a' }), answered(1, {}), asked(2, 'ping'), answered(1, {}));
  expect(told(log, 1)).toEqual(['request 1', 'response 2', 'second 4']);
  expect(requestOf(log, log.row(3))).toBe(1);
});
