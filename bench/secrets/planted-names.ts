/** Secrets that a name gives away: in JSON, headers, environments, command lines, URLs and settings files. */
import { call, http, printed, stderr, structured } from './carriers';
import type { Draft, SecretClass } from './planted';
import type { Random } from './random';
import { cased, lettersOnly, machineValue, password, secretName, shortValue } from './values';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A printed text around a secret. */
const text =
  (make: (random: Random) => string, write: (secret: string, random: Random) => string) =>
  (random: Random): Draft => {
    const secret = make(random);
    return { said: printed(write(secret, random), random), secrets: [secret] };
  };
/** A JSON value around a secret. */
const json =
  (make: (random: Random) => string, write: (secret: string, random: Random) => unknown) =>
  (random: Random): Draft => {
    const secret = make(random);
    return { said: structured(write(secret, random), random), secrets: [secret] };
  };
/** A name in one of these casings, and a value that fits it. */
const named = (
  casings: Parameters<typeof secretName>[1][],
  write: (name: string, secret: string, random: Random) => string | object,
) => {
  return (random: Random): Draft => {
    const { name, make } = secretName(random, ...casings);
    const secret = make(random);
    const written = write(name, secret, random);
    return {
      said: typeof written === 'string' ? printed(written, random) : structured(written, random),
      secrets: [secret],
    };
  };
};

const JSON_CASES: Parameters<typeof secretName>[1][] = ['camel', 'snake', 'snake', 'kebab', 'pascal', 'upper'];

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
  ],
};

const bearer = (s: string, random: Random) => random.pick([`Bearer ${s}`, `bearer ${s}`, `Token ${s}`, `Bearer ${s}`]);
const KEY_HEADERS = [
  ...[
    'X-API-Key',
    'x-api-key',
    'api-key',
    'apikey',
    'X-Auth-Token',
    'X-Access-Token',
    'PRIVATE-TOKEN',
    'X-Vault-Token',
  ],
  ...[
    'X-Goog-Api-Key',
    'Ocp-Apim-Subscription-Key',
    'DD-API-KEY',
    'X-Subscription-Token',
    'xi-api-key',
    'X-Shopify-Access-Token',
  ],
  ...['X-Figma-Token', 'X-Functions-Key', 'X-Api-Secret', 'CF-Access-Client-Secret', 'X-N8N-API-KEY', 'X-Acme-Token'],
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
  ],
};

