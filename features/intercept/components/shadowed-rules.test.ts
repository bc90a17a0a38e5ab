import { expect, test } from 'vitest';
import type { InterceptAction, InterceptRule } from '@/lib/wire/intercept';
import { shadowedRules } from './shadowed-rules';

const ERROR: InterceptAction = { do: 'error', code: 1, message: '' };
const rule = (name: string, changes: Partial<InterceptRule> = {}): InterceptRule => ({
  name,
  when: 'method:tools/call',
  action: { do: 'hold' },
  ...changes,
});

test.each<[string, Partial<InterceptRule>, Partial<InterceptRule>]>([
  ['the same filter', {}, {}],
  ['every message', { when: '' }, { when: 'tool:echo' }],
  ['both directions', {}, { direction: 'to-server' }],
  ['spaces around a filter', { when: ' method:tools/call ' }, {}],
  ['an error for calls', { action: ERROR }, {}],
  ['an error for all, before another answer', { action: ERROR, when: '' }, { action: { do: 'result', result: '1' } }],
])('%s takes all messages of a later rule', (_, first, second) => {
  expect(shadowedRules([rule('a', first), rule('b', second)])).toEqual(new Map([['b', 'a']]));
});

test.each<[string, Partial<InterceptRule>, Partial<InterceptRule>]>([
  ['another filter', {}, { when: 'tool:echo' }],
  ['one direction', { direction: 'to-server' }, {}],
  ['the first messages only', { times: 3 }, {}],
  ['all but the first', { after: 1 }, {}],
  ['every second', { every: 2 }, {}],
  ['an error, which takes no notification', { action: ERROR, when: '' }, { when: '' }],
  ['an error for notifications', { action: ERROR, when: 'kind:notification' }, { when: 'kind:notification' }],
])('%s leaves messages to a later rule', (_, first, second) => {
  expect(shadowedRules([rule('a', first), rule('b', second)])).toEqual(new Map());
});
