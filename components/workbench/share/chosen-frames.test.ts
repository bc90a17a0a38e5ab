import { expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { asked, framesOf } from '@/lib/store/test-frames';
import { ALL_FRAMES, framesAround, framesInTimeRange, selectionOf } from './chosen-frames';

const log = new Log('c1');
log.append(
  framesOf(Array.from({ length: 100 }, (_, id) => asked(id, 'ping'))).map((frame) => ({
    ...frame,
    time: frame.seq * 100_000,
  })),
);

test.each([
  [ALL_FRAMES, { without: [] }],
  [{ ...ALL_FRAMES, without: ['stderr'] }, { without: ['stderr'] }],
  [
    { ...ALL_FRAMES, range: 'part', from: '5', to: '7' },
    { from: 5, to: 7, without: [] },
  ],
  [{ ...ALL_FRAMES, range: 'part', from: '', to: 'x' }, { without: [] }],
  [
    { ...ALL_FRAMES, range: 'part', from: '0', to: '1000' },
    { to: 100, without: [] },
  ],
] as const)('%j', (chosen, selection) => {
  expect(selectionOf(log, chosen)).toEqual(selection);
});

test('returns the frames near a message, within the log', () => {
  expect(framesAround(log, 50)).toEqual({ from: '30', to: '70' });
  expect(framesAround(log, 1)).toEqual({ from: '1', to: '21' });
});

test('returns the frames of the timeline’s range', () => {
  expect(framesInTimeRange(log, 'ping time:1s..2s')).toEqual({ from: '10', to: '20' });
  expect(framesInTimeRange(log, 'time:..0.55s')).toEqual({ from: '1', to: '5' });
  expect(framesInTimeRange(log, 'time:9.95s..')).toEqual({ from: '100', to: '100' });
  expect(framesInTimeRange(log, 'time:50s..60s')).toBeUndefined();
  expect(framesInTimeRange(log, 'ping')).toBeUndefined();
});
