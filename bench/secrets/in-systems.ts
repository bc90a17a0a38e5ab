/** Secrets in what programs and services print: requests, dumps, tables, clouds, chats. */
import { json, named, text } from './drafts';
import type { SecretTemplate } from './planted';
import type { Random } from './random';
import { machineValue, password, plainPassword, plainValue } from './values';
import { vendorKey } from './vendor-keys';

const token = (random: Random) => random.text('mixed', random.int(24, 44));
const hash = (random: Random) => random.hex(40);
const typed = (random: Random) => `${random.word()}${random.int(10, 9999)}${random.pick(['!', '#', '?'])}`;
/** Keys that only their shape gives away. */
const azureDevOps = (random: Random) => `${random.text('mixed', 76)}AZDO${random.text('mixed', 4)}`;
const mailgun = (random: Random) => `${random.hex(32)}-${random.hex(8)}-${random.hex(8)}`;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const base58 = (random: Random, length: number) => Array.from({ length }, () => random.pick([...BASE58])).join('');

export const IN_SYSTEMS: readonly SecretTemplate[] = [
  text(token, (s) => `curl -s -H "X-Auth-Token: ${s}" https://api.acme.io/v1`),
  text(typed, (s) => `curl -u ann:${s} https://api.acme.io/v1`),
  text(token, (s) => `curl -d 'grant_type=client_credentials&client_id=a1&client_secret=${s}' https://acme.io/token`),
  text(token, (s) => `GET /v1/items HTTP/1.1\r\nHost: acme.io\r\nAuthorization: Bearer ${s}\r\nAccept: */*\r\n`),
  text(token, (s) => `GET /v1 HTTP/1.1\r\nHost: acme.io\r\nX-Vault-Token: ${s}\r\n\r\n`),
  text(token, (s) => `> PRIVATE-TOKEN: ${s}\n> Accept: */*\n< HTTP/1.1 200 OK`),
  text(token, (s) => `Cookie: theme=dark; session=${s}; lang=en`),
  text(token, (s) => `< Set-Cookie: connect.sid=s%3A${s}; Path=/; HttpOnly`),
  text(token, (s) => `Authorization: Signature keyId="a1",algorithm="hmac-sha256",signature="${s}="`),
  text(
    token,
    (s) => `Authorization: OAuth oauth_consumer_key="a1", oauth_nonce="b2", oauth_token="${s}", oauth_version="1.0"`,
  ),
  text(hash, (s) => `Authorization: AWS4-HMAC-SHA256 Credential=AKID/20260101/eu/s3/aws4_request, Signature=${s}`),
  text(typed, (s) => `INSERT INTO users (id, name, password) VALUES (7, 'ann', '${s}');`),
  text(typed, (s) => `ALTER ROLE app WITH LOGIN PASSWORD '${s}';`),
  text(
    token,
    (s, random) => ` id |  name  |  api_key\n----+--------+------------\n  7 | ${random.word()} | ${s}\n(1 row)`,
  ),
  text(
    token,
    (s) => `+----+-----+-----------+\n| id | who | token     |\n+----+-----+-----------+\n|  1 | ann | ${s} |\n`,
  ),
  text(typed, (s) => `id,name,password\n1,ann,${s}\n`),
  text(typed, (s) => `| user | password |\n|---|---|\n| ann | ${s} |\n| bob | (none) |`),
  text(token, (s) => `| Service | API key |\n|:--|:--|\n| maps | \`${s}\` |\n`),
  text(token, (s) => `NAME        TOKEN\nfirst       ${s}\n`),
  json(typed, (s) => ({ columns: ['id', 'password'], rows: [[1, s]] })),
  text(
    machineValue,
    (s) =>
      `Traceback (most recent call last):\n  File "a.py", line 3, in connect\n    client = Client(token="${s}")\nValueError`,
  ),
  named(['snake'], (name, s) => `locals: {'self': <Client>, '${name}': '${s}', 'retries': 3}`),
  json(token, (s) => ({ config: { method: 'get', headers: { Accept: '*/*', 'X-Acme-Key': s } }, code: 'E1' })),
  json(token, (s) => ({ body: JSON.stringify({ raw: JSON.stringify({ auth: { apiKey: s } }) }) })),
  text(typed, (s) => `the wifi password at the office is ${s} btw`),
  text(token, (s) => `Sure, here's my API key: ${s} - let me know if it works`),
  text(typed, (s) => `ann: what's the root pw?\nbob: pw: ${s}\nann: thx`),
  json(token, (s) => ({ Credentials: { AccessKeyId: 'x', SecretAccessKey: s, Expiration: '2026-01-01' } })),
  json(token, (s) => ({ Parameter: { Name: '/prod/db/password', Type: 'SecureString', Value: s, Version: 3 } })),
  json(token, (s) => ({ Name: 'prod/shop', VersionId: 'a', SecretString: s, VersionStages: ['AWSCURRENT'] })),
  json(
    (random) => random.base64(64),
    (s) => [{ creationTime: '2026-01-01', keyName: 'key1', permissions: 'FULL', value: s }],
  ),
  json(token, (s) => ({ appId: 'a1', displayName: 'ci', password: s, tenant: 'b2' })),
  json(token, (s) => ({ type: 'password', label: 'Database', value: s })),
  json(token, (s) => ({ fields: [{ kind: 'secret', title: 'prod', text: s }] })),
  json(token, (s) => [
    ['host', 'db'],
    ['password', s],
  ]),
  json(token, (s) => ({ auth: { type: 'apikey', apikey: [{ key: 'value', value: s, type: 'string' }] } })),
  json(token, (s) => ({ auth: { type: 'bearer', bearer: [{ key: 'token', value: s, type: 'string' }] } })),
  json(token, (s) => ({ variables: [{ variable_type: 'env_var', key: 'DEPLOY_TOKEN', value: s, masked: true }] })),
  json(token, (s) => ({ command: 'npx', args: ['-y', 'acme-mcp', '--api-token', s] })),
  json(token, (s) => ({ args: [`--header=X-Api-Key: ${s}`, '--port', '3000'] })),
  json(token, (s) => ({ env: { ACME_TKN: s, HOME: '/root' } })),
  json(typed, (s) => ({ user: 'ann', pw: s })),
  json(typed, (s) => ({ login: { username: 'ann', passcode: s } })),
  text(plainValue, (s) => `level=info msg="request" path=/v1 token=${s} status=200`),
  text(plainValue, (s) => `10.0.0.1 - - [01/Jan/2026] "GET /v1/items?page=2&access_token=${s} HTTP/1.1" 200 17`),
  text(token, (s) => `Unseal Key 1: ${s}\nUnseal Key 2: (hidden)\n`),
  text(typed, (s) => `sshpass -p '${s}' ssh root@10.0.0.2 uptime`),
  text(typed, (s) => `mysql -h db -u root -p${s} shop`),
  text(typed, (s) => `psql "host=db user=app password=${s} dbname=shop"`),
  text(plainPassword, (s) => `PGPASSWORD=${s} psql -h db -U app shop -c 'select 1'`),
  text(token, (s) => `API key\n${s}\nKeep it secret.`),
  text(token, (s) => `## Access token\n\n\`\`\`\n${s}\n\`\`\`\n\nIt expires in a year.`),
  text(typed, (s) => `Username\nann\nPassword\n${s}\n`),
  text(token, (s) => `::add-mask::${s}\nDone.`),
  text(azureDevOps, (s) => `git clone with ${s} worked`),
  text(mailgun, (s) => `sending with ${s} now`),
  text(
    (random) => `xprv9s21ZrQH143K${base58(random, 95)}`,
    (s) => `derived ${s} from it`,
  ),
  text(
    (random) => `${random.pick(['Kw', 'Kz', 'L1', 'L5'])}${base58(random, 50)}`,
    (s) => `importprivkey ${s} main`,
  ),
  text(vendorKey, (s, random) => `${random.time()} got ${s} from the vault`),
  text(vendorKey, (s) => `{"result":"${s}"}`),
  text(plainValue, (s) => `https://hooks.acme.io/webhook/${s}?x=1 was called`),
  text(plainValue, (s) => `wss://rt.acme.io/socket?apikey=${s}&v=2`),
  text(plainValue, (s) => `https://acme.io/callback#access_token=${s}&token_type=bearer`),
  text(password, (s) => `smtp login user=ann pass=${s.replaceAll(/[;,&]/g, 'x')} host=mx`),
  json(plainPassword, (s) => ({ url: `amqp://app:${s}@mq.acme.io:5672/prod` })),
  text(password, (s) => `<input type="hidden" name="client_secret" value="${s.replaceAll(/["&<]/g, 'x')}">`),
  json(token, (s) => ({ headers: [{ name: 'x-api-key', value: s }] })),
  json(token, (s) => ({ requestHeaders: ['accept', '*/*', 'authorization', `Token ${s}`] })),
  text(token, (s) => `mutation { login(input: {user: "ann", token: "${s}"}) { ok } }`),
  text(token, (s) => `set secret "${s}" in the vault\n`),
  text(token, (s) => `config set api.token ${s}\nok`),
  text(typed, (s) => `net user ann ${s} /add\nThe password is ${s}`),
];
