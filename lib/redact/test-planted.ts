import type { Channel, Direction, Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { byteTextOf } from './byte-text';
import { Piece } from './piece';
import { SHAPES } from './shapes';
import { valueForms } from './value-forms';

/** A secret, and the frames of a session that hold it. It must be in nothing that leaves. */
export interface Planted {
  /** Where it was planted. */
  readonly where: string;
  readonly secret: string;
  readonly frames: readonly Frame[];
  /** Only a review finds it, as a suspicion: a recording keeps it. */
  readonly onlyShared?: true;
}

const encoder = new TextEncoder();

/** A frame that nothing but its bytes matters of. */
export function plantedFrame(text: string, channel: Channel = 'protocol', direction: Direction = 'to-client'): Frame {
  return { seq: 1, time: 0, direction, channel, flags: 0, bytes: encoder.encode(text) };
}

let made = 0;

/** A value that is like no other, of digits and letters of both cases. */
function fresh(length = 20): string {
  made++;
  let text = '';
  for (let at = 0; text.length < length; at++)
    text += ALPHABET[(made * 31 + at * (7 + (made % 11)) + at * at) % ALPHABET.length];
  return `${text.slice(0, -3)}${made % 10}Zq`;
}

const ALPHABET = 'aB3cD4eF5gH6jK7mN8pQ9rS2tU';

type Make = (secret: string) => string | readonly (string | readonly [string, Channel])[];

function plant(where: string, make: Make, secret = fresh(), more: Pick<Planted, 'onlyShared'> = {}): Planted {
  const texts = make(secret);
  const frames = (typeof texts === 'string' ? [texts] : texts).map((text) =>
    typeof text === 'string' ? plantedFrame(text) : plantedFrame(...text),
  );
  return { where, secret, frames, ...more };
}

const call = (args: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'run', arguments: args } });
const result = (text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text }] } });
const http = (frame: unknown): readonly [string, Channel] => [
  JSON.stringify({ exchange: 1, ...(frame as object) }),
  'http',
];
const err = (text: string): readonly [string, Channel] => [text, 'stderr'];
const base64 = (text: string) => btoa(text);
const escaped = (text: string) =>
  Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Each place where a secret may come to stand in a session, with one of its own. */
