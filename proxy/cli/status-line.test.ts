import { expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { StatusLine } from './status-line';

const CLEAR = '\r\u001b[K';

function setUp() {
  const clock = new FakeClock();
  const written: string[] = [];
  const take = () => written.splice(0).join('');
  return { clock, take, line: new StatusLine((text) => written.push(text), clock) };
}

test('shows nothing of quick work', () => {
  const { clock, take, line } = setUp();
  line.show('1 of 2');
  clock.advance(299);
  line.show('2 of 2');
  line.end();
  clock.advance(1000);
  expect(take()).toBe('');
});

test('shows the newest text of slow work, even if no other text comes, and clears it', () => {
  const { clock, take, line } = setUp();
  line.show('1 of 3');
  clock.advance(200);
  line.show('2 of 3');
  clock.advance(100);
  expect(take()).toBe(`${CLEAR}2 of 3`);
  line.show('3 of 3');
  expect(take()).toBe('');
  clock.advance(100);
  expect(take()).toBe(`${CLEAR}3 of 3`);
  line.end();
  expect(take()).toBe(CLEAR);
});

test('makes room for other output, and comes back', () => {
  const { clock, take, line } = setUp();
  line.show('1 of 3');
  clock.advance(300);
  take();
  line.erase();
  line.erase();
  expect(take()).toBe(CLEAR);
  clock.advance(100);
  expect(take()).toBe(`${CLEAR}1 of 3`);
  // The next work has its own time.
  line.end();
  take();
  line.show('again');
  clock.advance(299);
  expect(take()).toBe('');
});
