import { call, err, fresh, http, type Planted, plant, result } from './test-plant';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const escaped = (text: string) =>
  Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Each place of messages and of what is printed beside them. */
export const IN_MESSAGES: readonly Planted[] = [
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
  plant('JSON in a long string', (s) => result(JSON.stringify({ x: 'z'.repeat(90_000), tokens: { github: s } }))),
  plant('a pair in JSON in a long string', (s) =>
    result(JSON.stringify({ x: 'z '.repeat(90_000), headers: [{ name: 'X-Api-Key', value: s }] })),
  ),
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
  plant('weak name', (s) => call({ signature: s }), fresh(20), { onlyShared: true }),
];