export const IN_ENVIRONMENT: SecretClass = {
  id: 'environment',
  count: 28,
  templates: [
    named(['upper'], (name, s, random) => `NODE_ENV=production\n${name}=${s}\nPORT=${random.int(3000, 9000)}\n`),
    named(['upper'], (name, s) => `# .env\n${name}="${s}"\nDEBUG=false`),
    named(['upper'], (name, s) => `export ${name}='${s}'`),
    named(
      ['upper'],
      (name, s, random) =>
        `HOSTNAME=${random.hex(12)}\nSHLVL=1\nHOME=/root\n${name}=${s}\nPATH=/usr/local/bin:/usr/bin\nPWD=/app`,
    ),
    named(['upper'], (name, s) => `ENV ${name}=${s}\nRUN npm ci --omit=dev`),
    named(['upper'], (name, s) => `ENV ${name} ${s}`),
    named(['upper'], (name, s) => `docker run --rm -e ${name}=${s} -p 8080:8080 acme/mcp:latest`),
    named(['upper'], (name, s) => `    environment:\n      - LOG_LEVEL=info\n      - ${name}=${s}`),
    named(['upper'], (name, s) => `    environment:\n      LOG_LEVEL: info\n      ${name}: ${s}`),
    named(['upper'], (name, s) => ({ Config: { Env: ['PATH=/usr/bin', `${name}=${s}`], Cmd: ['node', 'server.js'] } })),
    named(['upper'], (name, s) => `[Service]\nEnvironment="${name}=${s}"\nExecStart=/usr/bin/node /srv/app.js`),
    named(['upper'], (name, s) => `$env:${name} = "${s}"`),
    named(['upper'], (name, s) => `set ${name}=${s}`),
    named(['upper'], (name, s) => `setx ${name} "${s}"`),
    named(['upper'], (name, s, random) => `${name}=${s} npx -y ${random.word()}-mcp --stdio`),
    named(
      ['upper'],
      (name, s) =>
        `        env:\n        - name: ${name}\n          value: "${s}"\n        - name: TZ\n          value: UTC`,
    ),
    named(['upper'], (name, s) => `declare -x ${name}="${s}"`),
    named(['upper'], (name, s) => `{ PATH: '/usr/bin', ${name}: '${s}', LANG: 'C.UTF-8' }`),
    named(['upper'], (name, s) => `environ({'PATH': '/usr/bin', '${name}': '${s}', 'LANG': 'C.UTF-8'})`),
    named(['upper'], (name, s) => `heroku config\n=== acme Config Vars\nLANG:  en\n${name}:  ${s}`),
    named(['upper'], (name, s) => `fly secrets set ${name}=${s} --stage`),
    named(['upper'], (name, s) => `::set-output name=result::ok\necho "${name}=${s}" >> $GITHUB_ENV`),
    named(['upper'], (name, s) => `os.environ["${name}"] = "${s}"`),
    named(['upper'], (name, s) => `process.env.${name} = '${s}';`),
    named(['upper'], (name, s) => `fish: set -gx ${name} ${s}`),
  ],
};

const FLAGS = [
  '--api-key',
  '--token',
  '--password',
  '--secret',
  '--access-token',
  '--auth-token',
  '--client-secret',
  '--apikey',
];

export const IN_COMMANDS: SecretClass = {
  id: 'command lines',
  count: 26,
  templates: [
    text(machineValue, (s, random) => `$ ${random.word()}-cli deploy ${random.pick(FLAGS)} ${s} --region eu-west-1`),
    text(machineValue, (s, random) => `npx -y ${random.word()}-mcp ${random.pick(FLAGS)}=${s}`),
    json(machineValue, (s, random) => ({
      command: 'npx',
      args: ['-y', `${random.word()}-mcp`, random.pick(FLAGS), s],
    })),
    json(machineValue, (s, random) => ({ command: 'uvx', args: [`${random.pick(FLAGS)}=${s}`, '--port', '3000'] })),
    json(machineValue, (s, random) => ({ argv: ['node', '/srv/app.js', '--verbose', random.pick(FLAGS), s] })),
    text(
      password,
      (s, random) => `root      ${random.int(100, 9999)}  0.0  1.2 python server.py --db-password ${s} --workers 2`,
    ),
    text(password, (s) => `mysql -h db.internal -u app -p${s} shop < dump.sql`),
    text(password, (s) => `mysqldump --user=app --password=${s} shop`),
    text(password, (s) => `curl -u admin:${s} https://ci.acme.io/api/json`),
    text(password, (s) => `PGPASSWORD=${s} psql -h db.internal -U app shop`),
    text(password, (s) => `redis-cli -h cache.internal -a ${s} PING`),
    text(password, (s) => `sshpass -p '${s}' ssh deploy@10.0.0.8 uptime`),
    text(password, (s) => `docker login -u robot -p ${s} registry.acme.io`),
    text(password, (s) => `wget --user=ann --password='${s}' https://files.acme.io/a.zip`),
    text(machineValue, (s) => `npm config set //registry.npmjs.org/:_authToken=${s}`),
    text(machineValue, (s) => `git clone https://oauth2:${s}@gitlab.acme.io/team/app.git`),
    text(machineValue, (s) => `vault login token=${s}`),
    text(machineValue, (s) => `aws configure set aws_secret_access_key ${s}`),
    text(machineValue, (s) => `az login --service-principal -u 00000000-1111 -p ${s} --tenant acme.io`),
    text(machineValue, (s) => `claude mcp add acme --env ACME_API_KEY=${s} -- npx acme-mcp`),
    text(password, (s) => `openssl pkcs12 -in cert.p12 -passin pass:${s} -nodes`),
    text(password, (s) => `ldapsearch -x -D cn=admin,dc=acme -w ${s} -b dc=acme`),
    text(password, (s) => `smbclient //files/share -U ann%${s}`),
    text(password, (s) => `mongosh "mongodb://db.internal" --username app --password ${s}`),
    text(machineValue, (s) => `kubectl create secret generic app --from-literal=api-token=${s}`),
    text(machineValue, (s) => `helm upgrade app ./chart --set auth.token=${s} --set replicas=2`),
    text(machineValue, (s) => `gh secret set DEPLOY_KEY --body "${s}"`),
  ],
};

