import { expect, test } from 'vitest';
import { validLifecycleEvent } from './lifecycle';

const START = {
  event: 'start',
  at: '2026-01-31T12:00:00.000Z',
  name: 'd',
  transport: 'auto',
  url: 'http://h/',
  headerNames: [],
  protocol: 'auto',
};

test('accepts only short words where one is expected', () => {
  expect(validLifecycleEvent(START)).toBe(START);
  const open = { event: 'open', era: 'legacy', version: '2025-11-25' };
  expect(validLifecycleEvent(open)).toBe(open);
  for (const unsound of [
    { ...START, transport: { toString: 1 } },
    { ...START, transport: undefined },
    { ...START, protocol: '2026\u202e' },
    { ...open, version: '1'.repeat(1000) },
    { ...open, era: 'a\u0000' },
    { event: 'exit', code: null, signal: 'SIG TERM' },
  ]) {
    expect(validLifecycleEvent(unsound), JSON.stringify(unsound)).toBeUndefined();
  }
});

test('accepts unknown events and transports, which a newer version may have written', () => {
  const event = { event: 'paused', why: {} };
  expect(validLifecycleEvent(event)).toBe(event);
  const start = { ...START, transport: 'websocket' };
  expect(validLifecycleEvent(start)).toBe(start);
});
