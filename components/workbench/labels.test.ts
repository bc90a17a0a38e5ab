import { expect, test } from 'vitest';
import type { ConnectionSummary } from '@/lib/wire/command';
import { closedReason, connectionLabels } from './labels';

const connection = (id: string, name: string): ConnectionSummary => ({
  id,
  name,
  transport: 'stdio',
  title: name,
  state: 'open',
  startedAt: '2026-01-01T00:00:00Z',
});

test('numbers connections with the same name', () => {
  const list = [connection('c1', 'a.js'), connection('c2', 'b.js'), connection('c4', 'a.js'), connection('c7', 'a.js')];
  expect([...connectionLabels(list)]).toEqual([
    ['c1', 'a.js'],
    ['c2', 'b.js'],
    ['c4', 'a.js (2)'],
    ['c7', 'a.js (3)'],
  ]);
});

test('numbers names that look the same', () => {
  const [one, other] = connectionLabels([connection('c1', 'a'), connection('c2', 'a')]).values();
  expect(one).not.toBe(other);
});

test('labels a recording with its given name or its server’s name, and its time', () => {
  const at = new Date();
  at.setHours(14, 29, 0, 0);
  const recording = { file: 'a.mcpr.jsonl', by: '' };
  const recorded = { ...connection('c1', 'own.mjs'), startedAt: at.toISOString(), serverName: 'everything', recording };
  const list = [
    recorded,
    { ...recorded, id: 'c2', recording: { ...recording, called: 'Closed shop' } },
    { ...recorded, id: 'c3' },
    { ...recorded, id: 'c4', serverName: '', startedAt: 'x' },
  ];
  expect([...connectionLabels(list).values()]).toEqual([
    'everything · 14:29:00',
    'Closed shop · 14:29:00',
    'everything · 14:29:00 (2)',
    'own.mjs',
  ]);
  const old = { ...recorded, startedAt: new Date(2020, 2, 4, 9, 5).toISOString() };
  expect(connectionLabels([old]).get('c1')).toBe('everything · 2020-03-04 09:05:00');
});

test('explains each reason, and accepts an unknown or missing one', () => {
  expect(closedReason('user')).toContain('You disconnected');
  expect(closedReason('no-viewer')).toContain('no tab was open');
  expect(closedReason(undefined)).toBe('This connection has ended.');
  expect(closedReason('constructor' as 'user')).toBe('This connection has ended.');
});
