import { expect, test } from 'vitest';
import { RUNS } from '@/components/exchange/test-runs';
import { endedRuns } from './connection-list';
import { closedReason } from './labels';

test('removes only entries whose newest run has ended, with all their runs', () => {
  expect(endedRuns(RUNS)).toEqual(['c2']);
  const stopped = RUNS.map((run) => (run.id === 'c4' ? { ...run, state: 'closed' as const } : run));
  expect(endedRuns(stopped)).toEqual(['c4', 'c3', 'c1', 'c2']);
  const recording = { ...RUNS[1]!, recording: { file: 'a', by: '' } };
  expect(endedRuns([recording])).toEqual([]);
});

test('explains each reason, and accepts an unknown or missing one', () => {
  expect(closedReason('user')).toContain('You disconnected');
  expect(closedReason('no-viewer')).toBe(
    'Stopped: no tab was connected for a while. --page linger=SECONDS keeps servers longer.',
  );
  expect(closedReason(undefined)).toBe('This connection has ended.');
  expect(closedReason('constructor' as 'user')).toBe('This connection has ended.');
});