const QUERY_NAMES = [
  ...[
    'api_key',
    'apikey',
    'apiKey',
    'key',
    'token',
    'access_token',
    'auth',
    'sig',
    'signature',
    'password',
    'client_secret',
  ],
  ...['api-key', 'auth_token', 'X-Amz-Signature', 'tavilyApiKey', 'exaApiKey', 'session_token', 'jwt', 'secret', 'pat'],
];

export const IN_QUERIES: SecretClass = {
  id: 'query strings',
  count: 24,
  templates: [
    text(
      machineValue,
      (s, random) =>
        `GET https://api.acme.io/v1/${random.word()}?${random.pick(QUERY_NAMES)}=${encodeURIComponent(s)}&limit=10`,
    ),
    text(
      machineValue,
      (s, random) => `https://mcp.acme.io/mcp?profile=dev&${random.pick(QUERY_NAMES)}=${encodeURIComponent(s)}`,
    ),
    text(machineValue, (s) => `http://localhost:6274/oauth/callback?code=${encodeURIComponent(s)}&state=xyz`),
    text(
      machineValue,
      (s) => `https://acme.io/app#access_token=${encodeURIComponent(s)}&token_type=bearer&expires_in=3600`,
    ),
    text(
      machineValue,
      (s) =>
        `https://acme.blob.core.windows.net/c/f?sv=2024-11-04&sr=b&se=2026-12-01&sp=r&sig=${encodeURIComponent(s)}`,
    ),
    text(
      machineValue,
      (s) =>
        `https://b.s3.amazonaws.com/o?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=900&X-Amz-Signature=${encodeURIComponent(s)}`,
    ),
    json(machineValue, (s, random) => ({
      url: `https://api.acme.io/${random.word()}?${random.pick(QUERY_NAMES)}=${encodeURIComponent(s)}`,
      status: 200,
    })),
    text(
      machineValue,
      (s, random) =>
        `${random.ip()} - - "GET /api/items?${random.pick(QUERY_NAMES)}=${encodeURIComponent(s)} HTTP/1.1" 200 512`,
    ),
    text(
      machineValue,
      (s, random) => `grant_type=client_credentials&client_id=${random.word()}&client_secret=${encodeURIComponent(s)}`,
    ),
    text(machineValue, (s) => `grant_type=authorization_code&code=${encodeURIComponent(s)}&code_verifier=see-log`),
    text(machineValue, (s) => `grant_type=refresh_token&refresh_token=${encodeURIComponent(s)}`),
    text(
      machineValue,
      (s) =>
        `Redirecting to https://id.acme.io/login?next=${encodeURIComponent(`https://acme.io/?access_token=${encodeURIComponent(s)}`)}`,
    ),
    text(machineValue, (s) => `wss://stream.acme.io/ws?token=${encodeURIComponent(s)}`),
    text(machineValue, (s) => `jdbc:postgresql://db.internal/shop?user=app&password=${encodeURIComponent(s)}&ssl=true`),
    text(machineValue, (s) => `<a href="https://acme.io/reset?lang=en&amp;token=${encodeURIComponent(s)}">Reset</a>`),
    (random) => {
      const s = random.text('mixed', 32);
      return {
        said: [http({ kind: 'request', method: 'GET', url: `https://mcp.acme.io/sse?apiKey=${s}`, headers: [] })],
        secrets: [s],
      };
    },
    (random) => {
      const s = random.text('url', 30);
      return { said: [http({ kind: 'sse', event: 'endpoint', data: `/messages?sessionId=${s}` })], secrets: [s] };
    },
  ],
};

