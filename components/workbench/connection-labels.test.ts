import { expect, test } from 'vitest';
import type { ConnectionSummary } from '@/lib/wire/command';
import { connectionLabels } from './connection-labels';

const connection = (id: string, name: string): ConnectionSummary => ({
  id,
  name,
  transport: 'stdio',
  title: name,
  state: 'open',
  startedAt: '2026-01-01T00:00:00Z',
});

test('connections of one name are told apart by number, others are left alone', () => {
  const list = [connection('c1', 'a.js'), connection('c2', 'b.js'), connection('c4', 'a.js'), connection('c7', 'a.js')];
  expect([...connectionLabels(list)]).toEqual([
    ['c1', 'a.js'],
    ['c2', 'b.js'],
    ['c4', 'a.js (2)'],
    ['c7', 'a.js (3)'],
  ]);
});

test('names that look the same are the same', () => {
  const [one, other] = connectionLabels([connection('c1', 'a'), connection('c2', 'a')]).values();
  expect(one).not.toBe(other);
});
