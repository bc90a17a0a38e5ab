import { expect, test } from 'vitest';
import { Log } from '../log';
import { answered, asked, complained, framesOf, got, happened, logOf, sent } from '../test-frames';

const changed = (list: string) => got({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
const linesOf = (log: Log, seq: number) => log.foldOf(seq)?.lines;

test('equal notifications are one row, with different ones and stderr between them', () => {
  const log = logOf(changed('tools'), changed('prompts'), complained('x'), changed('tools'), changed('tools'));
  for (const seq of [1, 4, 5]) expect(linesOf(log, seq)).toEqual([1, 4, 5]);
  expect(linesOf(log, 2)).toBeUndefined();
  expect(log.row(0).equals).toEqual({ first: 1, count: 3 });
  expect(log.row(4).equals).toEqual({ first: 1, count: 3 });
  expect(log.state.folded).toBe(2);
});

test('a request, a response or an event of the connection ends the row', () => {
  for (const between of [
    asked(1, 'ping'),
    answered(1, {}),
    got('not JSON'),
    happened({ event: 'exit', code: 0, signal: null }),
  ]) {
    const log = logOf(changed('tools'), between, changed('tools'));
    expect(linesOf(log, 3)).toBeUndefined();
    expect(log.state.folded).toBe(0);
  }
});

test('only the same bytes in the same direction are equal', () => {
  const one = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
  const log = logOf(got(one), sent(one), got({ ...one, params: { progress: 2 } }), got(` ${JSON.stringify(one)}`));
  for (const seq of [1, 2, 3, 4]) expect(linesOf(log, seq)).toBeUndefined();
});

test('a row ends a second after its first notification', () => {
  const log = new Log('c1');
  const times = [0, 600_000, 1_000_000, 1_100_000, 2_000_000];
  log.append(framesOf(times.map(() => changed('tools'))).map((frame, at) => ({ ...frame, time: times[at]! })));
  expect(linesOf(log, 3)).toEqual([1, 2, 3]);
  expect(linesOf(log, 4)).toEqual([4, 5]);
});

test('is the same when the log arrives in portions', () => {
  const frames = framesOf([changed('tools'), changed('tools'), asked(1, 'ping'), changed('tools'), changed('tools')]);
  const log = new Log('c1');
  for (const frame of frames) log.append([frame]);
  expect([1, 2, 3, 4, 5].map((seq) => linesOf(log, seq))).toEqual([[1, 2], [1, 2], undefined, [4, 5], [4, 5]]);
});
