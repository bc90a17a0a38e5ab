import { expect, it } from 'vitest';
import { answered, logOf, onChannel } from '../test-frames';
import { SpanIndex } from './span-index';
import { spanNameChanges, spanNames } from './span-names';
import { spanFrame, started, traced } from './test-spans';

const log = logOf(
  started,
  traced(1, 'tools/call', 100),
  answered(1, {}),
  traced(2, 'tools/call', 200, 'c'.repeat(32)),
  answered(2, {}),
  spanFrame({ id: 1, parent: 100, name: 'handle', ms: 10 }),
  spanFrame({ id: 2, parent: 1, name: 'SELECT', ms: 4, service: 'db' }),
  spanFrame({ id: 3, parent: 1, name: 'SELECT', ms: 1, service: 'db', failure: 'no' }),
  spanFrame({ id: 4, name: 'start-up', trace: 'b'.repeat(32), from: -5 }),
  onChannel('otel', { service: 'db', of: 'r', metric: { name: 'rows' } }),
  onChannel('otel', { service: 'db', of: 'r', metric: { name: 'rows' } }),
);

it('sums up the spans by name', () => {
  const names = spanNames(new SpanIndex(log).update());
  expect(
    names.map(({ name, count, failed, medianUs, p95Us, ownUs }) => [name, count, failed, medianUs, p95Us, ownUs]),
  ).toEqual([
    ['handle', 1, 0, 10_000, 10_000, 6000],
    ['SELECT', 2, 1, 1000, 4000, 5000],
    ['start-up', 1, 0, 1000, 1000, 1000],
  ]);
});

it('compares the spans of two logs by name, those that changed most first', () => {
  const names = spanNames(new SpanIndex(log).update());
  const others = names.slice(0, 2).map((each) => ({ ...each, ownUs: each.ownUs + 3 * each.count }));
  const changes = spanNameChanges(names, others);
  expect(changes.map(({ name, before, after }) => [name, before?.count, after?.count])).toEqual([
    ['start-up', 1, undefined],
    ['SELECT', 2, 2],
    ['handle', 1, 1],
  ]);
});
