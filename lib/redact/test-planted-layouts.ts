import { createHash } from 'node:crypto';
import { call, err, type Planted, plant, result } from './test-plant';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const answered = (where: string, text: (secret: string) => string, secret?: string) =>
  plant(`result: ${where}`, (s) => result(text(s)), secret);
const CRYPT = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** So many characters of crypt(3), always the same for the same name. */
function hashed(name: string, length: number): string {
  const bytes = Buffer.concat([0, 1].map((part) => createHash('sha512').update(`${name}${part}`).digest()));
  return Array.from({ length }, (_, at) => CRYPT[bytes[at]! % CRYPT.length]).join('');
}

const manifest = (s: string, kind = 'Secret') => ({
  ...{ apiVersion: 'v1', data: { 'app.conf': base64(s), user: base64('bob') } },
  ...{ kind, metadata: { name: 'app' }, type: 'Opaque' },
});
const yaml = (lines: string) =>
  `apiVersion: v1\nitems:\n- apiVersion: v1\n${lines}\n  kind: Secret\n  metadata:\n    name: a\nkind: List\n`;

const PHRASE = 'ability able about above absent absorb abstract absurd abuse access accident account';
const LONG = `${PHRASE.replace('ability', 'acid')} ${PHRASE.replace('able', 'acoustic')}`;

