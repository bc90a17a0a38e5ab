import { expect, test } from 'vitest';
import { type ClientSettings, clientProblem, withoutClientSecret } from './connection-settings';

test.each<ClientSettings>([
  {},
  { clientId: 'a' },
  { clientId: 'a', clientSecret: 'b', scope: 'read write' },
  { metadataUrl: 'https://host/client.json' },
])('%j is fine', (settings) => {
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
])('%j is not', (settings) => {
  expect(clientProblem(settings)).toMatch(/\w+[.:]/);
});

test('the secret is not among what is shown', () => {
  expect(withoutClientSecret({ clientId: 'a', clientSecret: 'b' })).toEqual({ clientId: 'a' });
  expect(withoutClientSecret({})).toBeUndefined();
});