export const PLANTED: readonly Planted[] = [
  // Headers and URLs, in case something gets by the tap.
  plant('Authorization header', (s) => [
    http({ kind: 'request', url: 'http://h/', headers: [['Authorization', `Bearer ${s}`]] }),
  ]),
  plant('Proxy-Authorization header', (s) => [
    http({ kind: 'request', headers: [['proxy-authorization', `Basic ${base64(`me:${s}`)}`]] }),
  ]),
  plant('Basic credentials, their password printed', (s) => [
    http({ kind: 'request', headers: [['authorization', `Basic ${base64(`me:${s}`)}`]] }),
    err(`login failed with ${s}`),
  ]),
  plant('Cookie header', (s) => [http({ kind: 'request', headers: [['Cookie', `a=1; sid=${s}`]] })]),
  plant('Set-Cookie header', (s) => [
    http({ kind: 'response', headers: [['set-cookie', `sid=${s}; HttpOnly; Path=/`]] }),
  ]),
  plant('X-Api-Key header', (s) => [http({ kind: 'request', headers: [['X-Api-Key', s]] })]),
  plant('header of a person’s own', (s) => [http({ kind: 'request', headers: [['X-Acme-Auth-Token', s]] })]),
  plant('Mcp-Session-Id header', (s) => [http({ kind: 'response', headers: [['mcp-session-id', s]] })]),
  plant('headers as an object', (s) => call({ headers: { Authorization: `Bearer ${s}` } })),
  plant('headers as pairs of name and value', (s) => call({ headers: [{ name: 'X-Auth-Token', value: s }] })),
  plant('value before its name', (s) => call({ env: [{ value: s, name: 'DB_PASSWORD' }] })),
  plant('user and password of a URL', (s) => result(`cloned https://bob:${s}@git.example.net/x.git`)),
  plant('user of a URL alone', (s) => result(`remote https://${s}@git.example.net/x.git`)),
  plant('URL with escaped slashes', (s) => `{"jsonrpc":"2.0","id":1,"result":{"url":"https:\\/\\/bob:${s}@h\\/x"}}`),
  plant('access_token in a query', (s) => [
    http({ kind: 'request', url: `https://h/mcp?a=1&access_token=${s}`, headers: [] }),
  ]),
  plant('key in a query', (s) => result(`GET https://maps.example.net/api?q=x&key=${s}`)),
  plant('signature in a query', (s) => result(`https://b.s3.example.net/o?X-Amz-Date=1&X-Amz-Signature=${s}`)),
  plant('sig of a shared access signature', (s) => result(`https://a.blob.example.net/c?sv=2024&sig=${s}%3D&se=1`)),
  plant('percent-encoded name in a query', (s) => result(`https://h/?api%5Fkey=${s}`)),
  plant('token in a fragment', (s) => result(`open https://h/#access_token=${s}&expires_in=3600`)),
  plant('session id in a query', (s) => [http({ kind: 'sse', event: 'endpoint', data: `/messages?sessionId=${s}` })]),
  plant('code of OAuth', (s) => result(`http://127.0.0.1:3000/oauth/callback?code=${s}&iss=x`)),
  plant('state of OAuth', (s) => result(`http://127.0.0.1:3000/callback?code=abc&state=${s}`)),
  plant('query within a query', (s) =>
    result(`https://h/login?next=${encodeURIComponent(`https://i/?access_token=${s}`)}`),
  ),
  // OAuth.
  plant('answer of a token endpoint', (s) => `{"access_token":"${s}","token_type":"Bearer","expires_in":3600}`),
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
  plant('flag in a command printed', (s) => [err(`$ deploy --verbose --password ${s} --now`)]),
  plant('environment printed', (s) => result(`PATH=/bin\nAWS_SECRET_ACCESS_KEY=${s}\nHOME=/`)),
  plant('environment as JSON', (s) => call({ env: { GITHUB_TOKEN: s } })),
  plant('export in a shell', (s) => result(`export OPENAI_API_KEY="${s}"`)),
  plant('quoted in Python', (s) => result(`client = Client(api_key='${s}')`)),
  plant('line of YAML', (s) => result(`database:\n  user: me\n  password: ${s}\n`)),
  plant('line of an INI file', (s) => result(`[db]\npassword = ${s}`)),
  plant('npmrc', (s) => result(`//registry.example.net/:_authToken=${s}`)),
  plant('connection string with a password', (s) => result(`Server=tcp:h,1433;User ID=me;Password=${s};Encrypt=True`)),
  plant('account key', (s) =>
    result(`DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s}==;EndpointSuffix=x`),
  ),
  plant('URL of a database', (s) => call({ url: `postgres://app:${s}@db.internal:5432/app` })),
  // Arguments and results.
  plant('argument', (s) => call({ apiKey: s })),
  plant('argument deep inside', (s) => call({ a: [{ b: { c: { password: s } } }] })),
  plant('short password', (s) => call({ password: s }), 'h4x'),
  plant('password that is a number', (s) => call({ passcode: Number(s) }), '86420135'),
  plant('list of tokens', (s) => call({ accessTokens: [s] })),
  // Names that have the word anywhere.
  ...[
    ...['tokens', 'token2', 'tokenId', 'authTokenV2', 'slackTokenBot', 'tokenProd', 'x-token-auth', 'bearerToken2'],
    ...['password1', 'passwords', 'passwordConfirm', 'password_confirmation', 'dbPasswordProd', 'passwordField'],
    ...['secret1', 'secret_prod', 'mySecretThing', 'client_secret_post', 'userPasswordPlain', 'pwd2', 'pat'],
    ...['api_keys', 'apikeys', 'X-Api-Key-2', `${'a'.repeat(70)}_password`],
  ].map((name) => plant(`under the name ${name}`, (s) => call({ [name]: s }))),
  plant('short password, repeated', (s) => call({ passwordConfirm: s }), 'h5x'),
  plant('tokens by what they are for', (s) => call({ tokens: { github: s } })),
  plant('secrets deep inside', (s) => call({ secrets: { prod: { db: [{ main: s }] } } })),
  plant('passwords in a list', (s) => call({ passwords: ['alpha', s] })),
  plant('credentials of another kind', (s) => call({ credentials: { user: 'bob', thing: s } })),
  plant('result as structure', (s) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: { structuredContent: { auth_token: s } } }),
  ),
  plant('JSON in a string', (s) => result(JSON.stringify({ ok: true, token: s }))),
  plant('JSON in a string in a string', (s) => result(JSON.stringify({ body: JSON.stringify({ secret: s }) }))),
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
  plant('data of an event', (s) => [http({ kind: 'sse', event: 'x', data: `token=${s}` })]),
  plant('comment of an event stream', (s) => [http({ kind: 'sse', comment: `Authorization: Bearer ${s}` })]),
  plant('body that is no JSON', (s) => [http({ kind: 'body', text: `<input type=hidden csrf_token="${s}">` })]),
  plant('stderr', (s) => [err(`connecting with token=${s}`)]),
  plant('stderr, a header', (s) => [err(`> Authorization: Bearer ${s}`)]),
  plant('stderr, a cookie', (s) => [err(`> Cookie: theme=dark; sid=${s}`)]),
  plant('stderr, JSON', (s) => [err(JSON.stringify({ level: 'info', cfg: { apiToken: s } }))]),
  plant('stdout junk', (s) => `DEBUG secret: "${s}"`),
  plant('broken JSON', (s) => `{"password":"${s}","a":`),
  plant('escapes in the middle of a line', (s) => [err(`sent token=${escaped(s)} ok`)]),
  plant('behind bytes that are no text', (s) => `\u00ff\u0080 token=${s}`),
  plant('stderr, a Basic credential, its password printed later', (s) => [
    err(`> Authorization: Basic ${base64(`bob:${s}`)}`),
    err(`pw ${s}`),
  ]),
  plant('coloured value', (s) => [err(`password=\u001b[31m${s}\u001b[0m`)]),
  plant('coloured name', (s) => [err(`\u001b[1;36mtoken\u001b[0m: \u001b[33m${s}\u001b[0m ok`)]),
  plant('coloured shape', (s) => result(`using \u001b[32m${s}\u001b[39m`), 'ghp_kW3rtY1234567890aBcDeFgHiJkLmNoPqRsT'),
  plant('colours as escapes of JSON in text', (s) => [err(`log {\\"password\\": \\"\\u001b[31m${s}\\"} end`)]),
  plant('line of YAML, db_pass', (s) => [err(`db_pass: ${s}`)]),
  plant('flag --pass in text', (s) => [err(`run --pass ${s} now`)]),
  plant('element of XML', (s) => result(`<db><password>${s}</password></db>`)),
  plant('element of XML, on a line of its own', (s) => result(`<apiKey id="1">\n  ${s}\n</apiKey>`)),
  plant('field of HTML', (s) => result(`<input type="text" name="password" value="${s}">`)),
  plant('setting of XML', (s) => [err(`<add key='ApiKey' value='${s}' />`)]),
  plant('pair of Python', (s) => [err(`[('user', 'bob'), ('password', '${s}')]`)]),
  plant('value in angle brackets', (s) => call({ password: `<${s}>` })),
  plant('Bearer and a tab', (s) => [err(`Bearer\t${s}`)]),
  plant('stderr, a line of a private key', (s) => [
    err('-----BEGIN PRIVATE KEY-----'),
    err('MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'),
    err(s),
    err('-----END PRIVATE KEY-----'),
  ]),
  plant(
    'stderr, the last short line of a private key, behind a prefix',
    (s) => [
      err('key: -----BEGIN EC PRIVATE KEY-----'),
      err('[srv] MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVJk5oxMj'),
      err(`[srv] ${s}`),
    ],
    'AbQ1k==',
  ),
  plant(
    'a private key in JSON, a line of it printed',
    (s) => [
      call({ privateKey: `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n${s}\n-----END PRIVATE KEY-----` }),
      err(`line ${s}`),
    ],
    fresh(64),
  ),
  // By value.
  plant('first in a header, then in a body', (s) => [
    http({ kind: 'request', headers: [['Authorization', `Bearer ${s}`]] }),
    result(`you sent ${s}!`),
  ]),
  plant(
    'by value, percent-encoded',
    (s) => [call({ password: s }), result(`x=${encodeURIComponent(s)}`)],
    'pa/ss+w0rd=ü9',
  ),
  plant(
    'by value, in a form',
    (s) => [call({ password: s }), result(`x=${new URLSearchParams({ a: s })}`)],
    "it's a (pass)~1",
  ),
  plant('by value, in base64', (s) => [call({ token: s }), result(base64(s))]),
  plant('by value, in base64 for URLs', (s) => [
    call({ token: s }),
    result(base64(s).replaceAll('/', '_').replaceAll('+', '-').replace(/=+$/, '')),
  ]),
  plant('by value, within a longer base64', (s) => [call({ token: s }), result(base64(`a:${s}:zz`))]),
  plant('by value, within base64, one on', (s) => [call({ token: s }), result(base64(`ab:${s}`))]),
  plant('by value, in hex', (s) => [
    call({ token: s }),
    result(Array.from(encoder.encode(s), (byte) => byte.toString(16).padStart(2, '0')).join('')),
  ]),
  plant('by value, as a name', (s) => [call({ token: s }), JSON.stringify({ result: { [s]: 1 } })]),
  plant('by value, escaped', (s) => [call({ token: s }), `{"result":"${escaped(s)}"}`]),
  plant('by value, a number', (s) => [call({ password: s }), `{"result":{"n":${s}}}`], '918273645546'),
  // Shapes, whatever they are called.
  ...SHAPES.filter(({ rule }) => rule !== 'authorization' && rule !== 'userinfo').flatMap(
    ({ rule, example }, index) => [plant(`shape ${index}: ${rule}`, (s) => result(`it is ${s}.`), example.join(''))],
  ),
  plant('shape on stderr', (s) => [err(`using ${s}`)], 'ghp_qW3rtY1234567890aBcDeFgHiJkLmNoPqRsT'),
  plant('shape behind an encoded =', (s) => result(`u%3D${s}`), 'ghp_zW3rtY1234567890aBcDeFgHiJkLmNoPqRsT'),
  // Suspicions.
  plant('home folder', (s) => [err(`at /home/${s}/app.js:1`)], 'mallory-q', { onlyShared: true }),
  plant('home folder of Windows', (s) => result(`C:\\Users\\${s}\\app`), 'mallory-w', { onlyShared: true }),
  plant('e-mail address', (s) => result(`by ${s}`), 'mallory.q@corp-x.io', { onlyShared: true }),
  plant('session id as a member', (s) => call({ sessionId: s }), fresh(), { onlyShared: true }),
  plant('in base64, never seen otherwise', (s) => result(`blob ${base64(`export API_TOKEN=${s}`)}`), fresh(), {
    onlyShared: true,
  }),
  plant('weak name', (s) => call({ signature: s }), fresh(), { onlyShared: true }),
];

/** Those of the planted secrets that are in an output, as they are or in another form. Text that is deflated has to be inflated first. */
export function survivors(output: string | Uint8Array, planted: readonly Planted[] = PLANTED): readonly string[] {
  const text = typeof output === 'string' ? byteTextOf(output) : new TextDecoder('latin1').decode(output);
  const readings = [text, unescaped(text), unescaped(unescaped(text))];
  return planted
    .filter(({ secret }) => {
      const forms = secret.length < LIMITS.secretChars ? [secret] : [...valueForms(byteTextOf(secret))];
      return forms.some((form) => readings.some((reading) => reading.includes(form)));
    })
    .map(({ where }) => where);
}

/** Escapes of JSON read wherever they stand: what a string within the text would say. */
function unescaped(text: string): string {
  return Piece.whole(text).inner(0, text.length).text;
}
