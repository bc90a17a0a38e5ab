import { expect, test } from 'vitest';
import type { ConnectionSummary } from '@/lib/wire/command';
import { endedRuns } from './connection-list';
import { closedReason } from './labels';

const connection = (id: string, name: string): ConnectionSummary => ({
  id,
  name,
  transport: 'stdio',
  title: name,
  state: 'open',
  startedAt: '2026-01-01T00:00:00Z',
});

const RUNS: readonly ConnectionSummary[] = [
  { ...connection('c1', 'index.js'), state: 'failed' },
  { ...connection('c2', 'index.js'), serverName: 'everything', state: 'closed' },
  { ...connection('c3', 'index.js'), serverName: 'everything', state: 'closed', entry: 'c1', run: 2 },
  { ...connection('c4', 'index.js'), entry: 'c1', run: 3 },
];

test('removes only entries whose newest run has ended, with all their runs', () => {
  expect(endedRuns(RUNS)).toEqual(['c2']);
  const stopped = RUNS.map((run) => (run.id === 'c4' ? { ...run, state: 'closed' as const } : run));
  expect(endedRuns(stopped)).toEqual(['c4', 'c3', 'c1', 'c2']);
  const recording = { ...RUNS[1]!, recording: { file: 'a', by: '' } };
  expect(endedRuns([recording])).toEqual([]);
});

test('explains each reason, and accepts an unknown or missing one', () => {
  expect(closedReason('user')).toContain('You disconnected');
  expect(closedReason('no-viewer')).toContain('no tab was open');
  expect(closedReason(undefined)).toBe('This connection has ended.');
  expect(closedReason('constructor' as 'user')).toBe('This connection has ended.');
});
