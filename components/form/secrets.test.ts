import { describe, expect, test } from 'vitest';
import { hasSecrets, withoutSecrets } from './secrets';

test('removes values with secret names at any depth', () => {
  const document = { user: 'u', password: 'p', list: [{ apiKey: 'k', max_tokens: 5 }], auth: { access_token: 't' } };
  expect(withoutSecrets(document)).toEqual({ user: 'u', list: [{ max_tokens: 5 }], auth: {} });
});

test('a document without secrets is equal to its copy', () => {
  const document = JSON.parse('{"__proto__":{"a":[1,null]},"tokens":"x"}');
  expect(JSON.stringify(withoutSecrets(document))).toBe(JSON.stringify(document));
});

describe('hasSecrets', () => {
  test.each([
    '{"password":"x"}',
    '[{"a":{"api\\u004bey" : 1}}]',
    '{"a":{"password":"x"},"a":1}',
    '{"x":"\\"","token":1}',
  ])('finds a secret name in %s', (text) => expect(hasSecrets(text, true)).toBe(true));

  test.each(['{"password":"hunter2"', '{password: hunter2', "{'api\\u004bey': '", `{${' '.repeat(200_000)}`])(
    'finds a secret name in text that does not parse: %.40s',
    (text) => expect(hasSecrets(text, false)).toBe(true),
  );

  test.each([['{"a":"password"}', true] as const, ['', true] as const, ['{"user":"u"', false] as const])(
    'finds no secret name in %s',
    (text, parses) => expect(hasSecrets(text, parses)).toBe(false),
  );
});
