import { expect, test } from 'vitest';
import { secretsInArguments, secretsInVariables } from './launch-secrets';

test.each<[string[], string[]]>([
  [['server.js', '--api-key=abc-1', '--port=3'], ['abc-1']],
  [['--token', 'abc-1', 'x'], ['abc-1']],
  [['-token=abc-1'], ['abc-1']],
  [['--password', 'abc'], ['abc']],
  [['--token', '--verbose'], []],
  [['--name', 'abc-1', 'token', 'x-1'], []],
  [['https://me:abc%2D1@host/'], ['me:abc%2D1', 'abc-1']],
  [['run', '-i', '-e', 'API_KEY=Zx9kQ2vLm4', 'image'], ['Zx9kQ2vLm4']],
  [
    ['--key', 'abc-12345', '--auth=abc-23456', '--license', 'MIT', '-u', 'me:abc-34567'],
    ['abc-12345', 'abc-23456', 'me:abc-34567', 'abc-34567'],
  ],
])('%j → %j', (given, values) => {
  expect(secretsInArguments(given)).toEqual(values);
});

test.each<[Record<string, string>, string[]]>([
  [
    { DB_PASS: 'abc-1', MYSQL_PWD: 'abc-2', GITHUB_PAT: 'abc-3', PASSPHRASE: 'a b c' },
    ['abc-1', 'abc-2', 'abc-3', 'a b c'],
  ],
  [{ DATABASE_URL: 'postgres://me:abc-1@host/db', LANG: 'C.UTF-8', EDITOR: 'vi' }, ['me:abc-1', 'abc-1']],
  // The name of a variable decides, whatever its value.
  [
    { STRIPE_KEY: 'wordsonly', X_AUTH: 'two words', SESSION_ID: '1234', API_TOKEN: 'identifier', COOKIE_JAR: 'a=b' },
    ['wordsonly', 'two words', '1234', 'identifier', 'a=b'],
  ],
  [{ PWD: '/work/app-1', OLDPWD: '/work', DB_PWD: '/abc-1' }, ['/abc-1']],
  [{ PWD: 'abc-1' }, ['abc-1']],
  // Facts about secrets, and names that only sound like secrets.
  [
    { MAX_TOKENS: '12345678', TOKEN_URL: 'https://a.example/t', SECRET_NAME: 'my-secret-1', GIT_AUTHOR_NAME: 'Ada' },
    [],
  ],
])('variables %j → %j', (variables, values) => {
  expect(secretsInVariables(variables)).toEqual(values);
});
