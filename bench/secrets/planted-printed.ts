/** Secrets in what servers and programs print: errors, log lines, objects, other languages, encodings and key files. */
import { call, http, printed, result, type Said, stderr, structured } from './carriers';
import type { Draft, SecretClass } from './planted';
import type { Random } from './random';
import { lettersOnly, machineValue, password, secretName, shortValue } from './values';

type Make = (random: Random) => string;
const base64 = (text: string) => Buffer.from(text).toString('base64');

const text =
  (make: Make, write: (secret: string, random: Random) => string) =>
  (random: Random): Draft => {
    const secret = make(random);
    return { said: printed(write(secret, random), random), secrets: [secret] };
  };
const onStderr =
  (make: Make, write: (secret: string, random: Random) => string) =>
  (random: Random): Draft => {
    const secret = make(random);
    return { said: stderr(write(secret, random)), secrets: [secret] };
  };
const failed =
  (make: Make, write: (secret: string, random: Random) => string) =>
  (random: Random): Draft => {
    const secret = make(random);
    const message = write(secret, random);
    const said = random.pick([
      () => JSON.stringify({ jsonrpc: '2.0', id: 4, error: { code: -32603, message } }),
      () =>
        JSON.stringify({
          jsonrpc: '2.0',
          id: 4,
          error: { code: -32603, message: 'Internal error', data: { cause: message } },
        }),
      () =>
        JSON.stringify({
          jsonrpc: '2.0',
          id: 4,
          result: { isError: true, content: [{ type: 'text', text: `Error: ${message}` }] },
        }),
    ])();
    return { said: [said], secrets: [secret] };
  };

/** A name such as programs give their fields, and a value that fits it. */
const field = (
  casings: Parameters<typeof secretName>[1][],
  write: (name: string, secret: string, random: Random) => string,
  stream: 'any' | 'stderr' = 'stderr',
) => {
  return (random: Random): Draft => {
    const { name, make } = secretName(random, ...casings);
    const secret = make(random);
    const written = write(name, secret, random);
    return { said: stream === 'stderr' ? stderr(written) : printed(written, random), secrets: [secret] };
  };
};

export const ON_STDERR: SecretClass = {
  id: 'stderr lines',
  count: 28,
  templates: [
    field(['snake', 'camel'], (name, s, random) => `[${random.time()}] INFO  config: ${name}=${s}`),
    field(['upper'], (name, s, random) => `${random.time()} [${random.word()}] Using ${name}: ${s}`),
    field(['snake'], (name, s) => `DEBUG:root:Loaded config with ${name}='${s}'`),
    field(['spaced'], (name, s) => `Using ${name}: ${s}`),
    field(['spaced'], (name, s) => `Starting server with ${name} "${s}"`),
    field(
      ['snake', 'kebab'],
      (name, s, random) => `time="${random.time()}" level=info msg="client ready" ${name}=${s}`,
    ),
    field(
      ['camel'],
      (name, s, random) => `{"level":30,"time":${random.int(1e12, 2e12)},"pid":17,"msg":"ready","${name}":"${s}"}`,
    ),
    field(['upper'], (name, s) => `\u001b[32minfo\u001b[39m: \u001b[36m${name}\u001b[39m=\u001b[33m${s}\u001b[39m`),
    field(['upper'], (name, s) => `warn: ${name} (${s}) is deprecated, use config.json`),
    field(['snake'], (name, s) => `(node:17) Warning: ${name} was given on the command line: ${s}`),
    field(['camel'], (name, s) => `  acme:client options { baseUrl: 'https://api.acme.io', ${name}: '${s}' } +0ms`),
    field(['snake'], (name, s) => `+ ${name.toUpperCase()}=${s}\n+ exec node server.js`),
    onStderr(machineValue, (s) => `>>> POST /oauth/token {"grant_type":"client_credentials","client_secret":"${s}"}`),
    onStderr(
      machineValue,
      (s) => `send: b'GET /v1/items HTTP/1.1\\r\\nHost: api.acme.io\\r\\nAuthorization: Bearer ${s}\\r\\n\\r\\n'`,
    ),
    onStderr(
      machineValue,
      (s) =>
        `DEBUG:urllib3.connectionpool:https://api.acme.io:443 "GET /v1/items?api_key=${s.replace(/[^\w-]/g, 'z')} HTTP/11" 200 512`,
    ),
    onStderr(password, (s) => `Connecting to postgres as app with password ${s}`),
    onStderr(password, (s) => `DB login: app / password: ${s}`),
    onStderr(machineValue, (s) => `Generated one-time admin token: ${s}`),
    onStderr(
      machineValue,
      (s) => `Jupyter Server is running at:\nhttp://localhost:8888/lab?token=${s.replace(/[^\w-]/g, 'z')}`,
    ),
    onStderr(machineValue, (s) => `🔑 Session token: ${s}`),
    onStderr(
      machineValue,
      (s) =>
        `Proxy server listening on 127.0.0.1:6277\n🔑 Session token: ${s}\nUse this token to authenticate requests`,
    ),
    onStderr(
      password,
      (s) =>
        `*************************************************************\nPlease use the following password to proceed to installation:\n\npassword: ${s}\n`,
    ),
    onStderr(machineValue, (s) => `request failed: headers: Headers { authorization: 'Bearer ${s}', accept: '*/*' }`),
  ],
};

