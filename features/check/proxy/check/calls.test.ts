import { describe, expect, test } from 'vitest';
import { callSteps, readCalls } from './calls';
import { checkFaulty, ERAS } from './test-check';
import { CALL_FAULTS } from './test-faults';

describe.each(['legacy', 'modern'] as const)('calls of a %s server', (era) => {
  const check = (calls: 'read-only' | 'all', ...faults: string[]) =>
    checkFaulty(
      [era, ...faults],
      ERAS[era],
      // Only a call that hangs needs a short limit.
      faults.includes('call-hangs-on-wrong') ? { stepMs: 2000 } : {},
      callSteps(calls),
    );

  test('without faults find nothing', async () => {
    const { found, sources } = await check('all');
    expect(found).toEqual([]);
    expect(sources[0]!.steps.map(({ name }) => name)).toContain('call "echo"');
  });

  test.each(Object.entries(CALL_FAULTS))('%s: %s', async (fault, rule) => {
    expect((await check('read-only', fault)).rules).toContain(rule);
  });

  test('a finding links to the version of the session', async () => {
    const { found } = await check('read-only', 'call-lenient');
    expect(found[0]!.spec).toContain(`/${ERAS[era]}/`);
  });

  test('read-only leaves out a tool that does not declare it', async () => {
    expect((await check('read-only', 'call-writes')).rules).toEqual([]);
    expect((await check('all', 'call-writes')).rules).toContain('server-lost');
  });
});

test('refuses an unknown choice', () => {
  expect(() => readCalls('destructive')).toThrow('choose from none, read-only, all');
});
