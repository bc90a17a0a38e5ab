import { expect, test } from 'vitest';
import { remainingFilter } from './resource-subscription';

test.each([
  [{ resourceSubscriptions: ['a:1'] }, undefined],
  [{ resourceSubscriptions: ['a:1', 'b:1'] }, { resourceSubscriptions: ['b:1'] }],
  [{ toolsListChanged: true, resourceSubscriptions: ['a:1'] }, { toolsListChanged: true }],
  [{}, undefined],
])('ending a:1 leaves of %j: %j', (filter, rest) => {
  expect(remainingFilter(filter, 'a:1')).toEqual(rest);
});
