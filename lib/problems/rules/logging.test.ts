import { expect, test } from 'vitest';
import { answered, asked, got } from '@/lib/store/test-frames';
import { legacy, problemsIn } from '../test-sessions';

const server = { logging: {} };
const log = (level: string) => got({ jsonrpc: '2.0', method: 'notifications/message', params: { level, data: 'x' } });
const rulesOf = (frames: Parameters<typeof problemsIn>[0]) => problemsIn(frames).map(({ rule }) => rule);

test('a level set by logging/setLevel holds once it is answered, until the next one', () => {
  const set = (id: number, level: string) => asked(id, 'logging/setLevel', { level });
  const session = legacy({ server });
  expect(rulesOf([...session, set(1, 'error'), log('info')])).toEqual([]);
  expect(rulesOf([...session, set(1, 'error'), answered(1, {}), log('error')])).toEqual([]);
  expect(rulesOf([...session, set(1, 'error'), answered(1, {}), log('info')])).toEqual(['log-below-level']);
  expect(
    rulesOf([...session, set(1, 'error'), answered(1, {}), set(2, 'debug'), answered(2, {}), log('info')]),
  ).toEqual([]);
});
