import { expect, test } from 'vitest';
import { dayOf, readKey, recordingKey, summaryKey } from './keys';

const sha256 = 'ab'.repeat(32);

test('keys name the day and the content, and are read back', () => {
  const of = { day: dayOf('2026-11-26T23:30:00.000-02:00'), sha256 };
  expect(of.day).toBe('2026-11-27');
  expect(recordingKey(of)).toBe(`recordings/v1/2026/11/27/${sha256}.mcpr.jsonl`);
  expect(summaryKey(of)).toBe(`summaries/v1/2026/11/27/${sha256}.json`);
  expect(readKey(recordingKey(of))).toEqual(of);
  expect(readKey(summaryKey(of))).toEqual(of);
});

test.each([
  `recordings/v1/2026/11/27/${sha256}.json`,
  `summaries/v1/2026/11/27/${sha256}.mcpr.jsonl`,
  `summaries/v2/2026/11/27/${sha256}.json`,
  `summaries/v1/2026/11/27/${sha256.toUpperCase()}.json`,
  `x/summaries/v1/2026/11/27/${sha256}.json`,
  ...['9999/99/99', '2026/02/30', '0000/01/01'].map((day) => `summaries/v1/${day}/${sha256}.json`),
  '',
])('ignores the object %j', (key) => expect(readKey(key)).toBeUndefined());

test.each(['', 'yesterday', '+275000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z'])(
  'gives a recording from %j a day nevertheless',
  (at) => expect(dayOf(at)).toBe('1970-01-01'),
);
