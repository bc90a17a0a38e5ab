import { expect, test } from 'vitest';
import { resolveLaunch } from './launch';
import { launchSecrets } from './launch-secrets';

test('of a command: variables and flags that are named like secrets', () => {
  const env = { API_KEY: 'key-12345', PLAIN: 'plain-12345' };
  const args = [
    'server.js',
    '--token',
    'flag-12345',
    '--port=12345678',
    '--header',
    'X-Auth: head-12345',
    '-H',
    'A: b',
  ];
  const secrets = launchSecrets(resolveLaunch({ transport: 'stdio', command: 'node', args, env }, 'auto', []));
  expect(secrets).toEqual(expect.arrayContaining(['key-12345', 'flag-12345', 'head-12345']));
  expect(secrets).not.toEqual(expect.arrayContaining(['plain-12345']));
  expect(secrets).not.toEqual(expect.arrayContaining(['12345678']));
});

test('of variables, whatever makes secrets of them: their names or what they look like', () => {
  const env = {
    ...{ DB_PASS: 'pass-12345', MYSQL_PWD: 'pwd-12345', GITHUB_PAT: 'pat-12345', KEY_PASSPHRASE: 'three words 12345' },
    ...{ DATABASE_URL: 'postgres://me:url-12345@host/db', NOTE: 'ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789' },
    ...{ PWD: '/work/12345', GIT_AUTHOR_NAME: 'Ada', PLAIN: 'plain-12345' },
  };
  const secrets = launchSecrets(resolveLaunch({ transport: 'stdio', command: 'node', args: [], env }, 'auto', []));
  const { DB_PASS, MYSQL_PWD, GITHUB_PAT, KEY_PASSPHRASE, NOTE } = env;
  expect(secrets).toEqual(expect.arrayContaining([DB_PASS, MYSQL_PWD, GITHUB_PAT, KEY_PASSPHRASE, NOTE]));
  expect(secrets.join()).toContain('url-12345');
  expect(secrets.join()).not.toMatch(/\/work|Ada|plain/);
});

test('of a URL: its user, its parameters, headers, and the client secret', () => {
  const secrets = launchSecrets(
    resolveLaunch(
      {
        transport: 'http',
        url: 'https://ann:pass-12345@example.com/mcp?api_key=query-12345&page=page-12345',
        headers: { 'X-Token': 'Bearer bearer-12345', 'X-Pass': 'xpass-12345', 'X-Page': 'header-12345' },
        client: { clientId: 'client', clientSecret: 'client-12345' },
      },
      'auto',
      [],
    ),
  );
  for (const value of ['pass-12345', 'query-12345', 'bearer-12345', 'xpass-12345', 'client-12345'])
    expect(secrets).toContain(value);
  expect(secrets.join()).not.toMatch(/page-12345|header-12345/);
});
