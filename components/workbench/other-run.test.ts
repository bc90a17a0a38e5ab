import { expect, test } from 'vitest';
import { otherRun } from './other-run';

const run = (id: string, entry: string, trial?: string) =>
  ({ id, entry, ...(trial !== undefined && { trial }) }) as never;
const RUNS = [run('c1', 'a'), run('c2', 'b'), run('c3', 'a'), run('c4', 'a', 'without roots'), run('c5', 'a')];

test.each([
  ['c5', 'c3'],
  ['c3', 'c1'],
  ['c1', 'c3'],
  ['c2', undefined],
])('%s is compared with %s', (shown, other) => {
  expect(otherRun(RUNS, RUNS.find(({ id }) => id === shown)!)?.id).toBe(other);
});
