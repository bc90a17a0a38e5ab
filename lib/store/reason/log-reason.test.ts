import { expect, test } from 'vitest';
import { answered, asked, complained, got, happened, logOf } from '@/lib/store/test-frames';
import { reasonInLog } from './log-reason';

const SPAWNED = happened({ event: 'spawned', pid: 7 });
const HANDLED = complained('[crash] a failed: Error: cache miss, using the default');
const FIRST_CALL = [asked(1, 'tools/call', { name: 'a' }), HANDLED, answered(1, { content: [] })];
const SECOND_CALL = asked(2, 'tools/call', { name: 'b' });
const STACK = [
  'file:///srv/crash.js:6',
  "  setTimeout(() => { throw new RangeError('Invalid page size 0'); }, 10);",
  '                     ^',
  '',
  'RangeError: Invalid page size 0',
  '    at Timeout._onTimeout (file:///srv/crash.js:6:27)',
  '',
  'Node.js v20.19.4',
].map(complained);

test('an uncaught exception explains a crash, not an error of an earlier call', () => {
  expect(reasonInLog(logOf(SPAWNED, ...FIRST_CALL, SECOND_CALL, ...STACK))?.text).toBe(
    'RangeError: Invalid page size 0',
  );
});

test('a plain line after the last response beats an error before it', () => {
  const line = 'shutting down: config.yaml has no key "region"';
  expect(reasonInLog(logOf(SPAWNED, ...FIRST_CALL, SECOND_CALL, complained(line)))?.text).toBe(line);
});

test('a handled error during the last call does not hide the exception', () => {
  expect(reasonInLog(logOf(SPAWNED, SECOND_CALL, HANDLED, ...STACK))?.text).toBe('RangeError: Invalid page size 0');
});

test('earlier lines are quoted if none follow the last response', () => {
  expect(reasonInLog(logOf(SPAWNED, complained('low on memory'), ...FIRST_CALL))?.text).toBe(
    '[crash] a failed: Error: cache miss, using the default',
  );
});

test('lines of an earlier process are ignored', () => {
  expect(reasonInLog(logOf(SPAWNED, HANDLED, SPAWNED))).toBeUndefined();
});

test('the reason has the frame of its line, on stdout too', () => {
  const log = logOf(SPAWNED, complained('starting'), got('up'), got('Error: no port'), complained('bye'));
  expect(reasonInLog(log)).toMatchObject({ text: 'Error: no port', stream: 'stdout', seq: 4, isError: true });
});
