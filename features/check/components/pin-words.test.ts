import { expect, test } from 'vitest';
import { isNamed, timeText } from './pin-words';

test.each([
  [{ ms: 12 }, '12.0 ms'],
  [{ ms: 12, msBefore: 40 }, '12.0 ms, was 40.0 ms'],
  [{ ms: 40, msBefore: 41 }, '40.0 ms, as before'],
  [{ ms: 0, msBefore: 0 }, '0 µs, as before'],
])('the time of %j is %s', (outcome, text) => {
  expect(timeText(outcome)).toBe(text);
});

test('a call is named if somebody named it', () => {
  const pin = { key: 'k', params: '', paramsChars: 0, reads: [], saves: [], ignores: 0 };
  expect(isNamed({ ...pin, method: 'tools/call', target: 'add', name: 'tools/call add' })).toBe(false);
  expect(isNamed({ ...pin, method: 'ping', name: 'ping' })).toBe(false);
  expect(isNamed({ ...pin, method: 'ping', name: 'is it there' })).toBe(true);
});
