import { call, err, http, type Planted, plant, result } from './test-plant';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Each place of headers, addresses, OAuth and commands where a secret may stand. */
export const ON_THE_WIRE: readonly Planted[] = [
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
];
