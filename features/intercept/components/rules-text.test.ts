import { expect, test } from 'vitest';
import { readRulesFile } from '@/features/intercept/lib/rules-file';
import type { InterceptRule } from '@/lib/wire/intercept';
import { isForPagesOnly, readRules, writeRules } from './rules-text';

const RULE: InterceptRule = { name: 'a', when: 'method:tools/call', action: { do: 'delay', ms: 5 } };

test('an exported file is read again', () => {
  expect(readRules(writeRules([RULE]))).toEqual([RULE]);
});

test.each([
  ['{', 'not JSON'],
  ['[]', 'a list of `rules`'],
  ['{"rules":{}}', 'a list of `rules`'],
  ['{"rules":[{"name":"a","action":{"do":"delay","ms":-1}}]}', '`rules`[0].action.ms must be'],
  ['{"rules":[{"name":"a","action":{"do":"hold"}},{"name":"a","action":{"do":"hold"}}]}', '`rules`[1].name'],
  ['{"rules":[{"name":"a","when":"nokey:1","action":{"do":"hold"}}]}', '`rules`[0].when: nokey: is not known'],
])('%s is refused with its place', (text, message) => {
  expect(readRules(text)).toMatchObject({ code: 'bad-rules', message: expect.stringContaining(message) });
});

test('a page can’t answer from a file', () => {
  const text = '{"rules":[{"name":"a","action":{"do":"answer-from","file":"/etc/passwd"}}]}';
  expect(readRules(text)).toMatchObject({
    message: '`rules`[0].action answers from a recording, and a page can’t read files.',
    advice: expect.stringContaining('--intercept FILE'),
  });
});

test('rules without holds are a file that `--intercept` takes', () => {
  expect(isForPagesOnly([RULE])).toBe(false);
  expect(readRulesFile(writeRules([RULE]))).toEqual({ rules: [RULE], recordings: [] });
  const holding: InterceptRule = { name: 'b', action: { do: 'hold' } };
  expect(isForPagesOnly([RULE, holding])).toBe(true);
  expect(readRulesFile(writeRules([RULE, holding]))).toContain('“b” holds messages');
});
