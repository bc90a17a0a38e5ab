import { expect, test } from 'vitest';
import { INTERCEPT_LIMITS } from '@/lib/wire/intercept';
import { holdsRequest } from './holds-request';

const HELD = { direction: 'to-server', kind: 'request', method: 'tools/call', id: 1 } as const;
const requestOf = (name: string) => ({ method: 'tools/call', name, exchange: undefined });

test('finds the held call of a tool by its name', () => {
  expect(holdsRequest({ ...HELD, name: 'echo' }, requestOf('echo'))).toBe(true);
  expect(holdsRequest({ ...HELD, name: 'echo' }, requestOf('add'))).toBe(false);
});

test('finds the held call of a tool whose name is longer than the event has room for', () => {
  const name = 'x'.repeat(INTERCEPT_LIMITS.nameChars + 100);
  expect(holdsRequest({ ...HELD, name: name.slice(0, INTERCEPT_LIMITS.nameChars) }, requestOf(name))).toBe(true);
});
