import { expect, test } from 'vitest';
import { answered, asked, happened, logOf } from '@/lib/store/test-frames';
import type { ConnectionSummary } from '@/lib/wire/command';
import { hasLists, stoppedWhileAsleep } from './woken-server';

const summary = (id: string, more: Partial<ConnectionSummary> = {}): ConnectionSummary => ({
  id,
  name: id,
  transport: 'stdio',
  title: 'node x.js',
  state: 'closed',
  startedAt: '',
  ...more,
});

test.each<[string, boolean, Parameters<typeof stoppedWhileAsleep>]>([
  ['it was open in this tab', true, ['a', 'no-viewer', ['a'], [summary('a'), summary('b')]]],
  ['another tab showed it', false, ['a', 'no-viewer', ['b'], [summary('a')]]],
  ['a person disconnected', false, ['a', 'user', ['a'], [summary('a')]]],
  ['it is still open', false, ['a', undefined, ['a'], [summary('a', { state: 'open' })]]],
  [
    'another tab has restarted it',
    false,
    ['a', 'no-viewer', ['a'], [summary('a'), summary('c', { entry: 'a', run: 2 })]],
  ],
  ['the page itself connects', false, ['a', 'no-viewer', ['a'], [summary('a', { via: 'direct' })]]],
  ['it is gone', false, ['a', 'no-viewer', ['a'], []]],
])('a stopped server, if %s: restarted %s', (_, restarted, facts) => {
  expect(stoppedWhileAsleep(...facts)).toBe(restarted);
});

test('a new run is shown once it has its lists, so that a form keeps the focus', () => {
  const result = {
    capabilities: { tools: {} },
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'a', version: '1' },
  };
  const open = [
    asked(1, 'initialize', {}),
    answered(1, result),
    happened({ event: 'open', era: 'legacy', version: '2025-11-25' }),
    asked(2, 'tools/list'),
  ];
  expect(hasLists(logOf(...open).state)).toBe(false);
  expect(hasLists(logOf(...open, answered(2, { tools: [] })).state)).toBe(true);
});