export const IN_ERRORS: SecretClass = {
  id: 'error messages',
  count: 28,
  templates: [
    failed(machineValue, (s) => `401 Incorrect API key provided: ${s}. You can find your API key in the dashboard.`),
    failed(machineValue, (s) => `Invalid API key: ${s}`),
    failed(machineValue, (s) => `Invalid token "${s}" for workspace acme`),
    failed(machineValue, (s) => `The access token '${s}' has expired`),
    failed(machineValue, (s) => `invalid api_key=${s}`),
    failed(
      password,
      (s, random) => `connection to server failed: postgresql://app:${encodeURIComponent(s)}@${random.ip()}:5432/shop`,
    ),
    failed(
      machineValue,
      (s) =>
        `HTTPSConnectionPool(host='api.acme.io', port=443): Max retries exceeded with url: /v1/items?apikey=${s.replace(/[^\w-]/g, 'z')} (Caused by ConnectTimeoutError())`,
    ),
    failed(
      machineValue,
      (s) => `Request failed with status code 403, config: {"url":"/v1","headers":{"Authorization":"Bearer ${s}"}}`,
    ),
    failed(
      machineValue,
      (s) =>
        `AxiosError: Request failed\n  config: {\n    headers: { 'X-API-Key': '${s}', Accept: 'application/json' },\n    method: 'get'\n  }`,
    ),
    failed(
      machineValue,
      (s) => `Command failed: curl -H "Authorization: Bearer ${s}" https://api.acme.io\ncurl: (22) 401`,
    ),
    failed(password, (s) => `Command failed: mysqldump -u root --password=${s} shop\nmysqldump: Got error: 1045`),
    failed(
      machineValue,
      (s) => `Command failed: git clone https://x-token-auth:${encodeURIComponent(s)}@bitbucket.org/acme/app.git`,
    ),
    failed(
      password,
      (s) =>
        `Traceback (most recent call last):\n  File "server.py", line 12, in <module>\n    db = connect(host="db", user="app", password="${s}")\nOperationalError: timeout`,
    ),
    failed(machineValue, (s) => `KeyError in call_tool({'name': 'search', 'api_key': '${s}'})`),
    failed(
      machineValue,
      (s) =>
        `ZodError: [{"code":"too_small","path":["apiKey"],"message":"String must contain at least 64 characters","received":{"apiKey":"${s}"}}]`,
    ),
    failed(
      machineValue,
      (s) =>
        `1 validation error for Settings\napi_token\n  Value error, bad prefix [type=value_error, input_value={'api_token': '${s}'}, input_type=dict]`,
    ),
    failed(machineValue, (s) => `Error: Bad credentials (token: ${s})`),
    failed(machineValue, (s) => `panic: config{Addr:":8080", APIToken:"${s}", Debug:false}`),
    failed(machineValue, (s) => `thread 'main' panicked: Config { token: "${s}", retries: 3 }`),
    failed(
      password,
      (s) =>
        `java.sql.SQLException: Cannot create PoolableConnectionFactory (url=jdbc:mysql://db/shop?user=app&password=${encodeURIComponent(s)})`,
    ),
    failed(password, (s) => `LDAPBindError: bind failed for cn=admin,dc=acme with password '${s}'`),
    failed(machineValue, (s) => `Webhook signature mismatch: secret=${s}`),
    failed(machineValue, (s) => `Failed to refresh: {"error":"invalid_grant","refresh_token":"${s}"}`),
    failed(machineValue, (s) => `Unauthorized: Bearer ${s}`),
  ],
};