/** Hosted endpoints whose path holds the key. */
export const IN_PATHS: SecretClass = {
  id: 'URL paths',
  count: 18,
  templates: [
    text(pathKey, (s) => `Connecting to https://mcp.zapier.com/api/mcp/s/${s}/mcp`),
    text(pathKey, (s) => `https://actions.zapier.com/mcp/${s}/sse`),
    text(pathKey, (s, random) => `{"mcpServers":{"${random.word()}":{"url":"https://mcp.firecrawl.dev/${s}/v2/sse"}}}`),
    json(pathKey, (s) => ({ url: `https://mcp.composio.dev/partner/composio/gmail/mcp/${s}` })),
    json(pathKey, (s, random) => ({ url: `https://server.smithery.ai/@acme/${random.word()}/${s}/mcp` })),
    text(pathKey, (s, random) => `POST https://hooks.zapier.com/hooks/catch/${random.int(100000, 999999)}/${s}/ 200`),
    text(pathKey, (s) => `http://homeassistant.local:8123/api/webhook/${s}`),
    text(pathKey, (s) => `https://eth-mainnet.g.alchemy.com/v2/${s}`),
    text(pathKey, (s) => `https://mainnet.infura.io/v3/${s}`),
    text(pathKey, (s) => `https://rpc.ankr.com/eth/${s}`),
    text(pathKey, (s) => `n8n: test webhook at https://n8n.acme.io/mcp/${s}/sse`),
    text(pathKey, (s) => `https://mcp.pipedream.net/${s}/gmail`),
    json(pathKey, (s) => ({ transport: 'sse', endpoint: `https://mcp.acme.io/key/${s}/sse` })),
    json(pathKey, (s) => ({ type: 'http', url: `https://mcp.acme.io/t/${s}/mcp` })),
    text(pathKey, (s) => `https://maker.ifttt.com/trigger/door/with/key/${s}`),
    text(pathKey, (s) => `https://mcp.acme.io/mcp/token/${s}`),
    (random) => {
      const s = pathKey(random);
      return {
        said: [http({ kind: 'request', method: 'POST', url: `https://mcp.acme.io/u/${s}/mcp`, headers: [] })],
        secrets: [s],
      };
    },
    (random) => {
      const s = pathKey(random);
      return { said: stderr(`mcp-remote: connecting to https://gateway.acme.io/${s}/mcp\nConnected`), secrets: [s] };
    },
  ],
};

function pathKey(random: Random): string {
  return random.pick([
    () => random.hex(32),
    () => random.uuid(),
    () => random.text('url', random.int(28, 48)).replace(/^[-_]|[-_]$/g, 'x'),
    () => random.text('mixed', random.int(24, 40)),
    () => `fc-${random.hex(32)}`,
  ])();
}