/** Files of passwords. */
const IN_FILES: readonly Planted[] = [
  answered('.pgpass', (s) => `db.example:5432:shop:app:${s}\n`, 'h4x7'),
  answered('.pgpass, any host and port', (s) => `# mine\n*:*:*:app:${s}\nlocalhost:5433:*:bob:other1`),
  answered('.pgpass, a password with colons', (s) => `localhost:5432:*:app:${s}`, 'aa1\\:bb2cc3'),
  plant('stderr: .pgpass', (s) => [err(`10.0.0.7:5432:shop:app:${s}`)]),
  answered('.netrc in one line', (s) => `machine h.example login bob password ${s}`, 'p7;x)a'),
  answered('.netrc over lines', (s) => `machine h.example\n  login bob\n  password ${s}\nmachine i`, 'p8;x)a'),
  answered('.netrc, by default', (s) => `default login anonymous password ${s}\n`, 'p9;x)a'),
  answered('htpasswd, MD5 of Apache', (s) => `bob:${s}\nann:x`, `$apr1$Ab1cD2eF$${hashed('apr', 22)}`),
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

/** Secrets of Kubernetes, whatever their members are called. */
const OF_KUBERNETES: readonly Planted[] = [
  plant('a Secret as JSON', (s) => JSON.stringify({ result: { structuredContent: manifest(s) } })),
  answered('a Secret as JSON', (s) => JSON.stringify(manifest(s), null, 4)),
  answered('a list of Secrets as JSON', (s) => JSON.stringify({ kind: 'List', items: [manifest('x'), manifest(s)] })),
  answered('a Secret as JSON, of words', (s) => JSON.stringify({ stringData: { a: s }, kind: 'Secret' }), 'wordsonly'),
  answered('a Secret as JSON behind words', (s) => `Here it is:\n${JSON.stringify(manifest(s), null, 2)}\nok`),
  plant('a Secret as JSON, its value repeated', (s) => [result(JSON.stringify(manifest(s))), err(`app.conf is ${s}`)]),
  plant('a Secret as JSON, a file in it', (s) => [
    result(JSON.stringify(manifest(JSON.stringify({ auths: { 'r.example': { auth: base64(`bob:${s}`) } } })))),
    err(`bob has ${s}`),
  ]),
  answered('a Secret as YAML', (s) => yaml(`  data:\n    app.conf: ${base64(s)}\n    user: Ym9i`)),
  answered('a Secret as YAML, before its kind', (s) => `kind: Secret\nstringData:\n  a: "${s}"\n`, 'words only'),
  answered('a Secret as YAML, over lines', (s) => yaml(`  stringData:\n    app.conf: |\n      mode fast\n      ${s}`)),
  answered(
    'configuration of Docker behind words',
    (s) => `$ cat config.json\n${JSON.stringify({ auths: { 'r.example': { auth: base64(`bob:${s}`) } } }, null, 2)}`,
  ),
];

/** Columns. */
const IN_TABLES: readonly Planted[] = [
  answered('CSV', (s) => `id,email,password\n1,a@b.example,x7\n2,b@b.example,${s}\n`, 'hunter7'),
  answered('CSV in quotes', (s) => `"id";"API Key";"x"\r\n"1";"${s}";"a\nb"\r\n"2";"${s}";"c"`),
  answered('CSV, a bare token', (s) => `user,token\nbob,${s}\n`, '550e8400-e29b-41d4-a716-446655440001'),
  answered('CSV, without a name for the first column', (s) => `,password\n0,${s}\n`, 'hunter4à'),
  answered('tabs', (s) => `id\taccess_token\n1\t${s}\n`),
  answered('Markdown', (s) => `Users:\n\n| id | **Access token** |\n|---:|:--|\n| 1 | \`${s}\` |\n\nThat is all.`),
  answered('Markdown, odd names', (s) => `| # | Größe | Password |\n|---|---|---|\n| 1 | à | ${s} |\n`),
  answered('psql', (s) => ` id | password \n----+----------\n  1 | ${s} \n(1 row)\n`, 'hunter8'),
  answered(
    'mysql',
    (s) => `+----+----------+\n| id | password |\n+----+----------+\n|  1 | ${s}  |\n+----+----------+`,
    'hunter9',
  ),
  answered(
    'sqlite3 in boxes',
    (s) => `┌────┬──────────┐\n│ id │ password │\n├────┼──────────┤\n│ 1  │ ${s}  │\n└────┴──────────┘`,
    'hunter6',
  ),
  answered('sqlite3', (s) => `id|name|password\n1|bob|${s}\n`, 'hunter5'),
  answered('INSERT', (s) => `INSERT INTO users (id, "password") VALUES (1, 'x'), (2, '${s}');`, 'letmein'),
  answered(
    'INSERT of MySQL',
    (s) => `insert into \`a\`.\`users\` (\`pw\`, \`password\`, \`n\`)\nvalues ('it''s', '${s}', NULL)`,
    'letmeon',
  ),
  answered(
    'INSERT of what a call makes',
    (s) => `INSERT INTO users (password) VALUES (crypt('${s}', gen_salt('bf')))`,
    'letmeup',
  ),
  answered('COPY', (s) => `COPY public.users (id, password) FROM stdin;\n1\t\\N\n2\t${s}\n\\.\n`, 'letmeby'),
  plant(
    'an argument: INSERT',
    (s) => call({ sql: `INSERT INTO users(name,password) VALUES('bob','${s}')` }),
    'letmego',
  ),
  plant(
    'rows as JSON',
    (s) =>
      JSON.stringify({
        result: {
          columns: ['id', 'password'],
          rows: [
            [1, 'x'],
            [2, s],
          ],
        },
      }),
    'let in',
  ),
  plant('rows as JSON, a number', (s) => `{"result":{"columns":["password"],"rows":[[${s}]]}}`, '86420137'),
  answered('rows as JSON in text', (s) =>
    JSON.stringify({
      fields: [
        { name: 'id', type: 23 },
        { name: 'api_key', type: 25 },
      ],
      data: [[1, s]],
    }),
  ),
  plant('a word in CSV', (s) => result(`id,password\n1,${s}\n`), 'monkeys', { onlyShared: true }),
];

/** Words of a wallet. */
const PHRASES: readonly Planted[] = [
  plant('argument: the seed of a wallet', (s) => call({ mnemonic: s }), PHRASE),
  plant(
    'the seed of a wallet, repeated',
    (s) => [call({ seedPhrase: s }), err(`it is ${s}.`)],
    `${PHRASE} acoustic acid across`,
  ),
  answered('the seed of a wallet', (s) => `Recovery phrase: "${s}"\nKeep it.`, LONG),
  answered(
    'the seed of a wallet in prose',
    (s) => `Your seed phrase is ${s}\nKeep it.`,
    PHRASE.replace('about', 'actor'),
  ),
  answered(
    'the seed of a wallet, numbered',
    (s) => `Seed phrase:\n${s}\nKeep it.`,
    PHRASE.split(' ')
      .map((word, at) => `${at + 1}. ${word}`)
      .join('\n'),
  ),
  answered('.env, the seed of a wallet', (s) => `MNEMONIC="${s}"\nX=1`, PHRASE.replace('above', 'actress')),
];

/** What is known by how it is laid out, or as what. */
export const BY_LAYOUT: readonly Planted[] = [...IN_FILES, ...OF_KUBERNETES, ...IN_TABLES, ...PHRASES];
