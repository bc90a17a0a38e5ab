import { createHash } from 'node:crypto';
import { call, err, errLines, fresh, http, type Planted, plant, result, type Said } from './test-plant';
import { AS_PROGRAMS_PRINT, BY_LAYOUT } from './test-planted-printed';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const escaped = (text: string) =>
  Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Secrets in messages and on stderr. */
const IN_MESSAGES: readonly Planted[] = [
  // Arguments and results.
  plant('argument', (s) => call({ apiKey: s })),
  plant('argument deep inside', (s) => call({ a: [{ b: { c: { password: s } } }] })),
  plant('short password', (s) => call({ password: s }), 'h4x'),
  plant('password that is a number', (s) => call({ passcode: Number(s) }), '86420135'),
  plant('list of tokens', (s) => call({ accessTokens: [s] })),
  // Names with the word anywhere.
  ...[
    'tokens',
    'token2',
    'tokenId',
    'authTokenV2',
    'slackTokenBot',
    'tokenProd',
    'x-token-auth',
    'bearerToken2',
    'password1',
    'passwords',
    'passwordConfirm',
    'password_confirmation',
    'dbPasswordProd',
    'passwordField',
    'secret1',
    'secret_prod',
    'mySecretThing',
    'client_secret_post',
    'userPasswordPlain',
    'pwd2',
    'pat',
    'api_keys',
    'apikeys',
    'X-Api-Key-2',
    `${'a'.repeat(70)}_password`,
  ].map((name) => plant(`under the name ${name}`, (s) => call({ [name]: s }))),
  plant('short password, repeated', (s) => call({ passwordConfirm: s }), 'h5x'),
  plant('tokens by purpose', (s) => call({ tokens: { github: s } })),
  plant('secrets deep inside', (s) => call({ secrets: { prod: { db: [{ main: s }] } } })),
  plant('passwords in a list', (s) => call({ passwords: ['alpha', s] })),
  plant('credentials of another kind', (s) => call({ credentials: { user: 'bob', thing: s } })),
  plant('result as structure', (s) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: { structuredContent: { auth_token: s } } }),
  ),
  plant('JSON in a string', (s) => result(JSON.stringify({ ok: true, token: s }))),
  plant('JSON in a string in a string', (s) => result(JSON.stringify({ body: JSON.stringify({ secret: s }) }))),
  plant('JSON in a long string', (s) => result(JSON.stringify({ x: 'z'.repeat(90_000), tokens: { github: s } }))),
  plant('a pair in JSON in a long string', (s) =>
    result(JSON.stringify({ x: 'z '.repeat(90_000), headers: [{ name: 'X-Api-Key', value: s }] })),
  ),
  plant(
    'a pair with a short word for the value',
    (s) => result(JSON.stringify([{ key: 'NPM_TOKEN', val: s }])),
    'YZMFWmXB4owSKQVqWWMpZbVJ2J',
  ),
  plant('the seed of one-time passwords', (s) => result(`my_otp_seed = ${s}`), 'DAATGRHLMMAQ7S63PBDCXJZWOMG2HWPS'),
  plant('a value of YAML with a type', (s) => result(`api_key: !!str ${s}`), 'BKikiikfaHcGAkXmCmCKSzBn'),
  plant('an assignment of Go', (s) => result(`ftp_secret_key := "${s}"`)),
  plant('JSON in a very long string', (s) => result(JSON.stringify({ x: 'z '.repeat(400_000), apiToken: s }))),
  plant('JSON in the middle of text', (s) => result(`Response: {"token": "${s}", "n": 1} (200)`)),
  plant('JSON with escapes in the middle of text', (s) => result(`log {\\"password\\": \\"${s}\\"} end`)),
  plant('password with quotes in it', (s) => result(JSON.stringify({ password: s })), 'p"w/1\\2é'),
  plant('escaped letter by letter', (s) => `{"jsonrpc":"2.0","id":1,"result":{"token":"${escaped(s)}"}}`),
  plant('name escaped', (s) => `{"jsonrpc":"2.0","id":1,"result":{"\\u0074oken":"${s}"}}`),
  plant('error message', (s) => `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"bad api_key=${s}"}}`),
  plant(
    'error data',
    (s) => `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"x","data":{"Authorization":"Bearer ${s}"}}}`,
  ),
  plant(
    'answer to an elicitation',
    (s) => `{"jsonrpc":"2.0","id":3,"result":{"action":"accept","content":{"password":"${s}"}}}`,
  ),
  plant('default of a schema', (s) =>
    JSON.stringify({
      result: {
        tools: [{ name: 'a', inputSchema: { type: 'object', properties: { apiKey: { type: 'string', default: s } } } }],
      },
    }),
  ),
  plant('const of a schema', (s) =>
    JSON.stringify({ result: { tools: [{ name: 'a', inputSchema: { properties: { token: { const: s } } } }] } }),
  ),
  plant('examples of a schema', (s) =>
    JSON.stringify({ result: { tools: [{ name: 'a', inputSchema: { properties: { secret: { examples: [s] } } } }] } }),
  ),
  plant('enum of a schema', (s) =>
    JSON.stringify({ params: { requestedSchema: { properties: { password: { enum: [s] } } } } }),
  ),
  plant('_meta', (s) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"example.net/authToken":"${s}"}}}`),
  plant('event data', (s) => [http({ kind: 'sse', event: 'x', data: `token=${s}` })]),
  plant('event stream comment', (s) => [http({ kind: 'sse', comment: `Authorization: Bearer ${s}` })]),
  plant('a body that is not JSON', (s) => [http({ kind: 'body', text: `<input type=hidden csrf_token="${s}">` })]),
  plant('stderr', (s) => [err(`connecting with token=${s}`)]),
  plant('stderr, a header', (s) => [err(`> Authorization: Bearer ${s}`)]),
  plant('stderr, a cookie', (s) => [err(`> Cookie: theme=dark; sid=${s}`)]),
  plant('stderr, JSON', (s) => [err(JSON.stringify({ level: 'info', cfg: { apiToken: s } }))]),
  plant('stdout junk', (s) => `DEBUG secret: "${s}"`),
  plant('broken JSON', (s) => `{"password":"${s}","a":`),
  plant('escapes in the middle of a line', (s) => [err(`sent token=${escaped(s)} ok`)]),
  plant('after bytes that are not text', (s) => `\u00ff\u0080 token=${s}`),
  plant('stderr, a Basic credential, then its printed password', (s) => [
    err(`> Authorization: Basic ${base64(`bob:${s}`)}`),
    err(`pw ${s}`),
  ]),
  plant('coloured value', (s) => [err(`password=\u001b[31m${s}\u001b[0m`)]),
  plant('coloured name', (s) => [err(`\u001b[1;36mtoken\u001b[0m: \u001b[33m${s}\u001b[0m ok`)]),
  plant('coloured shape', (s) => result(`using \u001b[32m${s}\u001b[39m`), 'ghp_kW3rtY1234567890aBcDeFgHiJkLmNoPqRsT'),
  plant('colours as JSON escapes in text', (s) => [err(`log {\\"password\\": \\"\\u001b[31m${s}\\"} end`)]),
  plant('colours as JSON escapes on a line without JSON', (s) => [err(`password: \\u001b[1m${s}\\u001b[0m ok`)]),
  plant('YAML line, db_pass', (s) => [err(`db_pass: ${s}`)]),
  plant('flag --pass in text', (s) => [err(`run --pass ${s} now`)]),
  plant('XML element', (s) => result(`<db><password>${s}</password></db>`)),
  plant('XML element, its text on its own line', (s) => result(`<apiKey id="1">\n  ${s}\n</apiKey>`)),
  plant('HTML field', (s) => result(`<input type="text" name="password" value="${s}">`)),
  plant('HTML field with braces', (s) => result(`<input name="password" style={{ top: 0 }} value="${s}">`)),
  plant('XML setting', (s) => [err(`<add key='ApiKey' value='${s}' />`)]),
  plant('Python pair', (s) => [err(`[('user', 'bob'), ('password', '${s}')]`)]),
  plant('value in angle brackets', (s) => call({ password: `<${s}>` })),
  plant('Bearer and a tab', (s) => [err(`Bearer\t${s}`)]),
  plant('stderr, a line of a private key', (s) => [
    err('-----BEGIN PRIVATE KEY-----'),
    err('MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'),
    err(s),
    err('-----END PRIVATE KEY-----'),
  ]),
  plant(
    'stderr, the short last line of a private key, after a prefix',
    (s) => [
      err('key: -----BEGIN EC PRIVATE KEY-----'),
      err('[srv] MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVJk5oxMj'),
      err(`[srv] ${s}`),
    ],
    'AbQ1k==',
  ),
  plant('shape on stderr', (s) => [err(`using ${s}`)], 'ghp_qW3rtY1234567890aBcDeFgHiJkLmNoPqRsT'),
  plant('shape behind an encoded =', (s) => result(`u%3D${s}`), 'ghp_zW3rtY1234567890aBcDeFgHiJkLmNoPqRsT'),
  // Suspicions.
  plant('home folder', (s) => [err(`at /home/${s}/app.js:1`)], 'mallory-q', { onlyShared: true }),
  plant('Windows home folder', (s) => result(`C:\\Users\\${s}\\app`), 'mallory-w', { onlyShared: true }),
  plant('e-mail address', (s) => result(`by ${s}`), 'mallory.q@corp-x.io', { onlyShared: true }),
  plant('session id as a member', (s) => call({ sessionId: s }), fresh(), { onlyShared: true }),
  plant('only in base64', (s) => result(`blob ${base64(`export API_TOKEN=${s}`)}`), fresh(), {
    onlyShared: true,
  }),
  plant('weak name', (s) => call({ signature: s }), fresh(20), { onlyShared: true }),
];

const HEX = '0123456789abcdef';
const MIXED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LETTERS = MIXED.slice(0, 52);
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Returns this many random-looking characters, the same ones for the same name. */
function random(name: string, length: number, alphabet: string): string {
  const bytes = Buffer.concat([0, 1, 2, 3].map((part) => createHash('sha512').update(`${name}${part}`).digest()));
  return Array.from({ length }, (_, at) => alphabet[bytes[at % bytes.length]! % alphabet.length]).join('');
}

/** Key formats of services, as their makers describe them: beginning, then a number of characters of an alphabet. */
const KEYS: readonly (readonly [beginning: string, length: number, alphabet?: string, end?: string])[] = [
  ['AKIA', 16, UPPER],
  ['ASIA', 16, UPPER],
  ['ghp_', 36],
  ['gho_', 36],
  ['ghs_', 36],
  ['github_pat_11ABCDEFG0', 12, MIXED, `_${'x1Y2'.repeat(15)}`],
  ['glpat-', 20],
  ['xoxb-123456789012-123456789012-', 24],
  ['xapp-1-A0123456789-0123456789-', 40, HEX],
  ['hooks.slack.com/services/T0123456/B0123456/', 24],
  ['sk-ant-api03-', 95],
  ['sk-proj-', 48],
  ['sk-', 48],
  ['AIza', 35],
  ['ya29.', 80],
  ['GOCSPX-', 28],
  ['sk_live_', 24],
  ['rk_live_', 24],
  ['whsec_', 32],
  ['npm_', 36],
  ['pypi-AgEIcHlwaS5vcmc', 90],
  ['hf_', 34, LETTERS],
  ['SK', 32, HEX],
  ['SG.', 22, MIXED, `.${'aB3d'.repeat(10)}eFg`],
  ['dop_v1_', 64, HEX],
  ['lin_api_', 40],
  ['ntn_', 46],
  ['PMAK-', 24, HEX, `-${'01ab'.repeat(8)}cd`],
  ['gsk_', 52],
  ['xai-', 80],
  ['pplx-', 48],
  ['r8_', 37],
  ['tvly-', 32],
  ['fc-', 32, HEX],
  ['lsv2_pt_', 32, HEX, '_a1b2c3d4e5'],
  ['hvs.', 90],
  ['dp.pt.', 43],
  ['shpat_', 32, HEX],
  ['ATATT3xFfGF0', 180],
  ['dapi', 32, HEX],
  ['sbp_', 40, HEX],
  ['pscale_tkn_', 43],
  ['figd_', 40],
  ['NRAK-', 27, UPPER],
  ['glsa_', 32, MIXED, '_a1b2c3d4'],
  ['key-', 32, HEX],
  ['sq0atp-', 22],
  ['sntrys_', 80],
  ['HRKU-', 36],
  ['dckr_pat_', 27],
  ['rubygems_', 48, HEX],
  ['discord.com/api/webhooks/123456789012345678/', 68],
  ['api.telegram.org/bot123456789:', 35],
  ['AGE-SECRET-KEY-1', 58, UPPER],
];

/** Secrets known by their look, whatever their name: in results, in arguments, on stderr. */
const TOKENS: readonly Planted[] = KEYS.map(([beginning, length, alphabet = MIXED, end = ''], index) =>
  plant(
    `a key that begins with ${beginning}`,
    (s) => [[result(`it is ${s}.`)], [call({ thing: s })], [err(`using ${s}, ok`)]][index % 3]!,
    `${beginning}${random(beginning, length, alphabet)}${end}`,
  ),
);

const hex = (text: string) => Buffer.from(text).toString('hex');
const pairs = (text: string) => hex(text).match(/../g)!;
const known = (secret: string): Said => call({ token: secret });

/** A known value, and the form in which it is repeated. */
const again = (how: string, form: (secret: string) => string, secret?: string): Planted =>
  plant(`by value, ${how}`, (s) => [known(s), result(`it is ${form(s)} so`)], secret);

const ODD = 'pa/ss+w0rd=ü9';

/** Secrets that are revealed in one place and repeated in another. */
const BY_VALUE: readonly Planted[] = [
  plant('first in a header, then in a body', (s) => [
    http({ kind: 'request', headers: [['Authorization', `Bearer ${s}`]] }),
    result(`you sent ${s}!`),
  ]),
  plant('by value, in the same message, before it is revealed', (s) => call({ note: `it is ${s}`, apiKey: s })),
  plant('by value, in the same message, in base64', (s) => call({ apiKey: s, more: [base64(`x:${s}`)] })),
  plant('by value, as a name', (s) => [known(s), JSON.stringify({ result: { [s]: 1 } })]),
  plant('by value, a number', (s) => [call({ password: s }), `{"result":{"n":${s}}}`], '918273645546'),
  plant('by value, escaped', (s) => [known(s), `{"result":"${Array.from(s, (one) => `\\u00${hex(one)}`).join('')}"}`]),
  again('of eight characters', (s) => s, fresh(8)),
  again('percent-encoded', encodeURIComponent, ODD),
  again('percent-encoded byte by byte', (s) => hex(s).replace(/../g, '%$&').toUpperCase()),
  again('percent-encoded byte by byte, in lower case', (s) => hex(s).replace(/../g, '%$&')),
  again('percent-encoded twice', (s) => encodeURIComponent(encodeURIComponent(s)), ODD),
  again('in a form', (s) => new URLSearchParams({ a: s }).toString(), "it's a (pass)~1"),
  ...[20, 21, 22].map((length) => again(`in base64, ${length} characters`, base64, fresh(length))),
  again('in base64 for URLs', (s) => Buffer.from(s).toString('base64url'), 'sub?ject>>1~~?9'),
  again('within a longer base64', (s) => base64(`a:${s}:zz`)),
  again('within base64, shifted by one byte', (s) => base64(`ab:${s}`)),
  again('within base64, shifted by two bytes', (s) => base64(`abc:${s}`)),
  again('in base64 of base64', (s) => base64(base64(s))),
  again('in base64 of base64 of more', (s) => base64(`x ${base64(`user:${s}:end`)}`)),
  again('in base64 of JSON', (s) => base64(JSON.stringify({ a: s })), 'pa"ss\\w0rd9x'),
  again('in base64 of UTF-16', (s) => Buffer.from(s, 'utf16le').toString('base64')),
  again('in hex', hex),
  again('in hex, in upper case', (s) => hex(s).toUpperCase()),
  again('in hex with colons', (s) => pairs(s).join(':')),
  again('as a Node Buffer', (s) => `<Buffer ${pairs(s).join(' ')}>`),
  again('as Go bytes', (s) => `[${[...Buffer.from(s)].join(' ')}]`),
  again('as Python bytes', (s) => `b'${pairs(s).join('\\x').replace(/^/, '\\x')}'`),
  again('quoted by a shell', (s) => `PW='${s.replaceAll("'", `'\\''`)}' run`, "it's-a-b9x4-secret"),
  again('as Python prints it', (s) => `{'pw': '${s.replaceAll("'", "\\'")}'}`, "it's-a-c9x4-secret"),
  again('in markup', (s) => `<b>${s.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</b>`, 'a&b<c9d4f&g9'),
  plant('by value, printed on several lines', (s) => [known(s), ...errLines(s.replace(/.{64}/g, '$&\n'))], fresh(150)),
  plant(
    'by value, printed on several lines after a prefix, the last one short',
    (s) => [known(s), ...s.match(/.{1,70}/g)!.map((line, at) => err(at === 0 ? `key: ${line}` : `     ${line}`))],
    fresh(145),
  ),
];

/** Secrets in headers, URLs, OAuth and commands. */
const ON_THE_WIRE: readonly Planted[] = [
  // Headers and URLs, in case something gets past the tap.
  plant('Authorization header', (s) => [
    http({ kind: 'request', url: 'http://h/', headers: [['Authorization', `Bearer ${s}`]] }),
  ]),
  plant('Proxy-Authorization header', (s) => [
    http({ kind: 'request', headers: [['proxy-authorization', `Basic ${base64(`me:${s}`)}`]] }),
  ]),
  plant('Basic credentials, then the printed password', (s) => [
    http({ kind: 'request', headers: [['authorization', `Basic ${base64(`me:${s}`)}`]] }),
    err(`login failed with ${s}`),
  ]),
  plant('Cookie header', (s) => [http({ kind: 'request', headers: [['Cookie', `a=1; sid=${s}`]] })]),
  plant('Set-Cookie header', (s) => [
    http({ kind: 'response', headers: [['set-cookie', `sid=${s}; HttpOnly; Path=/`]] }),
  ]),
  plant('X-Api-Key header', (s) => [http({ kind: 'request', headers: [['X-Api-Key', s]] })]),
  plant('custom header', (s) => [http({ kind: 'request', headers: [['X-Acme-Auth-Token', s]] })]),
  plant('Mcp-Session-Id header', (s) => [http({ kind: 'response', headers: [['mcp-session-id', s]] })]),
  plant('headers as an object', (s) => call({ headers: { Authorization: `Bearer ${s}` } })),
  plant('headers as pairs of name and value', (s) => call({ headers: [{ name: 'X-Auth-Token', value: s }] })),
  plant('value before its name', (s) => call({ env: [{ value: s, name: 'DB_PASSWORD' }] })),
  plant('URL with user and password', (s) => result(`cloned https://bob:${s}@git.example.net/x.git`)),
  plant('URL with only a user', (s) => result(`remote https://${s}@git.example.net/x.git`)),
  plant('URL with escaped slashes', (s) => `{"jsonrpc":"2.0","id":1,"result":{"url":"https:\\/\\/bob:${s}@h\\/x"}}`),
  plant('access_token in a query', (s) => [
    http({ kind: 'request', url: `https://h/mcp?a=1&access_token=${s}`, headers: [] }),
  ]),
  plant('key in a query', (s) => result(`GET https://maps.example.net/api?q=x&key=${s}`)),
  plant('signature in a query', (s) => result(`https://b.s3.example.net/o?X-Amz-Date=1&X-Amz-Signature=${s}`)),
  plant('shared access signature in a query', (s) => result(`https://a.blob.example.net/c?sv=2024&sig=${s}%3D&se=1`)),
  plant('percent-encoded name in a query', (s) => result(`https://h/?api%5Fkey=${s}`)),
  plant('token in a fragment', (s) => result(`open https://h/#access_token=${s}&expires_in=3600`)),
  plant('session id in a query', (s) => [http({ kind: 'sse', event: 'endpoint', data: `/messages?sessionId=${s}` })]),
  plant('OAuth code', (s) => result(`http://127.0.0.1:3000/oauth/callback?code=${s}&iss=x`)),
  plant('OAuth state', (s) => result(`http://127.0.0.1:3000/callback?code=abc&state=${s}`)),
  plant('query within a query', (s) =>
    result(`https://h/login?next=${encodeURIComponent(`https://i/?access_token=${s}`)}`),
  ),
  // OAuth.
  plant('token endpoint response', (s) => `{"access_token":"${s}","token_type":"Bearer","expires_in":3600}`),
  plant('refresh token', (s) => `{"token_type":"Bearer","refresh_token":"${s}"}`),
  plant('form to a token endpoint', (s) => [
    http({ kind: 'body', text: `grant_type=refresh_token&refresh_token=${s}` }),
  ]),
  plant('code and verifier in a form', (s) => [
    http({ kind: 'body', text: `code=${s}&grant_type=authorization_code` }),
  ]),
  plant('code verifier', (s) => [http({ kind: 'body', text: `grant_type=authorization_code&code_verifier=${s}` })]),
  plant('client secret', (s) => call({ clientSecret: s })),
  // The command.
  plant('flag with =', (s) => [
    [JSON.stringify({ event: 'start', transport: 'stdio', args: ['x.js', `--api-key=${s}`] }), 'lifecycle'],
  ]),
  plant('flag and value', (s) => [
    [JSON.stringify({ event: 'start', transport: 'stdio', args: ['--token', s, 'x'] }), 'lifecycle'],
  ]),
  plant('flag in a printed command', (s) => [err(`$ deploy --verbose --password ${s} --now`)]),
  plant('printed environment', (s) => result(`PATH=/bin\nAWS_SECRET_ACCESS_KEY=${s}\nHOME=/`)),
  plant('environment as JSON', (s) => call({ env: { GITHUB_TOKEN: s } })),
  plant('export in a shell', (s) => result(`export OPENAI_API_KEY="${s}"`)),
  plant('quoted in Python', (s) => result(`client = Client(api_key='${s}')`)),
  plant('YAML line', (s) => result(`database:\n  user: me\n  password: ${s}\n`)),
  plant('INI file', (s) => result(`[db]\npassword = ${s}`)),
  plant('npmrc', (s) => result(`//registry.example.net/:_authToken=${s}`)),
  plant('connection string with a password', (s) => result(`Server=tcp:h,1433;User ID=me;Password=${s};Encrypt=True`)),
  plant('account key', (s) =>
    result(`DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s}==;EndpointSuffix=x`),
  ),
  plant('database URL', (s) => call({ url: `postgres://app:${s}@db.internal:5432/app` })),
];

/** All places where a secret may stand in a recording, each with a secret of its own. */
export const PLANTED: readonly Planted[] = [
  ...ON_THE_WIRE,
  ...IN_MESSAGES,
  ...BY_VALUE,
  ...AS_PROGRAMS_PRINT,
  ...TOKENS,
  ...BY_LAYOUT,
];
