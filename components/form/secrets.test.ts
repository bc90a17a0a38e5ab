import { expect, test } from 'vitest';
import { hasSecrets, withoutSecrets } from './secrets';

test('values with secret names are left out, wherever they are', () => {
  const document = { user: 'u', password: 'p', list: [{ apiKey: 'k', max_tokens: 5 }], auth: { access_token: 't' } };
  expect(hasSecrets(document)).toBe(true);
  expect(withoutSecrets(document)).toEqual({ user: 'u', list: [{ max_tokens: 5 }], auth: {} });
});

test.each(['pwd', 'awsSecretAccessKey', 'session_cookie', 'connectionString', 'signing-key', 'bearer'])(
  '%s is a secret',
  (name) => expect(hasSecrets({ [name]: 'x' })).toBe(true),
);

test.each(['max_tokens', 'key', 'keyword', 'cookieConsent', 'tokenizer'])('%s is none', (name) =>
  expect(hasSecrets({ [name]: 'x' })).toBe(false),
);

test('a document without secrets is equal to its copy', () => {
  const document = JSON.parse('{"__proto__":{"a":[1,null]},"tokens":"x"}');
  expect(hasSecrets(document)).toBe(false);
  expect(JSON.stringify(withoutSecrets(document))).toBe(JSON.stringify(document));
});
