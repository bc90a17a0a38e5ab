import { describe, expect, test } from 'vitest';
import { SecretValues } from './secret-values';

const SECRET = 'pässwort/"42"?';
const masked = (text: string, ...values: string[]) =>
  Buffer.from(new SecretValues(values).masked(Buffer.from(text))).toString();

describe('a value is taken out wherever it stands', () => {
  test.each([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in a URL', encodeURIComponent(SECRET)],
    ['as base64', Buffer.from(SECRET).toString('base64')],
    ['as base64 without padding', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['as base64 for URLs', Buffer.from(SECRET).toString('base64url')],
  ])('%s', (_what, form) => {
    expect(masked(`{"a":"${form}","b":"${form}"}`, SECRET)).toMatch(/^\{"a":"•••=*","b":"•••=*"\}$/);
  });
});

test('the longest first, so that nothing of it is left', () => {
  expect(masked('secret-value-long secret-value', 'secret-value', 'secret-value-long')).toBe('••• •••');
});

test('what is short, or has none, stays the same bytes', () => {
  const bytes = Buffer.from('abc 12345678');
  expect(new SecretValues(['abc', '', 'other-secret']).masked(bytes)).toBe(bytes);
});
