import { createHash } from 'node:crypto';
import { call, err, errLines, fresh, type Planted, plant, result } from './test-plant';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const answered = (where: string, text: (secret: string) => string, secret?: string) =>
  plant(`result: ${where}`, (s) => result(text(s)), secret);
const CRYPT = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns this many characters of crypt(3), the same ones for the same name. */
function hashed(name: string, length: number): string {
  const bytes = Buffer.concat([0, 1].map((part) => createHash('sha512').update(`${name}${part}`).digest()));
  return Array.from({ length }, (_, at) => CRYPT[bytes[at]! % CRYPT.length]).join('');
}

const PHRASE = 'ability able about above absent absorb abstract absurd abuse access accident account';
const LONG = `${PHRASE.replace('ability', 'acid')} ${PHRASE.replace('able', 'acoustic')}`;

/** Password files. */
const IN_FILES: readonly Planted[] = [
  answered('.pgpass', (s) => `db.example:5432:shop:app:${s}\n`, 'h4x7'),
  answered('.pgpass, any host and port', (s) => `# mine\n*:*:*:app:${s}\nlocalhost:5433:*:bob:other1`),
  answered('.pgpass, a password with colons', (s) => `localhost:5432:*:app:${s}`, 'aa1\\:bb2cc3'),
  plant('stderr: .pgpass', (s) => [err(`10.0.0.7:5432:shop:app:${s}`)]),
  answered('.netrc in one line', (s) => `machine h.example login bob password ${s}`, 'p7;x)a'),
  answered('.netrc over several lines', (s) => `machine h.example\n  login bob\n  password ${s}\nmachine i`, 'p8;x)a'),
  answered('.netrc, the default entry', (s) => `default login anonymous password ${s}\n`, 'p9;x)a'),
  answered('htpasswd, Apache MD5', (s) => `bob:${s}\nann:x`, `$apr1$Ab1cD2eF$${hashed('apr', 22)}`),
  answered('htpasswd, bcrypt', (s) => `bob:${s}`, `$2y$05$${hashed('2y', 53)}`),
  answered(
    'htpasswd, bcrypt in a Compose file',
    (s) => `- "auth.users=bob:${s}"`,
    `$$2b$$10$$${hashed('2b', 53)}`.slice(1),
  ),
  answered('htpasswd, SHA-1', (s) => `bob:${s}`, `{SHA}${base64(hashed('sha', 20))}`),
  answered('LDAP', (s) => `userPassword: ${s}`, `{SSHA}${base64(hashed('ssha', 28))}`),
  answered('shadow, SHA-512', (s) => `root:${s}:19000:0:99999:7:::`, `$6$Ab1cD2eF$${hashed('6', 86)}`),
  answered('shadow, SHA-256', (s) => `a:${s}:19000::::::`, `$5$rounds=5000$Ab1cD2eF$${hashed('5', 43)}`),
  answered('shadow, yescrypt', (s) => `a:${s}:19000::::::`, `$y$j9T$${hashed('salt', 22)}$${hashed('y', 43)}`),
  plant(
    'argument: Argon2',
    (s) => call({ row: s }),
    `$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$${base64(hashed('a2', 32)).replace('=', '')}`,
  ),
  plant('argument: Django', (s) => call({ row: s }), `pbkdf2_sha256$600000$aB1cD2eF3$${base64(hashed('dj', 32))}`),
  answered(
    'pg_authid',
    (s) => `app | ${s}`,
    `SCRAM-SHA-256$4096:${base64(hashed('s', 16))}$${base64(hashed('k', 32))}:${base64(hashed('v', 32))}`,
  ),
];

/** Seed words. */
const PHRASES: readonly Planted[] = [
  plant('argument: a wallet seed', (s) => call({ mnemonic: s }), PHRASE),
  plant(
    'a wallet seed, repeated',
    (s) => [call({ seedPhrase: s }), err(`it is ${s}.`)],
    `${PHRASE} acoustic acid across`,
  ),
  answered('a quoted wallet seed', (s) => `Recovery phrase: "${s}"\nKeep it.`, LONG),
  answered('.env, a wallet seed', (s) => `MNEMONIC="${s}"\nX=1`, PHRASE.replace('above', 'actress')),
];

/** Secrets that are known by their layout or their look. */
export const BY_LAYOUT: readonly Planted[] = [...IN_FILES, ...PHRASES];

const printed = (where: string, line: (secret: string) => string, secret?: string) =>
  plant(`stderr: ${where}`, (s) => errLines(line(s)), secret);

