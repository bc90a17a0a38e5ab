import { expect, test } from 'vitest';
import { clientProblem } from './client-problem';
import { type ClientSettings, withoutClientSecret } from './connection-settings';

test.each<ClientSettings>([
  {},
  { clientId: 'a' },
  { clientId: 'a', clientSecret: 'b', scope: 'read write' },
  { metadataUrl: 'https://host/client.json' },
])('accepts %j', (settings) => {
  expect(clientProblem(settings)).toBeUndefined();
});

test.each<ClientSettings>([
  { clientSecret: 'b' },
  { clientId: 'a', metadataUrl: 'https://host/client.json' },
  { metadataUrl: 'http://host/client.json' },
  { metadataUrl: 'https://host/' },
  { metadataUrl: 'https://me@host/client.json' },
  { metadataUrl: 'client.json' },
  { scope: 'a\nb' },
  { scope: 'a"b' },
  { scope: '' },
  { clientId: 'a\r\nb' },
])('refuses %j', (settings) => {
  expect(clientProblem(settings)).toMatch(/\w+[.:]/);
});

test('withoutClientSecret leaves out only the secret', () => {
  expect(withoutClientSecret({ clientId: 'a', clientSecret: 'b' })).toEqual({ clientId: 'a' });
  expect(withoutClientSecret({})).toBeUndefined();
});
