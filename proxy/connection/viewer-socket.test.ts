import { expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { RateLimit } from './viewer-socket';

test('allows a burst up to the rate, then the rate, and saves up no more than one burst', () => {
  const clock = new FakeClock();
  const limit = new RateLimit(clock, 10);
  const taken = () => Array.from({ length: 30 }, () => limit.tryAcquire()).filter(Boolean).length;
  expect(taken()).toBe(10);
  clock.advance(100);
  expect(taken()).toBe(1);
  clock.advance(60_000);
  expect(taken()).toBe(10);
});
