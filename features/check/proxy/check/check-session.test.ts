import { expect, test } from 'vitest';
import { asked, framesOf } from '@/lib/store/test-frames';
import { judgeRules } from './check-session';

test('attack: a session that the rules take too long for is a finding, not a failure', async () => {
  const { findings } = await judgeRules(framesOf([]), () => true);
  expect(findings).toEqual([]);
  const late = await judgeRules(framesOf([asked(1, 'ping')]), () => false);
  expect(late.findings).toMatchObject([{ rule: 'check-timeout', severity: 'error', fromServer: true }]);
});