/** Secrets as real programs write them: logs, dumps, configuration. */
export const AS_PROGRAMS_PRINT: readonly Planted[] = [
  printed(
    'Python logging',
    (s) => `2026-01-02 10:11:12,345 - client - DEBUG - headers: {'Authorization': 'Bearer ${s}', 'Accept': '*/*'}`,
  ),
  printed('httpx headers', (s) => `Headers({'host': 'a.example', 'x-api-key': '${s}'})`),
  printed('httpcore headers', (s) => `headers=[(b'Host', b'a.example'), (b'x-api-key', b'${s}')]`),
  printed('Python http.client', (s) => `send: b'GET / HTTP/1.1\\r\\nHost: h\\r\\nX-Api-Key: ${s}\\r\\n\\r\\n'`),
  printed('a Python data class', (s) => `Config(host='h', api_key='${s}', port=1)`),
  printed('a pydantic SecretStr that was unwrapped', (s) => `Settings(db_password=SecretStr('${s}'))`),
  printed('a traceback', (s) => `    client = Client(api_key="${s}")`),
  printed('zap', (s) => `{"level":"debug","ts":1700000000.1,"caller":"x/y.go:1","msg":"dial","token":"${s}"}`),
  printed(
    'zap console output',
    (s) => `2026-01-02T10:00:00.000Z\tDEBUG\tx/y.go:12\tdial\t{"dsn": "postgres://u:${s}@h/db"}`,
  ),
  printed('Go %+v', (s) => `cfg: {Host:db Port:5432 Password:${s} SSL:true}`),
  printed('Go %#v', (s) => `main.Config{Host:"db", Password:"${s}"}`),
  printed('slog', (s) => `time=2026-01-02T10:00:00Z level=INFO msg=connect password=${s} user=bob`),
  printed('Go headers', (s) => `map[Accept:[*/*] X-Api-Key:[${s}] X-B:[c]]`),
  printed(
    'a Java exception',
    (s) =>
      `java.sql.SQLException: no access to jdbc:mysql://db:3306/x?user=root&password=${s}\n\tat com.x.Y.z(Y.java:12)`,
  ),
  printed('Java toString', (s) => `UserDto(name=bob, password=${s}, roles=[admin])`),
  printed('a Java system property', (s) => `java -Djavax.net.ssl.keyStorePassword=${s} -jar x.jar`),
  printed('curl -v', (s) => `> GET /x HTTP/2\n> Host: a.example\n> authorization: Bearer ${s}\n> accept: */*`),
  printed('curl -v, a cookie', (s) => `< HTTP/2 200\n< set-cookie: session=${s}; Path=/; HttpOnly`),
  printed('curl -u', (s) => `+ curl -u bob:${s} https://x.example/y`),
  printed('curl --user', (s) => `curl --user "bob:${s}" https://x.example/y`),
  printed('curl -H', (s) => `curl -H 'PRIVATE-TOKEN: ${s}' https://gitlab.example`),
  printed('mysql -p', (s) => `mysql -u root -p${s} -h db`),
  printed('mysql -p, a short password', (s) => `mysql -u root -p${s} -h db`, 'q7z3'),
  printed('login -p, a password with brackets', (s) => `docker login -u bob -p ${s}`, 'x9(y)z1w'),
  printed('-u, a short password', (s) => `curl -u bob:${s} https://h/`, 'k4w9'),
  printed('sshpass', (s) => `sshpass -p ${s} ssh bob@h`),
  printed('redis-cli -a', (s) => `redis-cli -h h -a ${s} ping`),
  printed('brackets', (s) => `login password=(${s})`),
  printed('braces', (s) => `password={${s}} ok`),
  printed('angle brackets', (s) => `token=<${s}>`),
  printed('backticks', (s) => `token=\`${s}\``),
  printed('a Ruby hash', (s) => `Parameters: {"user"=>{"email"=>"a@b.example", "password"=>"${s}"}}`),
  printed('a Ruby symbol', (s) => `{:password=>"${s}"}`),
  printed('PHP print_r', (s) => `Array ( [user] => bob [password] => ${s} )`),
  printed('a PHP array', (s) => `'password' => '${s}',`),
  printed('Perl', (s) => `$cfg->{password} = '${s}';`),
  printed('a Node Map', (s) => `Map(1) { 'api_key' => '${s}' }`),
  printed('a Node object', (s) => `{\n  user: 'bob',\n  apiKey: '${s}',\n}`),
  printed('Rust Debug', (s) => `Config { host: "h", api_key: Some("${s}") }`),
  printed('an Elixir struct', (s) => `%{password: "${s}"}`),
  printed('a Swift map', (s) => `["password": "${s}"]`),
  printed('colours inside a value', (s) => `token=\u001b[1m${s.slice(0, 8)}\u001b[0m${s.slice(8)}`, fresh(24)),
  plant('stderr: .netrc', (s) => errLines(`machine h\n  login bob\n  password ${s}`), fresh(16), { onlyShared: true }),
  printed(
    'a PEM key with carriage returns',
    (s) => `-----BEGIN RSA PRIVATE KEY-----\r\n${s}\r\n-----END RSA PRIVATE KEY-----\r`,
    fresh(64),
  ),
  plant(
    'stderr: a PEM key, each line in JSON',
    (s) =>
      ['-----BEGIN RSA PRIVATE KEY-----', s, '-----END RSA PRIVATE KEY-----'].map((msg) =>
        err(JSON.stringify({ level: 'info', msg })),
      ),
    fresh(64),
  ),
  printed(
    'a PEM key in one line of JSON',
    (s) => JSON.stringify({ msg: `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----` }),
    fresh(64),
  ),
  answered('.env', (s) => `NODE_ENV=production\nDB_HOST=h\nDB_PASSWORD=${s}\nX=1`),
  answered('.env, a database URL', (s) => `DATABASE_URL=postgresql://app:${s}@db:5432/app?sslmode=require`),
  answered('.env, quoted', (s) => `JWT_SECRET='${s}'`),
  answered('YAML', (s) => `db:\n  user: bob\n  password: "${s}"\n`),
  answered('YAML, on the next line', (s) => `db:\n  password: |\n    ${s}\n  user: x`, fresh(16)),
  answered('YAML, a Kubernetes Secret', (s) => `apiVersion: v1\nkind: Secret\ndata:\n  password: ${base64(s)}\n`),
  answered('YAML, a Kubernetes variable', (s) => `env:\n- name: DB_PASSWORD\n  value: ${s}\n`),
  answered('kubeconfig', (s) => `users:\n- name: a\n  user:\n    token: ${s}\n`),
  answered(
    'kubeconfig, a key',
    (s) => `users:\n- name: a\n  user:\n    client-key-data: ${base64(`-----BEGIN RSA PRIVATE KEY-----\n${s}`)}\n`,
    fresh(60),
  ),
  answered('TOML', (s) => `[auth]\ntoken = "${s}"\n`),
  answered('TOML over several lines', (s) => `[auth]\npassword = """\n${s}"""\n`),
  answered('ODBC', (s) => `Driver={ODBC};Server=h;UID=sa;PWD={${s}};`),
  answered('SQL Server', (s) => `Server=h;Database=d;Uid=sa;Pwd=${s}`),
  answered('PWD that is not a path', (s) => `HOME=/root\nPWD=${s}\nDB_PWD=/${s}`),
  plant('an argument: PWD that is not a path', (s) => call({ PWD: s })),
  plant('an argument: DB_PWD', (s) => call({ env: { DB_PWD: `/${s}` } })),
  answered('libpq', (s) => `host=h user=u password='${s}' dbname=d`),
  answered('Redis without a user', (s) => `redis://:${s}@h:6379/0`),
  answered('AMQP', (s) => `amqp://guest:${s}@h:5672/%2F`),
  answered('a service bus', (s) => `Endpoint=sb://x.example/;SharedAccessKeyName=k;SharedAccessKey=${s}=`, fresh(43)),
  answered('Docker configuration', (s) =>
    JSON.stringify({ auths: { 'r.example': { auth: base64(`bob:${s}`) } } }, null, 2),
  ),
  plant('an argument: Docker configuration', (s) => call({ auths: { 'r.example': { auth: base64(`bob:${s}`) } } })),
  answered(
    'AWS credentials',
    (s) => `[default]\naws_access_key_id = AKIAQWERTYUIOPASDF12\naws_secret_access_key = ${s}\n`,
    fresh(40),
  ),
  answered('AWS XML', (s) => `<SecretAccessKey>${s}</SecretAccessKey>`),
  answered('npmrc', (s) => `//r.example/:_auth=${s}`, base64('bob:hunter2-77')),
  answered('a git remote', (s) => `origin\thttps://x-access-token:${s}@git.example/a/b.git (fetch)`),
  answered(
    'a git header',
    (s) => `http.https://git.example/.extraheader=AUTHORIZATION: basic ${base64(`x-access-token:${s}`)}`,
  ),
  answered('a git credential', (s) => `protocol=https\nhost=h\nusername=bob\npassword=${s}\n`),
  answered('a Terraform variable', (s) => `variable "db_password" {\n  type = string\n  default = "${s}"\n}`),
  answered('a Terraform plan', (s) => `      + secret_key = "${s}"`),
  answered(
    'a Google account',
    (s) =>
      JSON.stringify({
        type: 'service_account',
        private_key: `-----BEGIN PRIVATE KEY-----\n${s}\n-----END PRIVATE KEY-----\n`,
      }),
    fresh(64),
  ),
  answered('a session in a path', (s) => `https://h/app;jsessionid=${s}?x=1`),
  answered(
    'a URL in a URL in a URL',
    (s) => `https://h/?u=${encodeURIComponent(encodeURIComponent(`https://i/?token=${s}`))}`,
  ),
  answered('SQL', (s) => `ALTER ROLE bob WITH PASSWORD '${s}';`, fresh(12)),
  answered('MySQL', (s) => `CREATE USER bob IDENTIFIED BY '${s}';`),
  answered('a YAML list', (s) => `tokens:\n  - ${s}\n  - other`),
  answered('prose', (s) => `Your password is ${s}.`, fresh(16)),
  answered('prose, two words', (s) => `API key: ${s}`, fresh(16)),
  answered('Markdown', (s) => `**Password:** ${s}`, fresh(16)),
  answered('Markdown, code', (s) => `Password: \`${s}\``),
];