const SCHEMES = [
  'postgres',
  'postgresql',
  'mysql',
  'mongodb+srv',
  'redis',
  'rediss',
  'amqp',
  'https',
  'ftp',
  'smtp',
  'clickhouse',
  'mssql',
];
/** A password as it may stand in a URL. */
const urlPassword = (random: Random) => {
  const value = password(random);
  return random.chance(0.6) ? encodeURIComponent(value) : value.replace(/[#?]/g, '!');
};

export const IN_USERINFO: SecretClass = {
  id: 'URL user info',
  count: 20,
  templates: [
    text(urlPassword, (s, random) => `DATABASE_URL=${random.pick(SCHEMES)}://app:${s}@db.internal:5432/shop`),
    text(
      urlPassword,
      (s, random) => `connecting to ${random.pick(SCHEMES)}://${random.person().user}:${s}@${random.ip()}:6379/0`,
    ),
    text(urlPassword, (s) => `redis://:${s}@cache.internal:6379`),
    json(urlPassword, (s, random) => ({
      url: `${random.pick(SCHEMES)}://svc:${s}@db-${random.int(1, 9)}.acme.io/main?sslmode=require`,
    })),
    text(machineValue, (s) => `origin\thttps://${encodeURIComponent(s)}@github.com/acme/app.git (fetch)`),
    text(
      machineValue,
      (s) => `fatal: unable to access 'https://x-access-token:${encodeURIComponent(s)}@github.com/acme/app.git/': 403`,
    ),
    text(urlPassword, (s) => `pip install --index-url https://ann:${s}@pypi.acme.io/simple acme`),
    text(urlPassword, (s) => `HTTPS_PROXY=http://ann:${s}@proxy.acme.io:3128`),
    text(urlPassword, (s) => `could not connect to server: postgresql://postgres:${s}@localhost/postgres`),
    text(urlPassword, (s, random) => `sqlalchemy.url = mysql+pymysql://app:${s}@${random.ip()}/shop`),
    text(urlPassword, (s) => `rtsp://admin:${s}@192.168.1.20:554/stream1`),
    text(urlPassword, (s) => `Server=tcp:db.acme.io,1433;Database=shop;User ID=app;Password=${s};Encrypt=True`),
    text(urlPassword, (s) => `app:${s}@tcp(db.internal:3306)/shop?parseTime=true`),
    text(urlPassword, (s) => `host=db.internal user=app password=${s} dbname=shop sslmode=disable`),
  ],
};

export const IN_SETTINGS: SecretClass = {
  id: 'YAML, INI, TOML',
  count: 28,
  templates: [
    named(
      ['snake', 'camel', 'kebab'],
      (name, s, random) =>
        `server:\n  port: ${random.int(3000, 9000)}\n${random.word()}:\n  ${name}: ${s}\n  retries: 3`,
    ),
    named(['snake', 'camel'], (name, s) => `auth:\n  ${name}: "${s}"\n`),
    named(['snake', 'camel'], (name, s) => `auth:\n    ${name}: '${s}'   # rotate in June\n`),
    named(['snake', 'kebab'], (name, s) => `auth:\n  ${name}: >-\n    ${s}\n  user: ann\n`),
    named(['snake', 'kebab'], (name, s) => `[default]\nregion = eu-west-1\n${name} = ${s}\n`),
    named(['snake', 'kebab'], (name, s) => `; settings\n[acme]\n${name}=${s}`),
    named(['snake', 'kebab'], (name, s) => `[acme]\nurl = "https://api.acme.io"\n${name} = "${s}"\n`),
    named(['camel', 'snake'], (name, s) => `acme.url=https://api.acme.io\nacme.${name}=${s}\nacme.retries=3`),
    named(['camel', 'snake'], (name, s) => `acme { url = "https://api.acme.io", ${name} = "${s}" }`),
    named(['snake'], (name, s) => `variable "${name}" {\n  type    = string\n  default = "${s}"\n}`),
    named(['snake'], (name, s) => `  + ${name} = "${s}"`),
    named(['camel', 'pascal'], (name, s) => `<add key="${name}" value="${s}" />`),
    named(['camel', 'snake'], (name, s) => `<config>\n  <${name}>${s}</${name}>\n</config>`),
    named(['camel', 'snake'], (name, s) => `const config = {\n  ${name}: '${s}',\n  debug: false,\n};`),
    named(['snake'], (name, s) => `client = Acme(${name}="${s}", timeout=30)`),
    named(['camel'], (name, s) => `val ${name} = "${s}"`),
    text(password, (s) => `machine api.acme.io\n  login ann\n  password ${s}\n`),
    text(password, (s) => `db.internal:5432:shop:app:${s}\n`),
    text(machineValue, (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\nstringData:\n  config: ${s}\n`),
    text(machineValue, (s) => `[profile prod]\naws_secret_access_key = ${s}\naws_session_token = none`),
    text(machineValue, (s) => `//registry.npmjs.org/:_authToken=${s}\nregistry=https://registry.npmjs.org/`),
    text(machineValue, (s) => `[distutils]\nindex-servers = pypi\n[pypi]\nusername = __token__\npassword = ${s}`),
    text(machineValue, (s) => `[Interface]\nAddress = 10.7.0.2/32\nPrivateKey = ${s}\n`),
    text(password, (s) => `| user | password |\n|---|---|\n| ann | ${s} |\n`),
    text(machineValue, (s, random) => `id,name,api_key\n${random.int(1, 99)},${random.word()},${s}\n`),
    text(machineValue, (s) => `- hosts: all\n  vars:\n    ansible_become_password: ${s}`),
    text(machineValue, (s) => `spring.datasource.username=app\nspring.datasource.password=${s}`),
    text(machineValue, (s) => `users:\n- name: admin\n  user:\n    token: ${s}`),
  ],
};

const SHORT: readonly ((name: string, s: string, random: Random) => string | object)[] = [
  (name, s) => ({ [name]: s }),
  (name, s) => ({ user: 'ann', [name]: s }),
  (name, s) => `${name}: ${s}`,
  (name, s) => `${name}=${s}`,
  (name, s) => `${name} = "${s}"`,
  (name, s) => `auth:\n  user: ann\n  ${name}: ${s}\n`,
  (name, s) => `run --${name.replaceAll('_', '-')} ${s} --once`,
  (name, s) => `run --${name.replaceAll('_', '-')}=${s}`,
  (name, s) => `https://acme.io/?${name}=${s}&x=1`,
  (name, s, random) => `${random.time()} login ok ${name}=${s} ms=12`,
];
const SHORT_NAMES = [
  'password',
  'db_password',
  'api_key',
  'token',
  'client_secret',
  'auth_token',
  'passwd',
  'admin_password',
  'secret',
];

const short = (make: (random: Random) => string, name: (random: Random) => string) =>
  SHORT.map((write) => (random: Random): Draft => {
    const s = make(random);
    const written = write(name(random), s, random);
    return { said: typeof written === 'string' ? printed(written, random) : structured(written, random), secrets: [s] };
  });

/** Values that only their name gives away. */
export const SHORT_OR_LETTERS: SecretClass = {
  id: 'short or letters only',
  count: 28,
  templates: [
    ...short(shortValue, (random) => random.pick(SHORT_NAMES)),
    ...short(shortValue, (random) =>
      cased(random.pick(SHORT_NAMES).replaceAll('_', ' '), random.pick(['upper', 'camel'])),
    ),
    ...short(lettersOnly, (random) => random.pick(SHORT_NAMES)),
    text(lettersOnly, (s) => `Authorization: Bearer ${s}`),
    json(lettersOnly, (s) => ({ headers: { authorization: `Bearer ${s}` } })),
    json(lettersOnly, (s) => ({ headers: { 'x-api-key': s } })),
    text(shortValue, (s) => `ftp://ann:${s}@files.acme.io/`),
    text(lettersOnly, (s) => `postgres://app:${s}@db.internal/shop`),
    (random) => {
      const s = `${random.int(100000, 99999999)}`;
      return { said: [call('unlock', { pin: s, passcode: s })], secrets: [s] };
    },
  ],
};
