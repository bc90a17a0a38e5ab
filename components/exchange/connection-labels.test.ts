import { expect, test } from 'vitest';
import { connectionEntries, connectionLabels } from './connection-labels';
import { connection, RUNS } from './test-runs';

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

test('groups runs by entry, newest first, in the order of the entries', () => {
  const entries = connectionEntries(RUNS).map(({ id, newest, older }) => [id, newest.id, older.map((run) => run.id)]);
  expect(entries).toEqual([
    ['c1', 'c4', ['c3', 'c1']],
    ['c2', 'c2', []],
  ]);
});

test('labels each run with the name that any of them learned', () => {
  expect([...connectionLabels(RUNS)]).toEqual([
    ['c4', 'everything'],
    ['c3', 'everything, run 2'],
    ['c1', 'everything, run 1'],
    ['c2', 'everything (2)'],
  ]);
});

test('prefers a given name over the server’s, which is drawn without hidden characters', () => {
  const named = { ...connection('c1', 'mine'), named: true, serverName: 'everything' } as const;
  expect(connectionLabels([named]).get('c1')).toBe('mine');
  const hostile = { ...connection('c1', 'index.js'), serverName: 'a\u202eb' };
  expect(connectionLabels([hostile]).get('c1')).toBe('a\\u202eb');
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
