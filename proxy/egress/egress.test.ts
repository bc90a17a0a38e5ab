import { expect, test } from 'vitest';
import { redirected } from './egress';

test.each([
  'http://example.com/?api_key=sesame',
  'ftp://example.com/?token=sesame',
  'https://u:sesame@example.com/',
  'https://[/?token=sesame',
])('refuses a redirect to %s without showing its secret', (location) => {
  const request = { method: 'GET', url: 'https://example.com/mcp', headers: [] } as const;
  let message = '';
  try {
    redirected(request, 307, [['Location', location]]);
  } catch (error) {
    ({ message } = error as Error);
  }
  expect(message).toContain('The server’s redirect to');
  expect(message).not.toContain('sesame');
});
