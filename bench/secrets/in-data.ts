/** Secrets that a name gives away: in JSON, headers and settings. */
import { http } from './carriers';
import { base64, json, named, text } from './drafts';
import type { SecretClass } from './planted';
import type { Random } from './random';
import { type Casing, machineValue, password } from './values';

const JSON_CASES: readonly Casing[] = ['camel', 'snake', 'snake', 'kebab', 'pascal', 'upper'];

export const IN_JSON: SecretClass = {
  id: 'names in JSON',
  count: 40,
  templates: [
    named(JSON_CASES, (name, s) => ({ [name]: s })),
    named(JSON_CASES, (name, s, random) => ({ id: random.int(1, 900), name: random.word(), [name]: s, active: true })),
    named(JSON_CASES, (name, s, random) => ({ config: { [random.word()]: { [name]: s, timeout: 3000 } } })),
    named(JSON_CASES, (name, s, random) => [{ host: random.ip(), [name]: s }, { host: random.ip() }]),
    named(JSON_CASES, (name, s) => ({ settings: [{ key: name, value: s, type: 'string' }] })),
    named(['upper'], (name, s) => ({
      mcpServers: { acme: { command: 'npx', args: ['-y', 'acme-mcp'], env: { [name]: s } } },
    })),
    named(['header'], (name, s, random) => ({
      mcpServers: { [random.word()]: { url: 'https://mcp.acme.io', headers: { [name]: s } } },
    })),
    named(['upper'], (name, s, random) => ({
      env: [
        { name, value: s },
        { name: 'PORT', value: `${random.int(3000, 9000)}` },
      ],
    })),
    named(JSON_CASES, (name, s, random) => ({ user: { ...random.person(), [name]: s } })),
    named(['camel', 'snake'], (name, s) => ({ data: { [name]: [s] } })),
    json(machineValue, (s, random) => ({
      access_token: s,
      token_type: 'bearer',
      expires_in: random.int(300, 9000),
      scope: 'read write',
    })),
    json(machineValue, (s) => ({ token_type: 'Bearer', refresh_token: s, expires_in: 3600 })),
    json(machineValue, (s, random) => ({
      client_id: random.hex(24),
      client_secret: s,
      redirect_uris: ['http://localhost:6274/cb'],
    })),
    json(machineValue, (s, random) => ({ credentials: { username: random.person().user, secret: s } })),
    json(machineValue, (s) => ({ tokens: { github: s, expires: null } })),
    json(password, (s, random) => ({
      connection: { host: 'db.internal', port: 5432, user: random.person().user, password: s },
    })),
    json(password, (s) => ({
      SecretString: JSON.stringify({ username: 'app', password: s }),
      VersionStages: ['AWSCURRENT'],
    })),
    json(password, (s, random) => ({
      Parameter: { Name: `/prod/${random.word()}/db_password`, Type: 'SecureString', Value: s },
    })),
    json(machineValue, (s) => ({ AccessKeyId: 'see console', SecretAccessKey: s, Expiration: '2026-12-01T00:00:00Z' })),
    json(password, (s, random) => ({
      items: [{ title: random.word(), fields: [{ id: 'password', type: 'CONCEALED', value: s }] }],
    })),
    json(machineValue, (s) => ({ auths: { 'ghcr.io': { auth: base64(`robot:${s}`) } } })),
    json(machineValue, (s, random) => ({ columns: ['id', 'api_key'], rows: [[random.int(1, 99), s]] })),
    json(machineValue, (s) => ({
      inputSchema: { type: 'object', properties: { api_key: { type: 'string', default: s } } },
    })),
    json(machineValue, (s, random) => ({
      webhook: { url: `https://${random.word()}.io/hook`, signingSecret: s, events: ['push'] },
    })),
    json(machineValue, (s, random) => ({
      data: [{ id: random.uuid(), object: 'project.api_key', value: s, redacted_value: 'ab...yz', api_key: s }],
    })),
    named(JSON_CASES, (name, s) => ({ jsonrpc: '2.0', id: 3, result: { ok: true, [name]: s } })),
    named(JSON_CASES, (name, s, random) => ({ [random.word()]: [{ [random.word()]: { [name]: s } }] })),
    named(JSON_CASES, (name, s) => ({ secrets: [{ name, value: s, updated_at: '2026-02-01' }] })),
    named(JSON_CASES, (name, s) => ({ variables: { [name]: { value: s, is_secret: true } } })),
    named(JSON_CASES, (name, s) => ({ form: { fields: [{ label: name, type: 'password', value: s }] } })),
    named(JSON_CASES, (name, s) => ({ before: { [name]: null }, after: { [name]: s } })),
    named(JSON_CASES, (name, s) => ({ payload: JSON.stringify({ [name]: s, v: 2 }) })),
    named(JSON_CASES, (name, s) => ({ log: `{"${name}":"${s}"}` })),
    named(['camel'], (name, s) => ({ [`new${name[0]!.toUpperCase()}${name.slice(1)}`]: s })),
    named(['snake'], (name, s, random) => ({ [`${name}_${random.pick(['prod', 'v2', 'primary', 'old', '1'])}`]: s })),
    named(['snake'], (name, s, random) => ({ [random.pick(['jira', 'gcp', 'neo4j'])]: { [name]: s } })),
    named(['upper'], (name, s) => ({
      inputs: [{ id: name.toLowerCase(), type: 'promptString', password: true, value: s }],
    })),
    named(['upper'], (name, s) => ({
      Environment: { Variables: { [name]: s, STAGE: 'prod' } },
      Runtime: 'nodejs20.x',
    })),
    named(['upper'], (name, s) => ({ containerDefinitions: [{ environment: [{ name, value: s }], image: 'acme:1' }] })),
    json(password, (s) => ({ contraseña: s, usuario: 'ana' })),
    json(password, (s) => ({ benutzer: 'anna', passwort: s })),
    json(password, (s) => ({ utilisateur: 'luc', mot_de_passe: s })),
    json(password, (s) => ({ usuario: 'rui', senha: s })),
    json(password, (s) => ({ login: { identifier: 'ann', secret: s } })),
    json(machineValue, (s) => ({ data: { createApiKey: { key: { id: 12, secret: s } } } })),
    json(machineValue, (s) => ({ id: 'whk_1', object: 'webhook_endpoint', secret: s, status: 'enabled' })),
    json(machineValue, (s) => ({ bot: { username: 'acme', token: s } })),
    json(machineValue, (s) => ({ session: { id_token: s, user: { id: 7 } } })),
    json(machineValue, (s) => ({ cookies: [{ name: 'session_token', value: s, httpOnly: true }] })),
    json(machineValue, (s) => ({ Credentials: { SessionToken: s, Expiration: '2026-11-01T00:00:00Z' } })),
    json(machineValue, (s) => ({
      type: 'authorized_user',
      client_id: 'x.apps',
      client_secret: s,
      quota_project_id: 'p',
    })),
    json(machineValue, (s) => ({ arguments: { auth: { type: 'bearer', bearer: s } } })),
    json(machineValue, (s) => ({
      auth: {
        type: 'apikey',
        apikey: [
          { key: 'value', value: s },
          { key: 'in', value: 'header' },
        ],
      },
    })),
    json(machineValue, (s) => ({ sealed: false, root_token: s, keys: [] })),
    json(machineValue, (s) => ({ license: { licenseKey: s, seats: 5 } })),
    json(machineValue, (s) => ({ otp: { secret: s, algorithm: 'SHA1', digits: 6 } })),
    json(machineValue, (s) => ({
      connectionString: `Endpoint=sb://acme.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}`,
    })),
  ],
};

