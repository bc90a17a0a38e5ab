import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { Egress } from '@/proxy/egress/egress';
import { type BucketKeys, chooseCredentials } from './credentials';
import { parseProfiles, readAwsProfile } from './profile-files';
import { StoreError } from './store-error';
import { assumeRole } from './web-identity';

const SECRET = 'planted/Secret+9xQz71';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-keys-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves with the credentials that files and variables give. */
async function credentialsOf(
  env: Record<string, string>,
  { config = '', credentials = '' } = {},
  assume: Parameters<typeof chooseCredentials>[3] = () => Promise.reject(new Error('not expected')),
): Promise<BucketKeys> {
  const [first, second] = [join(folder, 'config'), join(folder, 'credentials')];
  writeFileSync(first, config);
  writeFileSync(second, credentials);
  const all = { AWS_CONFIG_FILE: first, AWS_SHARED_CREDENTIALS_FILE: second, ...env };
  const profile = await readAwsProfile(all);
  return chooseCredentials(all, profile, 'eu-west-1', assume)(new AbortController().signal);
}

const KEYS = `aws_access_key_id = AKIAFILE\naws_secret_access_key=${SECRET}\n`;

test('takes keys from the environment first', async () => {
  const env = { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: SECRET, AWS_SESSION_TOKEN: 'token' };
  expect(await credentialsOf(env, { credentials: `[default]\n${KEYS}` })).toEqual({
    accessKeyId: 'AKIAENV',
    secretAccessKey: SECRET,
    sessionToken: 'token',
  });
});

test.each([
  ['the default profile', {}, { credentials: `# mine\n[default]\n${KEYS}` }],
  ['a named profile', { AWS_PROFILE: 'ci' }, { credentials: `[default]\n\n[ci]\r\n${KEYS}` }],
  ['the config file', { AWS_PROFILE: 'ci' }, { config: `[profile ci]\nregion = x\n${KEYS}` }],
])('takes static keys from %s', async (_, env, files) => {
  expect(await credentialsOf(env, files)).toEqual({ accessKeyId: 'AKIAFILE', secretAccessKey: SECRET });
});

test('leaves nested settings and comments out of a profile', () => {
  const text =
    '\ufeff[profile "a b"]\ns3 =\n  endpoint_url = https://wrong.test\nregion = eu-west-1 # mine\n; x = 1\n[';
  expect([...parseProfiles(text)]).toEqual([
    [
      'profile a b',
      new Map([
        ['s3', ''],
        ['region', 'eu-west-1'],
      ]),
    ],
  ]);
});

test.each<[string, Record<string, string>, object, RegExp]>([
  ['nothing', {}, {}, /No credentials for the bucket were found/],
  ['half a pair', { AWS_ACCESS_KEY_ID: 'AKIA' }, {}, /AWS_SECRET_ACCESS_KEY is not set/],
  [
    'a key with a line break',
    { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: `${SECRET}\nx` },
    {},
    /in the environment/,
  ],
  ['an unknown profile', { AWS_PROFILE: 'nobody' }, { credentials: `[default]\n${KEYS}` }, /`nobody` of AWS_PROFILE/],
  [
    'single sign-on',
    { AWS_PROFILE: 'dev' },
    { config: '[profile dev]\nsso_session = my' },
    /`dev` gets its credentials from single sign-on/,
  ],
  [
    'a program',
    {},
    { config: `[default]\ncredential_process = /bin/echo ${SECRET}` },
    /a program \(`credential_process`\)/,
  ],
  [
    'a role',
    { AWS_PROFILE: 'r' },
    { config: '[profile r]\nrole_arn = a\nsource_profile = b' },
    /another profile’s role/,
  ],
  ['half a profile', {}, { credentials: `[default]\naws_secret_access_key = ${SECRET}` }, /only one of the two keys/],
  ['a token without a role', { AWS_WEB_IDENTITY_TOKEN_FILE: '/x' }, {}, /AWS_ROLE_ARN is not/],
])('says what is wrong with %s, and no secret', async (_, env, files, sentence) => {
  const failure = await credentialsOf(env, files).catch((error: unknown) => error as StoreError);
  expect(failure).toBeInstanceOf(StoreError);
  const { message, advice } = failure as StoreError;
  expect(message).toMatch(sentence);
  expect(`${message} ${advice}`).not.toContain(SECRET);
  expect(advice).toMatch(/Other ways are not supported|AWS_PROFILE|AWS_CONFIG_FILE/);
});

test('exchanges a web identity for keys, and again shortly before they end', async () => {
  const token = join(folder, 'token');
  writeFileSync(token, 'planted.jwt.token\n');
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(`${request.method} ${request.url} ${Buffer.concat(await request.toArray())}`);
    response.end(
      `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>ASIA${bodies.length}</AccessKeyId><SecretAccessKey>a&amp;b</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2026-01-01T01:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    AWS_WEB_IDENTITY_TOKEN_FILE: token,
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/ci',
    AWS_ENDPOINT_URL_STS: endpoint,
    AWS_ROLE_SESSION_NAME: 'run 7',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'no'),
  };
  const egress = new Egress({ clock: systemClock, version: '0', allowLocal: false });
  let now = Date.parse('2026-01-01T00:00:00Z');
  const profile = { name: 'default', isNamed: false, values: new Map<string, string>() };
  const source = chooseCredentials(
    ...([env, profile, 'eu-west-1'] as const),
    (identity, signal) => assumeRole(identity, egress, signal),
    () => now,
  );
  const { signal } = new AbortController();
  const first = await source(signal);
  expect(first).toEqual({
    accessKeyId: 'ASIA1',
    secretAccessKey: 'a&b',
    sessionToken: 't',
    expires: Date.parse('2026-01-01T01:00:00Z'),
  });
  expect(await source(signal)).toBe(first);
  now += 56 * 60_000;
  expect((await source(signal)).accessKeyId).toBe('ASIA2');
  expect(bodies[0]).toBe(
    'POST / Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fci&RoleSessionName=run-7&WebIdentityToken=planted.jwt.token',
  );
  egress.close();
  server.close();
});

test('says that the token service refused, without the token', async () => {
  const token = join(folder, 'token');
  writeFileSync(token, 'planted.jwt.token\n');
  const server = createServer((request, response) => {
    request.resume();
    response
      .writeHead(400)
      .end('<E><Error><Code>InvalidIdentityToken</Code><Message>planted.jwt.token</Message></Error></E>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const egress = new Egress({ clock: systemClock, version: '0', allowLocal: false });
  const identity = { role: 'r', tokenFile: token, sessionName: 's', endpoint };
  const failure = await assumeRole(identity, egress, new AbortController().signal).catch((error: unknown) => error);
  expect((failure as StoreError).message).toBe(
    `${new URL(endpoint).host} did not accept the web identity (HTTP 400 InvalidIdentityToken).`,
  );
  await expect(
    assumeRole({ ...identity, tokenFile: join(folder, 'none') }, egress, new AbortController().signal),
  ).rejects.toThrow(/missing or empty/);
  egress.close();
  server.close();
});
