import { expect, test } from 'vitest';
import { secretsGiven } from './given-values';

test.each<[string[] | Record<string, string>, string[]]>([
  [['server.js', '--api-key=abc-1', '--port=3'], ['abc-1']],
  [['--token', 'abc-1', 'x'], ['abc-1']],
  [['-token=abc-1'], ['abc-1']],
  [['--password', 'abc'], ['abc']],
  [['--token', '--verbose'], []],
  [['--name', 'abc-1', 'token', 'x-1'], []],
  [['https://me:abc%2D1@host/'], ['me:abc%2D1', 'abc-1']],
  [['run', '-i', '-e', 'API_KEY=Zx9kQ2vLm4', 'image'], ['Zx9kQ2vLm4']],
  [
    { DB_PASS: 'abc-1', MYSQL_PWD: 'abc-2', GITHUB_PAT: 'abc-3', PASSPHRASE: 'a b c' },
    ['abc-1', 'abc-2', 'abc-3', 'a b c'],
  ],
  [{ DATABASE_URL: 'postgres://me:abc-1@host/db', LANG: 'C.UTF-8', EDITOR: 'vi' }, ['me:abc-1', 'abc-1']],
  [
    ['--key', 'abc-12345', '--auth=abc-23456', '--license', 'MIT', '-u', 'me:abc-34567'],
    ['abc-12345', 'abc-23456', 'me:abc-34567', 'abc-34567'],
  ],
])('%j → %j', (given, values) => {
  expect(secretsGiven(given)).toEqual(values);
});