const bearer = (s: string, random: Random) => random.pick([`Bearer ${s}`, `bearer ${s}`, `Token ${s}`, `Bearer ${s}`]);
const KEY_HEADERS = [
  'X-API-Key',
  'x-api-key',
  'api-key',
  'apikey',
  'X-Auth-Token',
  'X-Access-Token',
  'PRIVATE-TOKEN',
  'X-Vault-Token',
  'X-Goog-Api-Key',
  'Ocp-Apim-Subscription-Key',
  'DD-API-KEY',
  'X-Subscription-Token',
  'xi-api-key',
  'X-Shopify-Access-Token',
  'X-Figma-Token',
  'X-Functions-Key',
  'X-Api-Secret',
  'CF-Access-Client-Secret',
  'X-N8N-API-KEY',
  'X-Acme-Token',
];

/** A header of an HTTP request as the proxy records it. The tap masks the known ones, so these are in texts. */
export const IN_HEADERS: SecretClass = {
  id: 'headers',
  count: 32,
  templates: [
    json(machineValue, (s, random) => ({ headers: { Authorization: bearer(s, random), Accept: 'application/json' } })),
    json(machineValue, (s, random) => ({ method: 'GET', headers: { accept: '*/*', [random.pick(KEY_HEADERS)]: s } })),
    json(machineValue, (s, random) => ({
      headers: [
        ['accept', '*/*'],
        [random.pick(KEY_HEADERS), s],
      ],
    })),
    json(machineValue, (s, random) => ({
      request: {
        headers: [
          { name: random.pick(KEY_HEADERS), value: s },
          { name: 'Accept', value: '*/*' },
        ],
      },
    })),
    json(machineValue, (s) => ({ rawHeaders: ['Host', 'api.acme.io', 'Authorization', `Bearer ${s}`] })),
    text(
      machineValue,
      (s, random) => `curl -s -H "${random.pick(KEY_HEADERS)}: ${s}" https://api.acme.io/v1/${random.word()}`,
    ),
    text(
      machineValue,
      (s, random) =>
        `curl -X POST https://api.acme.io/v1 \\\n  -H 'Authorization: ${bearer(s, random)}' \\\n  -d '{"q":1}'`,
    ),
    text(
      machineValue,
      (s, random) =>
        `> GET /v1/${random.word()} HTTP/1.1\n> Host: api.acme.io\n> ${random.pick(KEY_HEADERS)}: ${s}\n> Accept: */*\n>`,
    ),
    text(
      machineValue,
      (s, random) =>
        `POST /mcp HTTP/1.1\r\nHost: mcp.acme.io\r\nAuthorization: ${bearer(s, random)}\r\nContent-Length: 52\r\n\r\n`,
    ),
    text(
      machineValue,
      (s) => `< HTTP/2 200\n< content-type: text/html\n< set-cookie: session=${s}; Path=/; HttpOnly; Secure`,
    ),
    text(
      machineValue,
      (s, random) =>
        `Cookie: theme=dark; ${random.pick(['sid', 'session', 'connect.sid', 'JSESSIONID', 'auth_session'])}=${s}; lang=en`,
    ),
    text(
      machineValue,
      (s, random) => `headers={'User-Agent': 'python-requests/2.32.3', '${random.pick(KEY_HEADERS)}': '${s}'}`,
    ),
    text(machineValue, (s) => `fetch(url, { headers: { Authorization: \`Bearer ${s}\` } })`),
    text(password, (s) => `Authorization: Basic ${base64(`admin:${s}`)}`),
    text(machineValue, (s) => `Invoke-RestMethod -Headers @{ Authorization = "Bearer ${s}" } -Uri https://api.acme.io`),
    text(machineValue, (s, random) => `http GET api.acme.io/items ${random.pick(KEY_HEADERS)}:${s}`),
    text(machineValue, (s) => `proxy_set_header X-Api-Key "${s}";`),
    text(machineValue, (s, random) => `[${random.time()}] DEBUG http: request header ${random.pick(KEY_HEADERS)}=${s}`),
    (random) => {
      const s = machineValue(random);
      return {
        said: [http({ kind: 'request', url: 'https://mcp.acme.io/mcp', method: 'POST', headers: [['x-acme-key', s]] })],
        secrets: [s],
      };
    },
    (random) => {
      const s = machineValue(random);
      return { said: [http({ kind: 'sse', event: 'message', data: `authorization: Bearer ${s}` })], secrets: [s] };
    },
    json(machineValue, (s) => ({ config: { headers: { common: {}, 'X-Api-Key': s } }, status: 500 })),
    json(machineValue, (s) => ({ request: { header: `GET /v1 HTTP/1.1\r\nAuthorization: Bearer ${s}\r\n\r\n` } })),
    json(machineValue, (s) => ({ headers: { cookie: `_ga=GA1.2; session=${s}; theme=dark` } })),
    json(machineValue, (s) => ({ headers: { 'set-cookie': [`auth_token=${s}; Path=/; HttpOnly`] } })),
    json(machineValue, (s) => ({ multiValueHeaders: { Authorization: [`Bearer ${s}`] } })),
    json(machineValue, (s, random) => ({ curl: `curl -H '${random.pick(KEY_HEADERS)}: ${s}' https://api.acme.io/v1` })),
    text(
      machineValue,
      (s, random) => `requests.get(url, headers={"Authorization": "${bearer(s, random)}"}, timeout=10)`,
    ),
    text(machineValue, (s, random) => `req.Header.Set("${random.pick(KEY_HEADERS)}", "${s}")`),
    text(machineValue, (s) => `map[Accept:[*/*] Authorization:[Bearer ${s}] User-Agent:[Go-http-client/1.1]]`),
    text(machineValue, (s, random) => `Headers: {\n  ${random.pick(KEY_HEADERS)}: [ '${s}' ],\n  accept: [ '*/*' ]\n}`),
    text(machineValue, (s) => `HttpHeaders: {"Authorization"=>"Bearer ${s}", "Accept"=>"*/*"}`),
    text(machineValue, (s) => `:authority: api.acme.io\nauthorization: Bearer ${s}\ncontent-type: application/grpc`),
    text(machineValue, (s) => `grpcurl -H 'authorization: bearer ${s}' api.acme.io:443 list`),
    text(machineValue, (s) => `X-Amz-Security-Token: ${s}\nX-Amz-Date: 20260301T100000Z`),
    text(machineValue, (s) => `WWW-Authenticate: Bearer realm="acme"\n> Authorization: Bearer ${s}`),
    text(password, (s) => `Proxy-Authorization: Basic ${base64(`admin:${s}`)}`),
    text(machineValue, (s) => `sec-websocket-protocol: bearer, ${s}\nauthorization: Bearer ${s}`),
    text(machineValue, (s, random) => `- name: ${random.pick(KEY_HEADERS)}\n  value: ${s}`),
  ],
};
