import type { ConnectionSummary } from '@/lib/wire/command';

export const connection = (id: string, name: string): ConnectionSummary => ({
  id,
  name,
  transport: 'stdio',
  title: name,
  state: 'open',
  startedAt: '2026-01-01T00:00:00Z',
});

/** Runs of two entries: three of the first, one of the second. */
export const RUNS: readonly ConnectionSummary[] = [
  { ...connection('c1', 'index.js'), state: 'failed' },
  { ...connection('c2', 'index.js'), serverName: 'everything', state: 'closed' },
  { ...connection('c3', 'index.js'), serverName: 'everything', state: 'closed', entry: 'c1', run: 2 },
  { ...connection('c4', 'index.js'), entry: 'c1', run: 3 },
];