export const LOG_OBJECTS: SecretClass = {
  id: 'log objects',
  count: 26,
  templates: [
    field(['camel', 'snake'], (name, s) => `{ id: 7, ${name}: '${s}', retries: 3 }`, 'any'),
    field(
      ['camel'],
      (name, s) => `Client {\n  baseUrl: 'https://api.acme.io',\n  ${name}: '${s}',\n  [Symbol(kState)]: 1\n}`,
      'any',
    ),
    field(['snake'], (name, s) => `{'id': 7, '${name}': '${s}', 'retries': None}`, 'any'),
    field(['snake'], (name, s) => `Settings(debug=False, ${name}='${s}', port=8080)`, 'any'),
    field(['snake'], (name, s) => `Settings(debug=False, ${name}=SecretStr('${s}'))`, 'any'),
    field(['snake'], (name, s) => `{:id=>7, :${name}=>"${s}", :retries=>3}`, 'any'),
    field(['snake'], (name, s) => `{"id"=>7, "${name}"=>"${s}"}`, 'any'),
    field(['snake'], (name, s) => `#<Acme::Client:0x00007f host="api.acme.io", @${name}="${s}">`, 'any'),
    field(['snake'], (name, s) => `Array\n(\n    [host] => api.acme.io\n    [${name}] => ${s}\n)`, 'any'),
    field(
      ['snake'],
      (name, s) =>
        `array(2) {\n  ["host"]=>\n  string(11) "api.acme.io"\n  ["${name}"]=>\n  string(${s.length}) "${s}"\n}`,
      'any',
    ),
    field(['pascal'], (name, s) => `&{Host:api.acme.io ${name}:${s} Debug:false}`, 'any'),
    field(['pascal'], (name, s) => `main.Config{Host:"api.acme.io", ${name}:"${s}"}`, 'any'),
    field(['snake'], (name, s) => `Config { host: "api.acme.io", ${name}: "${s}", debug: false }`, 'any'),
    field(['snake'], (name, s) => `Config { host: "api.acme.io", ${name}: Some("${s}") }`, 'any'),
    field(
      ['camel'],
      (name, s) => `ClientConfig[host=api.acme.io, ${name}=${s.replace(/[\],]/g, 'x')}, debug=false]`,
      'any',
    ),
    field(
      ['camel'],
      (name, s) => `ClientConfig(host=api.acme.io, ${name}=${s.replace(/[),]/g, 'x')}, debug=false)`,
      'any',
    ),
    field(
      ['camel'],
      (name, s) => `{"@timestamp":"2026-03-01T10:00:00Z","message":"connected","ctx":{"${name}":"${s}"}}`,
    ),
    field(['snake'], (name, s) => `event='client ready' ${name}='${s}' level='info'`),
    field(['snake'], (name, s) => `level=info component=auth ${name}="${s}" attempt=1`),
    field(
      ['camel'],
      (name, s) => `2026-03-01 10:00:00 INFO Client - Map(host -> api.acme.io, ${name} -> ${s.replace(/[),]/g, 'x')})`,
    ),
    field(['kebab'], (name, s) => `{:host "api.acme.io", :${name} "${s}"}`, 'any'),
    field(['snake'], (name, s) => `%{host: "api.acme.io", ${name}: "${s}"}`, 'any'),
    field(['snake'], (name, s) => `{"method":"connect","params":"{\\"${name}\\":\\"${s}\\"}"}`, 'any'),
    field(['snake'], (name, s) => `host         = api.acme.io\n${name.padEnd(12)} = ${s}\nretries      = 3`, 'any'),
    field(['spaced'], (name, s) => `│ ${name.padEnd(16)} │ ${s} │`, 'any'),
  ],
};

