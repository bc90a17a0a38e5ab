import { describe, expect, test } from 'vitest';
import { redactBody, secretsInBody } from './oauth-fetch';

describe('redacts by name', () => {
  test.each<[string, string]>([
    ['{"access_token":"a","token_type":"Bearer"}', '{"access_token":"•••","token_type":"Bearer"}'],
    ['{"refresh_token":"a","id_token":"b"}', '{"refresh_token":"•••","id_token":"•••"}'],
    [
      '{"client_secret":"a","registration_access_token":"b"}',
      '{"client_secret":"•••","registration_access_token":"•••"}',
    ],
    ['{"deep":[{"access_token":{"in":"a"}}]}', '{"deep":[{"access_token":"•••"}]}'],
    ['{"access_token":"shown?","access_token":"a"}', '{"access_token":"•••"}'],
    [
      'grant_type=authorization_code&code=a&code_verifier=b',
      'grant_type=authorization_code&code=•••&code_verifier=•••',
    ],
    [
      'grant_type=refresh_token&refresh_token=a&client_secret=b',
      'grant_type=refresh_token&refresh_token=•••&client_secret=•••',
    ],
    ['client_assertion=a&assertion=b&password=c', 'client_assertion=•••&assertion=•••&password=•••'],
    ['{"access_token":"cut off', '•••'],
    ['<p>access_token: abc</p>', '•••'],
    ['<h1>Not Found</h1>', '<h1>Not Found</h1>'],
    ['', ''],
  ])('%s', (text, shown) => {
    expect(redactBody(text, [])).toBe(shown);
  });
});

test('redacts known values everywhere', () => {
  expect(redactBody('<p>your code long-secret is wrong</p>', ['long-secret'])).toBe('<p>your code ••• is wrong</p>');
  expect(redactBody('{"error_description":"long-secret"}', ['long-secret'])).toBe('{"error_description":"•••"}');
});

test('does not mask known values that are too short', () => {
  expect(redactBody('<p>a</p>', ['', 'a'])).toBe('<p>a</p>');
});

test('masks deeply nested text as a whole if it names a secret', () => {
  expect(redactBody(`${'['.repeat(100_000)}"access_token"`, [])).toBe('•••');
});

test.each<[string, string[]]>([
  ['{"access_token":"a","token_type":"Bearer","deep":[{"refresh_token":"b","code":-3}]}', ['a', 'b']],
  ['grant_type=authorization_code&code=a%2Bb&code_verifier=c+d', ['a+b', 'c d']],
  ['<h1>Not Found</h1>', []],
  ['', []],
])('secretsInBody of %s', (text, secrets) => {
  expect(secretsInBody(text)).toEqual(secrets);
});
