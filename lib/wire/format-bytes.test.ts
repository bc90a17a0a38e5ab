import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes';

test.each([
  [0, '0 B'],
  [84, '84 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [99_949, '99.9 KB'],
  [99_950, '100 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [12_400_000, '12.4 MB'],
  [5e15, '5000 TB'],
])('%d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