/** How a secret is written otherwise, after the recording has its value or without. */
const FORMS: readonly ((s: string) => string)[] = [
  base64,
  (s) => base64(`user:${s}`),
  (s) => base64(JSON.stringify({ k: s })),
  (s) => Buffer.from(s).toString('base64url'),
  (s) => Buffer.from(s).toString('hex'),
  (s) => Buffer.from(s).toString('hex').toUpperCase(),
  (s) => encodeURIComponent(s),
  (s) => encodeURIComponent(encodeURIComponent(s)),
  (s) => Array.from(s, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  (s) => Array.from(s, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  (s) => Array.from(s, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  (s) => Array.from(s, (one) => `&#${one.charCodeAt(0)};`).join(''),
  (s) => base64(base64(s)),
  (s) => JSON.stringify(JSON.stringify(s)).slice(3, -3),
  (s) => s.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
];

/** A value that the recording has under a name, and again in another form. */
function repeated(random: Random): Draft {
  const { name, make } = secretName(random, 'camel', 'snake');
  const secret = make(random);
  const form = random.pick(FORMS)(secret);
  const source = random.pick([
    () => call('connect', { [name]: secret }),
    () =>
      http({
        kind: 'request',
        method: 'POST',
        url: 'https://mcp.acme.io',
        headers: [['authorization', `Bearer ${secret}`]],
      }),
    () => stderr(`${name}=${secret}`)[0]!,
  ])();
  const place = random.pick([
    (at: string) => `blob ${at} end`,
    (at: string) => `sent: ${at}`,
    (at: string) => `[${at}]`,
  ]);
  return { said: [source, ...printed(place(form), random)], secrets: [secret, form] };
}

/** A value that the server was started with, from its environment or arguments, in any form. */
function given(random: Random): Draft {
  const secret = random.pick([machineValue, password, lettersOnly])(random);
  const form = random.pick([(s: string) => s, (s: string) => s, ...FORMS])(secret);
  const place = random.pick([(at: string) => `dump ${at}`, (at: string) => `x=${at};`, (at: string) => `(${at})`]);
  return { said: printed(place(form), random), secrets: [form], given: [secret] };
}

const encoded =
  (make: Make, write: (secret: string) => readonly [shown: string, form: string]) =>
  (random: Random): Draft => {
    const [shown, form] = write(make(random));
    return { said: printed(shown, random), secrets: [form] };
  };

export const ENCODED: SecretClass = {
  id: 'encodings',
  count: 34,
  templates: [
    ...Array.from({ length: 9 }, () => repeated),
    ...Array.from({ length: 7 }, () => given),
    encoded(password, (s) => [`Authorization: Basic ${base64(`ann:${s}`)}`, base64(`ann:${s}`)]),
    encoded(password, (s) => [`apiVersion: v1\nkind: Secret\ndata:\n  password: ${base64(s)}\n`, base64(s)]),
    encoded(machineValue, (s) => [JSON.stringify({ kind: 'Secret', data: { token: base64(s) } }), base64(s)]),
    encoded(machineValue, (s) => [`payload: ${base64(`API_TOKEN=${s}\n`)}`, base64(`API_TOKEN=${s}\n`)]),
    encoded(machineValue, (s) => [
      `config: ${base64(JSON.stringify({ apiKey: s }))}`,
      base64(JSON.stringify({ apiKey: s })),
    ]),
    encoded(machineValue, (s) => [
      `next=${encodeURIComponent(`https://acme.io/?api_key=${s}`)}`,
      encodeURIComponent(s),
    ]),
    encoded(machineValue, (s) => [`{\\"auth\\":{\\"token\\":\\"${s}\\"}}`, s]),
    encoded(machineValue, (s) => [`token=${Buffer.from(s).toString('hex')}`, Buffer.from(s).toString('hex')]),
    encoded(machineValue, (s) => {
      const data = base64(`//registry.npmjs.org/:_authToken=${s}\n`);
      return [JSON.stringify({ kind: 'Secret', metadata: { name: 'npm' }, data: { '.npmrc': data } }), data];
    }),
  ],
};

const late =
  (early: (s: string) => readonly Said[], later: (s: string) => readonly Said[]) =>
  (random: Random): Draft => {
    const secret = random.pick([machineValue, machineValue, password])(random);
    const between = Array.from({ length: random.int(0, 3) }, () => result(random.words(6)));
    return { said: [...early(secret), ...between, ...later(secret)], secrets: [secret] };
  };

export const LATE: SecretClass = {
  id: 'late names',
  count: 22,
  templates: [
    late(
      (s) => [result(`Copy it now, it is shown once: ${s}`)],
      (s) => [call('login', { api_token: s })],
    ),
    late(
      (s) => [result(`Created. ${s}`)],
      (s) => [result(JSON.stringify({ access_token: s }))],
    ),
    late(
      (s) => [result(`Your new value is ${s}`)],
      (s) => stderr(`API_KEY=${s}`),
    ),
    late(
      (s) => stderr(`generated ${s}`),
      (s) => stderr(`using password: ${s}`),
    ),
    late(
      (s) => stderr(`argv[3] ${s}`),
      (s) => [result(JSON.stringify({ config: { clientSecret: s } }))],
    ),
    late(
      (s) => [call('echo', { message: s })],
      (s) => [call('connect', { password: s })],
    ),
    late(
      (s) => [call('save', { note: `use ${s} for staging` })],
      (s) => [result(`curl -H "Authorization: Bearer ${s}" https://acme.io`)],
    ),
    late(
      (s) => [JSON.stringify({ jsonrpc: '2.0', id: 3, result: { value: s } })],
      (s) => [call('connect', { apiKey: s })],
    ),
    late(
      (s) => [JSON.stringify({ jsonrpc: '2.0', id: 3, result: { action: 'accept', content: { answer: s } } })],
      (s) => [call('sign_in', { passphrase: s })],
    ),
    late(
      (s) => [result(`| prod | ${s} |`)],
      (s) => [result(`export PROD_TOKEN=${s}`)],
    ),
    late(
      (s) => [result(`hex ${Buffer.from(s).toString('hex')} or plain ${s}`)],
      (s) => [call('connect', { secret: s })],
    ),
    late(
      (s) => stderr(`> ${s}`),
      (s) => [http({ kind: 'sse', event: 'message', data: JSON.stringify({ token: s }) })],
    ),
  ],
};

/** Sentences of several languages. `#` stands for the secret. */
const SENTENCES = `
Your API key is #
The password for the database is #.
Here is your access token: #
Use the following secret to sign requests: #
I've set the admin password to #, please change it.
API key: #
Password: #
Das Passwort lautet #
Passwort: #
Kennwort: #
Ihr API-Schlüssel: #
Zugangstoken: #
Das Geheimnis ist: #
Le mot de passe est #
Mot de passe : #
Clé API : #
Votre jeton d'accès : #
La contraseña es #
Contraseña: #
Clave de API: #
Token de acceso: #
A senha é #
Senha: #
Chave de API: #
La password è #
Chiave API: #
Parola d'ordine: #
Wachtwoord: #
API-sleutel: #
Hasło: #
Klucz API: #
Twoje hasło to #
Heslo: #
Lösenord: #
Adgangskode: #
Salasana: #
Parola: #
Şifre: #
API anahtarı: #
Jelszó: #
Пароль: #
Ваш пароль: #
Ключ API: #
Токен доступа: #
Секретный ключ: #
密码：#
密码: #
密钥：#
您的API密钥是 #
访问令牌：#
密碼：#
パスワード：#
パスワードは # です
APIキー: #
アクセストークン: #
シークレットキー：#
비밀번호: #
API 키: #
액세스 토큰: #
كلمة المرور: #
סיסמה: #
पासवर्ड: #
รหัสผ่าน: #
Mật khẩu: #
Kata sandi: #
Κωδικός πρόσβασης: #
`
  .trim()
  .split('\n');

export const PROSE: SecretClass = {
  id: 'prose in many languages',
  count: 36,
  templates: SENTENCES.map((sentence) =>
    text(
      (random) =>
        /key|token|schlüssel|clé|jeton|clave|chave|chiave|klucz|sleutel|密钥|令牌|キー|키|토큰|ключ|токен/i.test(
          sentence,
        )
          ? machineValue(random)
          : random.pick([password, password, shortValue])(random),
      (s, random) => {
        const line = sentence.replace('#', () => s);
        return random.pick([
          () => line,
          () => `OK.\n${line}\n`,
          () => `- ${line}`,
          () => `${random.person().name}:\n${line}`,
        ])();
      },
    ),
  ),
};

const wrapped = (data: string, at = 64) => data.replace(new RegExp(`.{${at}}(?=.)`, 'g'), '$&\n');

const keyFile =
  (begin: string, end: string, bytes: (random: Random) => number, write: (key: string, random: Random) => Said[]) =>
  (random: Random): Draft => {
    const body = random.base64(bytes(random));
    const key = `${begin}\n${wrapped(body, random.pick([64, 64, 70, 76]))}\n${end}`;
    const lines = key.split('\n').slice(1, -1);
    return { said: write(key, random), secrets: [random.pick(lines.slice(0, -1))] };
  };
const pem = (kind: string, write: (key: string, random: Random) => Said[]) =>
  keyFile(`-----BEGIN ${kind}-----`, `-----END ${kind}-----`, (random) => random.int(120, 1200), write);

export const KEY_FILES: SecretClass = {
  id: 'key files',
  count: 18,
  templates: [
    pem('RSA PRIVATE KEY', (key, random) => printed(key, random)),
    pem('PRIVATE KEY', (key, random) => printed(key, random)),
    pem('EC PRIVATE KEY', (key, random) => printed(`cat /etc/tls/key.pem\n${key}`, random)),
    pem('OPENSSH PRIVATE KEY', (key) => [result(key)]),
    pem('ENCRYPTED PRIVATE KEY', (key) => stderr(key)),
    pem('PGP PRIVATE KEY BLOCK', (key) => [result(key.replace('-----\n', '-----\nVersion: GnuPG v2\n\n'))]),
    pem('PRIVATE KEY', (key, random) =>
      structured(
        { type: 'service_account', private_key: `${key}\n`, client_email: 'x@y.iam.gserviceaccount.com' },
        random,
      ),
    ),
    pem('PRIVATE KEY', (key) => [result(`GITHUB_APP_PRIVATE_KEY="${key.replaceAll('\n', '\\n')}"`)]),
    pem('PRIVATE KEY', (key) => [result(`tls.key: |\n${key.replace(/^/gm, '    ')}\n`)]),
    pem('RSA PRIVATE KEY', (key) => stderr(key.replace(/^/gm, '[server] '))),
    (random) => {
      const d = random.text('url', 43);
      return {
        said: structured({ kty: 'EC', crv: 'P-256', x: random.text('url', 43), y: random.text('url', 43), d }, random),
        secrets: [d],
      };
    },
    (random) => {
      const [d, n] = [random.text('url', 342), random.text('url', 342)];
      return { said: structured({ keys: [{ kty: 'RSA', use: 'sig', n, e: 'AQAB', d }] }, random), secrets: [d] };
    },
    (random) => {
      const body = wrapped(random.base64(90));
      const file = `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ann\nPublic-Lines: 1\n${random.base64(48)}\nPrivate-Lines: 2\n${body}\nPrivate-MAC: ${random.hex(64)}`;
      return { said: printed(file, random), secrets: [body.split('\n')[0]!] };
    },
  ],
};

/** Random text that nothing marks as a secret. Nobody can tell it from an id. */
export const NAMELESS: SecretClass = {
  id: 'nameless random text',
  count: 20,
  apart: true,
  templates: [
    text(machineValue, (s) => s),
    text(machineValue, (s) => `Done. ${s}`),
    text(machineValue, (s, random) => `${random.word()} ${s} ${random.word()}`),
    text(machineValue, (s) => `copied to clipboard:\n${s}`),
    text(machineValue, (s) => JSON.stringify({ value: s, ok: true })),
    text(machineValue, (s) => JSON.stringify([s])),
    text(password, (s) => `it is ${s}`),
  ],
};

const CARD = ['4', '5'];

export const PERSONAL: SecretClass = {
  id: 'personal data',
  count: 20,
  apart: true,
  templates: [
    text(
      (random) => random.person().mail,
      (s) => `Sent to ${s}`,
    ),
    text(
      (random) => random.person().mail,
      (s) => JSON.stringify({ user: { email: s } }),
    ),
    text(
      (random) => random.person().user,
      (s) => `/home/${s}/projects/app/server.js`,
    ),
    text(
      (random) => random.person().user,
      (s) => `C:\\Users\\${s}\\AppData\\Roaming\\npm`,
    ),
    text(
      (random) => random.person().user,
      (s) => `/Users/${s}/Library/Logs/Claude/mcp.log`,
    ),
    text(
      (random) => `+49 151 ${random.text('digits', 8)}`,
      (s) => `Call ${s}`,
    ),
    text(
      (random) => `${random.pick(CARD)}${random.text('digits', 15)}`,
      (s) => `card ${s} exp 11/29`,
    ),
    text(
      (random) => random.person().name,
      (s) => `Assigned to ${s}`,
    ),
    text(
      (random) => `DE${random.text('digits', 20)}`,
      (s) => `IBAN ${s}`,
    ),
  ],
};
