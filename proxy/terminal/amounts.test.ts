import { expect, test } from 'vitest';
import { formatSpan } from './amounts';

test.each([
  [0, '0.0 s'],
  [420_000, '0.4 s'],
  [185_000_000, '3:05'],
  [7_385_000_000, '2:03:05'],
])('%d µs', (us, text) => expect(formatSpan(us)).toBe(text));
