/** Secrets in URLs: queries, paths, and user and password. */
import { http, stderr } from './carriers';
import { json, text } from './drafts';
import type { SecretClass } from './planted';
import type { Random } from './random';
import { machineValue, password } from './values';

const QUERY_NAMES = [
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
  'api-key',
  'auth_token',
  'X-Amz-Signature',
  'tavilyApiKey',
  'exaApiKey',
  'session_token',
  'jwt',
  'secret',
  'pat',
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
    text(machineValue, (s) => `Location: https://app.acme.io/cb?code=${encodeURIComponent(s)}&state=ok&scope=read`),
    text(machineValue, (s) => `window.location = "https://app.acme.io/#id_token=${encodeURIComponent(s)}&state=1"`),
    text(machineValue, (s) => `curl 'https://maps.acme.io/geocode/json?address=Berlin&key=${encodeURIComponent(s)}'`),
    text(machineValue, (s) => `GET /weather?q=Berlin&appid=${encodeURIComponent(s)} HTTP/1.1`),
    text(machineValue, (s) => `https://api.acme.io/data?apikey=${encodeURIComponent(s)}#top`),
    text(
      machineValue,
      (s) => `Fetched https://files.acme.io/a.pdf?Expires=1767225600&Signature=${encodeURIComponent(s)}&Key-Pair-Id=K1`,
    ),
    text(machineValue, (s) => `mailto link: https://acme.io/verify/email?verification_token=${encodeURIComponent(s)}`),
    text(machineValue, (s) => `rtmp://live.acme.io/app?auth_key=${encodeURIComponent(s)}`),
    text(machineValue, (s) => `[http] --> POST /hook?secret=${encodeURIComponent(s)} 204`),
    text(machineValue, (s) => `amqp://broker?password=${encodeURIComponent(s)}&user=app`),
    text(machineValue, (s) => `postgres://db/shop?user=app&password=${encodeURIComponent(s)}`),
    text(
      machineValue,
      (s) => `{"next":"https://api.acme.io/items?cursor=2\\u0026access_token=${encodeURIComponent(s)}"}`,
    ),
    json(machineValue, (s) => ({ redirect_uri: `https://acme.io/cb?session_token=${encodeURIComponent(s)}` })),
    json(machineValue, (s) => ({ params: { q: 'x', api_key: s }, url: 'https://api.acme.io' })),
    json(machineValue, (s) => ({ searchParams: `q=x&apiKey=${encodeURIComponent(s)}` })),
    json(machineValue, (s) => ({ image: `https://img.acme.io/a.png?token=${encodeURIComponent(s)}`, w: 10 })),
    json(machineValue, (s) => ({ otpauth: `otpauth://totp/acme:ann?secret=${encodeURIComponent(s)}&issuer=acme` })),
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
    text(pathKey, (s) => `https://discord.com/api/webhooks/1234567890123456789/${s}`),
    text(pathKey, (s) => `https://hooks.slack.com/services/T00000000/B00000000/${s}`),
    text(pathKey, (s) => `https://polygon-mainnet.infura.io/v3/${s}`),
    text(pathKey, (s) => `wss://mainnet.helius-rpc.com/v0/${s}`),
    text(pathKey, (s) => `https://acme.quiknode.pro/${s}/`),
    text(pathKey, (s) => `curl -X POST https://outlook.office.com/webhook/${s}/IncomingWebhook`),
    text(pathKey, (s) => `connect: url=https://mcp.acme.io/api/mcp/${s} transport=http`),
    text(pathKey, (s) => `https://gateway.acme.io/v1/apikey/${s}/sse`),
    json(pathKey, (s) => ({
      mcpServers: { crawl: { command: 'npx', args: ['mcp-remote', `https://mcp.acme.dev/${s}/sse`] } },
    })),
    json(pathKey, (s) => ({ webhook_url: `https://hook.eu2.make.com/${s}` })),
    json(pathKey, (s) => ({ ics: `https://calendar.google.com/calendar/ical/ann%40acme.io/private-${s}/basic.ics` })),
    json(pathKey, (s) => ({ invite: `https://acme.io/reset-password/${s}` })),
    text(pathKey, (s) => `Magic link: https://acme.io/auth/magic/${s}`),
    text(pathKey, (s) => `https://prod-12.westeurope.logic.azure.com/workflows/${s}/triggers/manual/paths/invoke`),
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
    text(urlPassword, (s) => `amqps://svc:${s}@mq.acme.io:5671/%2f`),
    text(urlPassword, (s) => `nats://svc:${s}@10.0.0.9:4222`),
    text(urlPassword, (s) => `ldap://cn=admin:${s}@ldap.acme.io`),
    text(urlPassword, (s) => `sftp://backup:${s}@10.0.0.4/var/backups`),
    text(urlPassword, (s) => `smtp://ann%40acme.io:${s}@smtp.acme.io:587`),
    text(urlPassword, (s) => `neo4j+s://neo4j:${s}@db.acme.io`),
    text(urlPassword, (s) => `elasticsearch: https://elastic:${s}@10.0.0.3:9200 (healthy)`),
    text(urlPassword, (s) => `mongodb://root:${s}@m1:27017,m2:27017/admin?replicaSet=rs0`),
    text(urlPassword, (s) => `url = https://ann:${s}@git.acme.io/team/app.git`),
    text(urlPassword, (s) => `socks5://ann:${s}@127.0.0.1:1080`),
    text(urlPassword, (s) => `Data Source=db;Initial Catalog=shop;User Id=sa;Pwd=${s};`),
    text(urlPassword, (s) => `jdbc:mysql://app:${s}@db.internal:3306/shop`),
    text(urlPassword, (s) => `(DESCRIPTION=...) app/${s}@//db.internal:1521/ORCL password=${s}`),
    json(urlPassword, (s) => ({ broker_url: `redis://default:${s}@cache:6379/1`, result_backend: 'rpc://' })),
    json(urlPassword, (s) => ({ proxy: { host: '10.0.0.2', auth: `ann:${s}` } })),
  ],
};
