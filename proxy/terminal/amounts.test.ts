import { expect, test } from 'vitest';
import { formatSize, formatSpan } from './amounts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1234, '1.2 KB'],
  [5_000_000, '5.0 MB'],
  [1e18, '1000000.0 TB'],
])('%d bytes', (bytes, text) => expect(formatSize(bytes)).toBe(text));

test.each([
  [0, '0.0 s'],
  [420_000, '0.4 s'],
  [185_000_000, '3:05'],
  [7_385_000_000, '2:03:05'],
])('%d µs', (us, text) => expect(formatSpan(us)).toBe(text));
