import { expect, test } from 'vitest';
import { readPlan } from './batch-dialog';

test.each([
  ['10', '5', { calls: 10, jobs: 5 }],
  ['2', '50', { calls: 2, jobs: 2 }],
  ['1000', '100', { calls: 1000, jobs: 100 }],
  ['1001', '5', undefined],
  ['0', '1', undefined],
  ['1', '101', undefined],
  ['ten', '1', undefined],
  ['1.5', '1', undefined],
  ['', '', undefined],
])('%s calls, %s at once: %j', (calls, jobs, plan) => expect(readPlan(calls, jobs)).toEqual(plan));
