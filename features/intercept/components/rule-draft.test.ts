import { expect, test } from 'vitest';
import type { InterceptRule } from '@/lib/wire/intercept';
import { rulesFault } from '@/lib/wire/intercept-checks';
import { freeName, PRESETS } from './presets';
import { isRule, NEW_RULE, ruleDraft, ruleOf } from './rule-draft';

const NONE: ReadonlySet<string> = new Set();

const RULES: readonly InterceptRule[] = [
  { name: 'a', action: { do: 'hold' } },
  { name: 'b', direction: 'to-client', when: 'tool:echo', after: 2, every: 3, times: 4, action: { do: 'drop' } },
  { name: 'c', action: { do: 'delay', ms: 50 } },
  { name: 'd', action: { do: 'duplicate', copies: 2 } },
  { name: 'e', action: { do: 'replace', text: 'not {json' } },
  { name: 'f', action: { do: 'error', code: -32603, message: 'no', data: '[1.0]' } },
  { name: 'g', action: { do: 'result', result: '{"n":9007199254740993}' } },
  { name: 'h', action: { do: 'cut' } },
];

test.each(RULES)('a rule comes back from its form unchanged: $action.do', (rule) => {
  expect(ruleOf(ruleDraft(rule), NONE)).toEqual(rule);
});

test.each(PRESETS)('the preset “$name” is a rule that mcp-inspect accepts', (preset) => {
  expect(rulesFault([preset], 'page')).toBeUndefined();
  expect(ruleOf(ruleDraft(preset), NONE)).toMatchObject({ ...preset });
});

test('counts that change nothing are left out', () => {
  const rule = ruleOf({ ...NEW_RULE, name: ' x ', after: '0', every: '1' }, NONE);
  expect(rule).toEqual({ name: 'x', action: { do: 'hold' } });
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'taken' }, 'name'],
  [{ after: '-1' }, 'after'],
  [{ every: '0' }, 'every'],
  [{ times: '1.5' }, 'times'],
  [{ action: 'delay', ms: '' }, 'ms'],
  [{ action: 'delay', ms: '99999999999' }, 'ms'],
  [{ action: 'duplicate', copies: '101' }, 'copies'],
  [{ action: 'error', code: 'x' }, 'code'],
  [{ action: 'error', data: '{' }, 'data'],
  [{ action: 'result', result: '' }, 'result'],
] as const)('%j is refused', (changes, field) => {
  const made = ruleOf({ ...NEW_RULE, name: 'mine', ...changes }, new Set(['taken']));
  expect(isRule(made)).toBe(false);
  expect(Object.keys(made)).toEqual([field]);
});

test('a name that is taken gets the first free number', () => {
  expect(freeName('a', NONE)).toBe('a');
  expect(freeName('a', new Set(['a', 'a 2']))).toBe('a 3');
});
