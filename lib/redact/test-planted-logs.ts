import { call, err, errLines, fresh, type Planted, plant, result } from './test-plant';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const printed = (where: string, line: (secret: string) => string, secret?: string) =>
  plant(`stderr: ${where}`, (s) => errLines(line(s)), secret);
const answered = (where: string, text: (secret: string) => string, secret?: string) =>
  plant(`result: ${where}`, (s) => result(text(s)), secret);

/** As real programs write them: logs, dumps, configuration. */
export const AS_PROGRAMS_PRINT: readonly Planted[] = [
  printed(
    'logging of Python',
    (s) => `2026-01-02 10:11:12,345 - client - DEBUG - headers: {'Authorization': 'Bearer ${s}', 'Accept': '*/*'}`,
  ),
  printed('headers of httpx', (s) => `Headers({'host': 'a.example', 'x-api-key': '${s}'})`),
  printed('headers of httpcore', (s) => `headers=[(b'Host', b'a.example'), (b'x-api-key', b'${s}')]`),
  printed('http.client of Python', (s) => `send: b'GET / HTTP/1.1\\r\\nHost: h\\r\\nX-Api-Key: ${s}\\r\\n\\r\\n'`),
  printed('a data class', (s) => `Config(host='h', api_key='${s}', port=1)`),
  printed('a wrapper of pydantic, opened', (s) => `Settings(db_password=SecretStr('${s}'))`),
  printed('a traceback', (s) => `    client = Client(api_key="${s}")`),
  printed('zap', (s) => `{"level":"debug","ts":1700000000.1,"caller":"x/y.go:1","msg":"dial","token":"${s}"}`),
  printed(
    'zap for consoles',
    (s) => `2026-01-02T10:00:00.000Z\tDEBUG\tx/y.go:12\tdial\t{"dsn": "postgres://u:${s}@h/db"}`,
  ),
  printed('%+v of Go', (s) => `cfg: {Host:db Port:5432 Password:${s} SSL:true}`),
  printed('%#v of Go', (s) => `main.Config{Host:"db", Password:"${s}"}`),
  printed('slog', (s) => `time=2026-01-02T10:00:00Z level=INFO msg=connect password=${s} user=bob`),
  printed('headers of Go', (s) => `map[Accept:[*/*] X-Api-Key:[${s}] X-B:[c]]`),
  printed(
    'an exception of Java',
    (s) =>
      `java.sql.SQLException: no access to jdbc:mysql://db:3306/x?user=root&password=${s}\n\tat com.x.Y.z(Y.java:12)`,
  ),
  printed('toString of Java', (s) => `UserDto(name=bob, password=${s}, roles=[admin])`),
  printed('a property of Java', (s) => `java -Djavax.net.ssl.keyStorePassword=${s} -jar x.jar`),
  printed('curl -v', (s) => `> GET /x HTTP/2\n> Host: a.example\n> authorization: Bearer ${s}\n> accept: */*`),
  printed('curl -v, a cookie', (s) => `< HTTP/2 200\n< set-cookie: session=${s}; Path=/; HttpOnly`),
  printed('curl -u', (s) => `+ curl -u bob:${s} https://x.example/y`),
  printed('curl --user', (s) => `curl --user "bob:${s}" https://x.example/y`),
  printed('curl -H', (s) => `curl -H 'PRIVATE-TOKEN: ${s}' https://gitlab.example`),
  printed('mysql -p', (s) => `mysql -u root -p${s} -h db`),
  printed('sshpass', (s) => `sshpass -p ${s} ssh bob@h`),
  printed('redis-cli -a', (s) => `redis-cli -h h -a ${s} ping`),
  printed('brackets', (s) => `login password=(${s})`),
  printed('a template that was filled in', (s) => `password='\${${s}}'`, 'kcoLRS4wPOsikyCoE7x7'),
  printed('braces', (s) => `password={${s}} ok`),
  printed('angle brackets', (s) => `token=<${s}>`),
  printed('backticks', (s) => `token=\`${s}\``),
  printed('a hash of Ruby', (s) => `Parameters: {"user"=>{"email"=>"a@b.example", "password"=>"${s}"}}`),
  printed('a symbol of Ruby', (s) => `{:password=>"${s}"}`),
  printed('print_r of PHP', (s) => `Array ( [user] => bob [password] => ${s} )`),
  printed('an array of PHP', (s) => `'password' => '${s}',`),
  printed('Perl', (s) => `$cfg->{password} = '${s}';`),
  printed('a Map of Node', (s) => `Map(1) { 'api_key' => '${s}' }`),
  printed('an object of Node', (s) => `{\n  user: 'bob',\n  apiKey: '${s}',\n}`),
  printed('Debug of Rust', (s) => `Config { host: "h", api_key: Some("${s}") }`),
  printed('a struct of Elixir', (s) => `%{password: "${s}"}`),
  printed('a map of Swift', (s) => `["password": "${s}"]`),
  printed('colours within a value', (s) => `token=\u001b[1m${s.slice(0, 8)}\u001b[0m${s.slice(8)}`, fresh(24)),
  printed('.netrc', (s) => `machine h\n  login bob\n  password ${s}`, fresh(16)),
  printed(
    'a key in PEM with carriage returns',
    (s) => `-----BEGIN RSA PRIVATE KEY-----\r\n${s}\r\n-----END RSA PRIVATE KEY-----\r`,
    fresh(64),
  ),
  plant(
    'stderr: a key in PEM, each line in JSON',
    (s) =>
      ['-----BEGIN RSA PRIVATE KEY-----', s, '-----END RSA PRIVATE KEY-----'].map((msg) =>
        err(JSON.stringify({ level: 'info', msg })),
      ),
    fresh(64),
  ),
  printed(
    'a key in PEM in one line of JSON',
    (s) => JSON.stringify({ msg: `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----` }),
    fresh(64),
  ),
  answered('.env', (s) => `NODE_ENV=production\nDB_HOST=h\nDB_PASSWORD=${s}\nX=1`),
  answered('.env, an address', (s) => `DATABASE_URL=postgresql://app:${s}@db:5432/app?sslmode=require`),
  answered('.env, quoted', (s) => `JWT_SECRET='${s}'`),
  answered('YAML', (s) => `db:\n  user: bob\n  password: "${s}"\n`),
  answered('YAML, on the next line', (s) => `db:\n  password: |\n    ${s}\n  user: x`, fresh(16)),
  answered('YAML, a secret of Kubernetes', (s) => `apiVersion: v1\nkind: Secret\ndata:\n  password: ${base64(s)}\n`),
  answered('YAML, a variable of Kubernetes', (s) => `env:\n- name: DB_PASSWORD\n  value: ${s}\n`),
  answered('kubeconfig', (s) => `users:\n- name: a\n  user:\n    token: ${s}\n`),
  answered(
    'kubeconfig, a key',
    (s) => `users:\n- name: a\n  user:\n    client-key-data: ${base64(`-----BEGIN RSA PRIVATE KEY-----\n${s}`)}\n`,
    fresh(60),
  ),
  answered('TOML', (s) => `[auth]\ntoken = "${s}"\n`),
  answered('TOML over lines', (s) => `[auth]\npassword = """\n${s}"""\n`),
  answered('ODBC', (s) => `Driver={ODBC};Server=h;UID=sa;PWD={${s}};`),
  answered('libpq', (s) => `host=h user=u password='${s}' dbname=d`),
  answered('Redis without a user', (s) => `redis://:${s}@h:6379/0`),
  answered('AMQP', (s) => `amqp://guest:${s}@h:5672/%2F`),
  answered('a service bus', (s) => `Endpoint=sb://x.example/;SharedAccessKeyName=k;SharedAccessKey=${s}=`, fresh(43)),
  answered('configuration of Docker', (s) =>
    JSON.stringify({ auths: { 'r.example': { auth: base64(`bob:${s}`) } } }, null, 2),
  ),
  plant('an argument: configuration of Docker', (s) => call({ auths: { 'r.example': { auth: base64(`bob:${s}`) } } })),
  answered(
    'credentials of AWS',
    (s) => `[default]\naws_access_key_id = AKIAQWERTYUIOPASDF12\naws_secret_access_key = ${s}\n`,
    fresh(40),
  ),
  answered('XML of AWS', (s) => `<SecretAccessKey>${s}</SecretAccessKey>`),
  answered('npmrc', (s) => `//r.example/:_auth=${s}`, base64('bob:hunter2-77')),
  answered('a remote of git', (s) => `origin\thttps://x-access-token:${s}@git.example/a/b.git (fetch)`),
  answered(
    'a header of git',
    (s) => `http.https://git.example/.extraheader=AUTHORIZATION: basic ${base64(`x-access-token:${s}`)}`,
  ),
  answered('a credential of git', (s) => `protocol=https\nhost=h\nusername=bob\npassword=${s}\n`),
  answered('a variable of Terraform', (s) => `variable "db_password" {\n  type = string\n  default = "${s}"\n}`),
  answered('a plan of Terraform', (s) => `      + secret_key = "${s}"`),
  answered('a change in a plan of Terraform', (s) => `      ~ password = "before-123" -> "${s}"`),
  answered(
    'an account of Google',
    (s) =>
      JSON.stringify({
        type: 'service_account',
        private_key: `-----BEGIN PRIVATE KEY-----\n${s}\n-----END PRIVATE KEY-----\n`,
      }),
    fresh(64),
  ),
  answered('a session in a path', (s) => `https://h/app;jsessionid=${s}?x=1`),
  answered(
    'an address in an address in an address',
    (s) => `https://h/?u=${encodeURIComponent(encodeURIComponent(`https://i/?token=${s}`))}`,
  ),
  answered('SQL', (s) => `ALTER ROLE bob WITH PASSWORD '${s}';`, fresh(12)),
  answered('SQL of MySQL', (s) => `CREATE USER bob IDENTIFIED BY '${s}';`),
  answered('a list of YAML', (s) => `tokens:\n  - ${s}\n  - other`),
  answered('prose', (s) => `Your password is ${s}.`, fresh(16)),
  answered('prose, two words', (s) => `API key: ${s}`, fresh(16)),
  answered('Markdown', (s) => `**Password:** ${s}`, fresh(16)),
  answered('Markdown, code', (s) => `Password: \`${s}\``),
];
