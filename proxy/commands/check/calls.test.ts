import { describe, expect, test } from 'vitest';
import { callSteps, readCalls } from './calls';
import { checkFaulty, ERAS } from './test-check';

const FAULTS: Readonly<Record<string, string>> = {
  'call-lenient': 'wrong-arguments-accepted',
  'call-exits-on-wrong': 'server-lost',
  'call-hangs-on-wrong': 'wrong-arguments-hang',
  'call-trace': 'stack-trace',
  'call-refuses': 'valid-arguments-refused',
  'call-random': 'read-only-differs',
  'call-content': 'field-missing',
  'resource-unreadable': 'resource-unreadable',
  'prompt-fails': 'prompt-failed',
  'prompt-values': 'prompt-values-failed',
  'prompt-lenient': 'prompt-argument-ignored',
  'template-unreadable': 'template-unreadable',
  'call-mixes': 'answer-swapped',
  ...(process.platform === 'linux' && { leaks: 'memory-grows' }),
};

describe.each(['legacy', 'modern'] as const)('calls of a %s server', (era) => {
  const check = (calls: 'read-only' | 'all', ...faults: string[]) =>
    checkFaulty([era, ...faults], ERAS[era], { stepMs: 2000 }, callSteps(calls));

  test('without faults find nothing', async () => {
    const { found, sources } = await check('all');
    expect(found).toEqual([]);
    expect(sources[0]!.steps.map(({ name }) => name)).toContain('call "echo"');
  });

  test.each(Object.entries(FAULTS))('%s: %s', async (fault, rule) => {
    expect((await check('read-only', fault)).rules).toContain(rule);
  });

  test('read-only leaves out a tool that does not declare it', async () => {
    expect((await check('read-only', 'call-writes')).rules).toEqual([]);
    expect((await check('all', 'call-writes')).rules).toContain('server-lost');
  });
});

test('refuses an unknown choice', () => {
  expect(() => readCalls('some')).toThrow('choose from none, read-only, all');
});
