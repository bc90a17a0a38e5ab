import { expect, test } from 'vitest';
import { maskedUrl } from './masked-url';

test.each([
  'https://h/?api_key=sesame',
  'https://h/?a=1&api%5Fkey=sesame#x',
  'https://h/?accessKey=sesame',
  'https://h/#access_token=sesame',
  'https://h/#a=1&access_token=sesame',
  'https://h/#/path?token=sesame',
  'https://u:p@sesame@h/',
])('%s loses its secret', (url) => {
  expect(maskedUrl(url)).not.toContain('sesame');
});

test.each(['https://h/a@b?q=1&monkey=2#part', 'https://h/?mail=a@b', 'https://h/?100%=x'])('%s stays', (url) => {
  expect(maskedUrl(url)).toBe(url);
});
