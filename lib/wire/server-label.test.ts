import { expect, test } from 'vitest';
import { LIMITS } from './limits';
import { serverLabel } from './server-label';

test('prefers the title, and skips what is blank or not a text', () => {
  expect(serverLabel({ name: 'everything', title: 'Everything server' })).toBe('Everything server');
  expect(serverLabel({ name: ' everything ', title: ' ' })).toBe('everything');
  expect(serverLabel({ name: 'everything', title: 7 })).toBe('everything');
  expect(serverLabel({ name: '', title: null })).toBeUndefined();
  expect(serverLabel({ name: 'x'.repeat(10_000) })).toHaveLength(LIMITS.recordingNameChars);
});
