import { describe, expect, test } from 'vitest';
import { Log } from '../log';
import { answered, asked, complained, type FrameSeed, framesOf, got, logOf } from '../test-frames';
import { LANES, TimelineBins } from './timeline-bins';

const note = got({ jsonrpc: '2.0', method: 'notifications/message', params: {} });

/** Counts by lane in equal time slots. */
function counted(log: Log, fromMs: number, toMs: number, slots: number) {
  const bins = new TimelineBins(log);
  bins.update();
  const counts = bins.counts(fromMs * 1000, toMs * 1000, slots);
  return Object.fromEntries(LANES.map((lane, at) => [lane, [...counts[at]!]]));
}

const sum = (numbers: readonly number[]) => Math.round(numbers.reduce((all, each) => all + each, 0));

test('counts frames by lane, and failures again as errors', () => {
  const log = logOf(
    asked(1, 'tools/call'),
    note,
    complained('a line'),
    got('no message'),
    answered(1, { isError: true }),
    got({ jsonrpc: '2.0', id: 9, error: { code: 1, message: 'no' } }),
  );
  expect(counted(log, 0, 8, 4)).toEqual({
    'to-server': [1, 0, 0, 0],
    'to-client': [0, 0, 2, 1],
    notifications: [0, 1, 0, 0],
    http: [0, 0, 0, 0],
    stderr: [0, 1, 0, 0],
    errors: [0, 0, 2, 1],
  });
  expect(counted(log, 2, 4, 2).notifications).toEqual([1, 0]);
});

describe('a long log', () => {
  const log = new Log('c1');
  const seeds: FrameSeed[] = Array.from({ length: 30_000 }, (_, at) => (at % 3 === 0 ? complained('x') : note));
  log.append(framesOf(seeds));

  test('is counted completely in bins', () => {
    const { notifications, stderr, errors } = counted(log, 0, 30_008, 100);
    expect([sum(notifications!), sum(stderr!), sum(errors!)]).toEqual([20_000, 10_000, 0]);
    expect(Math.max(...notifications!) - Math.min(...notifications!)).toBeLessThan(20);
  });

  test('is counted exactly in a short interval', () => {
    expect(counted(log, 15_000, 15_006, 6).stderr).toEqual([0, 1, 0, 0, 1, 0]);
  });

  test('is counted the same in any portions', () => {
    const growing = new Log('c1');
    const bins = new TimelineBins(growing);
    for (const frame of framesOf(seeds.slice(0, 9000))) {
      growing.append([frame]);
      if (frame.seq % 1000 === 0) bins.update();
    }
    expect(sum([...bins.counts(0, 9_001_000, 50)[4]!])).toBe(3000);
  });
});
