import { expect, test } from 'vitest';
import { isAlone } from '@/lib/store/exchanges/exchange-timeline';
import { answered, asked, complained, got, logOf } from '@/lib/store/test-frames';
import { endOfOutput, outputBetween } from './output';

test('finds the lines on stderr and the lines on stdout that are not MCP, only those during the call', () => {
  const log = logOf(
    complained('before'),
    asked(1, 'tools/call', { name: 'list' }),
    got('DEBUG: querying'),
    complained('one'),
    complained('two'),
    answered(1, { content: [] }),
    complained('after'),
  );
  expect(outputBetween(log, 2, 6)).toEqual({ stderr: [4, 5], stdout: [3] });
});

test('a line that comes just after the response is still about the call, until the next request', () => {
  const call = [asked(1, 'tools/call', { name: 'list' }), answered(1, { content: [] })];
  const late = Array.from({ length: 120 }, (_, at) => complained(`line ${at}`));
  // A frame is a millisecond after the one before.
  const log = logOf(...call, ...late);
  expect(outputBetween(log, 1, endOfOutput(log, 2)).stderr).toHaveLength(100);
  const next = logOf(...call, complained('late'), asked(2, 'tools/call', { name: 'list' }), complained('of the next'));
  expect(outputBetween(next, 1, endOfOutput(next, 2)).stderr).toEqual([3]);
  expect(endOfOutput(logOf(...call), 2)).toBe(3);
});

test.each([
  ['no other request is sent', [], [], true],
  ['another call is sent meanwhile', [], [asked(2, 'tools/call', { name: 'b' })], false],
  ['another call has not ended', [asked(2, 'tools/call', { name: 'b' })], [], false],
  ['another call has ended', [asked(2, 'tools/call', { name: 'b' }), answered(2, {})], [], true],
  ['a ping is sent meanwhile', [], [asked(2, 'ping')], true],
])('lines are about a call if %s: %s %s %s', (_, before, during, alone) => {
  const log = logOf(...before, asked(1, 'tools/call', { name: 'a' }), ...during, complained('oh'), answered(1, {}));
  const request = log.exchange(before.length + 1)!;
  expect(isAlone(log, log.row(before.length), request.responseSeq! - 1)).toBe(alone);
});
