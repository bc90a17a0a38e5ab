import { expect, test } from 'vitest';
import { maskedUrl, secretsInHeader, secretsInUrl } from './masking';

test.each([
  'https://h/?api_key=sesame',
  'https://h/?a=1&api%5Fkey=sesame#x',
  'https://h/?accessKey=sesame',
  'https://h/#access_token=sesame',
  'https://h/#a=1&access_token=sesame',
  'https://h/#/path?token=sesame',
  'https://u:p@sesame@h/',
])('masks the secret in %s', (url) => {
  expect(maskedUrl(url)).not.toContain('sesame');
});

test.each(['https://h/a@b?q=1&monkey=2#part', 'https://h/?mail=a@b', 'https://h/?100%=x'])('keeps %s', (url) => {
  expect(maskedUrl(url)).toBe(url);
});

test.each([
  ['Authorization', 'Bearer abc', ['Bearer abc', 'abc']],
  ['Authorization', `Basic ${btoa('bob:a:b')}`, [`Basic ${btoa('bob:a:b')}`, btoa('bob:a:b'), 'a:b']],
  ['Proxy-Authorization', 'Basic %', ['Basic %', '%', '']],
  ['Mcp-Session-Id', 'abc', ['abc']],
  ['Set-Cookie', 'a="b%20c"; Path=/; Secure', ['b%20c', 'b c']],
  ['cookie', 'a=b; c=d=%', ['b', 'b', 'd=%', 'd=%']],
  ['Location', '/back?code=c%2Bd&x=1', ['c%2Bd', 'c+d']],
])('secretsInHeader of %s: %s', (name, value, secrets) => {
  expect(secretsInHeader(name, value)).toEqual(secrets);
});

test.each([
  ['https://u:p%40w@h/?a=1&api%5Fkey=se+same#token=t', ['p%40w', 'p@w', 'se+same', 'se same', 't', 't']],
  ['https://only-user@h/', ['only-user', 'only-user']],
  ['https://h/a@b?q=1&monkey=2#part', []],
])('secretsInUrl of %s', (url, secrets) => {
  expect(secretsInUrl(url)).toEqual(secrets);
  for (const secret of secretsInUrl(url))
    if (url.includes(`=${secret}`)) expect(maskedUrl(url)).not.toContain(`=${secret}`);
});
