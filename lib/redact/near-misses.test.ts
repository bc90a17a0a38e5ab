import { describe, expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { ShareReview } from './share-review';
import { plantedFrame } from './test-plant';
import { vendorTokensIn } from './test-vendor-tokens';

const schema = (properties: object, more: object = {}) =>
  JSON.stringify({ result: { tools: [{ name: 'x', inputSchema: { type: 'object', properties, ...more } }] } });
const result = (text: string) => JSON.stringify({ result: { content: [{ type: 'text', text }] } });

/** Text that resembles a secret in places but is not one. */
const NEAR_MISSES: readonly (readonly [what: string, text: string])[] = [
  [
    'names in a schema',
    schema({ token: { type: 'string', description: 'The API token' }, password: { type: 'string', minLength: 8 } }),
  ],
  ['required names', schema({ password: {} }, { required: ['password', 'token', 'apiKey'] })],
  [
    'names that others depend on',
    schema({ token: {} }, { dependentRequired: { password: ['username2-long'], token: ['account-number-1'] } }),
  ],
  [
    'a schema behind a name',
    schema({ secret: { $ref: '#/$defs/Secret-v1' }, credential: { type: 'object', title: 'Credential-1 of 2' } }),
  ],
  [
    'an enumeration of kinds',
    schema({ authType: { enum: ['bearer-v1', 'basic-v2'] }, tokenType: { const: 'urn:x:jwt-1' } }),
  ],
  ['a progress token', '{"method":"notifications/progress","params":{"progressToken":"abc-123-def-456","progress":1}}'],
  ['a progress token in _meta', '{"method":"tools/call","params":{"_meta":{"progressToken":"4c1f2a77"}}}'],
  ['a cursor', '{"result":{"nextCursor":"eyJvZmZzZXQiOjEwfQ==","nextPageToken":"CAUQAA12345"}}'],
  [
    'limits and counts of tokens',
    '{"params":{"maxTokens":1000,"max_tokens":"4096","totalTokens":123456789,"tokens":55}}',
  ],
  [
    'token counts as text',
    '{"tokens":"123456789","cachedTokens":"12345-678","token_count":"12345-678","tokensUsed":"12-of-5000"}',
  ],
  [
    'facts about secrets',
    '{"tokenType":"at+jwt-v1","passwordPolicy":"min-8-chars-1","secretName":"my-app-tls-1","passwordResetUrl":"https://a/reset-12345","tokenExpiresAt":"2025-01-01T00:00Z+1","tokenizer":"bpe-1234567"}',
  ],
  ['text under a name', '{"passwordHelpText":"Use 8 letters or more","secretarial":"desk-1234567"}'],
  [
    'schemas behind names',
    schema(
      {
        tokens: { type: 'array', items: { type: 'string', pattern: '^[a-z0-9]{8,}$', title: 'a-token-1' } },
        secrets: { type: 'object', properties: { kind: { type: 'string', enum: ['kind-one-1', 'kind-two-2'] } } },
      },
      { required: ['tokens', 'password_2-new'] },
    ),
  ],
  [
    'tokens of a parser',
    '{"result":{"tokens":[{"type":"Punctuator-1","text":"hello"},{"kind":"name-of-1","text":"x"}]}}',
  ],
  [
    'minified code',
    result('o={key:"id",token:0,password:!1,secret:!0};function i(e){return e.token||t.getToken(e.key)}'),
  ],
  [
    'an output of Terraform after a variable',
    result('variable "db_password" {\n  sensitive = true\n}\noutput "arn" { value = "arn:aws:x:1:prod/db-AbC4eF" }'),
  ],
  ['a stop reason', '{"result":{"stopReason":"maxTokens","usage":{"prompt_tokens":12}}}'],
  ['tokens of a language', '{"result":{"token":"identifier","text":"x"}}'],
  ['a UUID', '{"result":{"id":"550e8400-e29b-41d4-a716-446655440000"}}'],
  ['a digest', result('sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')],
  ['commits', result('commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad\nMerge 1a2b3c4 d5e6f7a')],
  [
    'an image',
    `{"result":{"content":[{"type":"image","mimeType":"image/png","data":"${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'.repeat(9)}"}]}}`,
  ],
  [
    'prose about tokens',
    result('Pass the token as a Bearer token. The password must have 8 characters; the secret is patience.'),
  ],
  ['prose before a colon', result('Token: required for private repositories. Password: optional. Secret: none')],
  [
    'markup',
    result(
      '<token>identifier</token> <span class="token">a1-b2-c3-d4</span> <password/> <input type="password" name="p">',
    ),
  ],
  [
    'placeholders for values',
    result('curl --user bob:<password> --header <token> and then </done> of ("token", "password")'),
  ],
  ['colours', result('\u001b[32m✓\u001b[0m token \u001b[2m(12 ms)\u001b[0m password: \u001b[1mrequired\u001b[0m')],
  [
    'arrow functions and templates',
    result(
      'token => getToken(user), (password) => hash(password, salt), `${token}`, key = `${id}_key`, "token" => nil',
    ),
  ],
  [
    'prose about secrets',
    result('The password is required. The token is case-sensitive, password is 8-32 characters, secret was rotated.'),
  ],
  ['blank values', result('password=(optional) token=[none] api_key={key} secret=<secret> pwd=(see docs)')],
  [
    'flags of other programs',
    result('docker run -u 1000:1000 x; mysql -u root -p shop; chown -R user:group; sort -u a:b'),
  ],
  ['settings without a value', result('- name: token\n  value: true\n- name: PORT\n  value: 8080-8081x')],
  ['lists of names', result("required: ['password', 'token'], [ 'api_key', 'user_id' ], ('token', 'kind')")],
  ['words of netrc in prose', result('password required\ntoken expired\nsecret  santa-2025')],
  [
    'hex that is not a key',
    result('key-0123 fc-12 dapi dapi0123 re_export_all_of_it_now sess-1 hvs.x secret_santa_list'),
  ],
  ['numbers in lists', '{"result":{"data":[80,97,115,115,119,111,114,100]}}'],
  ['tests that passed', result('pass: 12345 of 12345, pass rate: 100')],
  ['code', result('const token = getToken(user); if (password == null) throw new Error(); let key = map.get("a")')],
  ['a template', result('curl -H "Authorization: Bearer $TOKEN" -u user:${PASSWORD} --token <your-token>')],
  ['stand-ins for a secret', result('{"apiKey": "***", "password": "<redacted>", "token": "${env:TOKEN}"}')],
  ['an error code', '{"error":{"code":-32602,"message":"state=open has code=ENOENT"}}'],
  ['a state outside OAuth', result('GET https://api.example.net/issues?state=open&page=2')],
  ['an address with a port', result('http://localhost:3000/mcp and http://[::1]:8080/x@y')],
  ['authors', '{"result":{"author":"Ann Other","authority":"https://a/1","authors":["B C 12345678"]}}'],
  [
    'facts of OAuth',
    '{"token_endpoint":"https://a/token1","token_type":"Bearer","token_endpoint_auth_methods_supported":["none-1"],"authorization_endpoint":"https://a/authorize-2"}',
  ],
  [
    'keys of other kinds',
    '{"result":{"key":"page-12","primaryKey":"user_id_1","keyboard":"qwerty-12","monkey":"a1b2c3d4"}}',
  ],
  ['a key of a request', result('idempotency-key: 95d7cd34-d909-4d22-8347-e0123794f7a2')],
  ['a library with a name of secrets', result('ii  libsecret-1-0:amd64  0.20.5-3  amd64  Secret store')],
  ['a tokenizer', result('max_tokens=8192, tokenizer=cl100k_base')],
  ['flags', JSON.stringify({ args: ['server.js', '--port', '3000', '--tokenizer', 'bpe-1234', '--no-auth'] })],
  [
    'text that starts like a key',
    result(
      'sk-learn, sk-SK, task-1234567890123456789012345, npm_config_registry, hf_transfer, AKIAN, ghp_short, xoxb-',
    ),
  ],
  [
    'a challenge',
    '{"kind":"response","exchange":1,"headers":[["www-authenticate","Bearer realm=\\"x1\\", scope=\\"a b\\""],["x-token-count","123456"]]}',
  ],
  [
    'parameters of a challenge',
    '{"kind":"response","exchange":1,"headers":[["www-authenticate","Bearer resource_metadata=\\"http://h.example/.well-known/oauth-protected-resource/mcp\\""],["www-authenticate","Bearer error_description=\\"none\\", error_uri=\\"http://h.example/e\\""]]}',
  ],
  ['versions', '{"result":{"protocolVersion":"2025-06-18","serverInfo":{"version":"1.2.3-rc.4"}}}'],
  [
    'tables about secrets',
    result(
      '| Secret | Description |\n|---|---|\n| AZURE_STORAGE_KEY_1 | of the storage |\n| my-app-tls-1 | a name |\n\n| Token | Value |\n|--|--|\n| color-gray-100 | #f1f2f3 |\n| space-12 | 12px |\n',
    ),
  ],
  [
    'tables of settings',
    result(
      '| Feature | Password | API key |\n|---|---|---|\n| Since | ✅ 2.1 | Coming soon |\n| Needed | Yes | No |\n| Where | /docs/auth/v1 | https://a.example/keys1 |\n',
    ),
  ],
  ['tables of words', result('token,count\nhello,12\ncovid-2019,3\nthe,900\n')],
  [
    'columns of a table',
    result(
      ' Field    | Type        | Null | Key \n----------+-------------+------+-----\n password | varchar(60) | NO   | \n token    | char(36)    | NO   | MUL \n',
    ),
  ],
  [
    'names in a statement',
    result(
      "INSERT INTO t (id, kind) VALUES (1, 'password-1'), (2, 'token-2'); COPY t (a, b) FROM stdin;\n1\ta1b2c3d4\n",
    ),
  ],
  [
    'statements of code',
    result(
      `f"INSERT INTO users (name, password) VALUES ('{name}', '{password}')", 'INSERT INTO u (password) VALUES (?, $1, :pw, \\'%s\\')', "insert into u (password) values ('" + pw + "')"`,
    ),
  ],
  [
    'SELECT statements',
    result('SELECT id,\n  password,\n  token2\nFROM users, x2\nimport {\n  token, secret\n} from "./a1"'),
  ],
  ['comma-separated lists', result('Needs a token, password, or key,\nand then, well, 12 more3 of them')],
  [
    'rows without secret columns',
    '{"result":{"columns":["name","type"],"rows":[["password","varchar-60"],["token","char-36-x"]]}}',
  ],
  ['words in a column', '{"result":{"columns":["token","n"],"rows":[["identifier",1],["covid-2019",2]]}}'],
  [
    'an object that is not a Secret',
    '{"items":[{"apiVersion":"v1","kind":"ConfigMap","data":{"mode":"fast-1234"}},{"kind":"SecretList","data":{"n":"a1b2c3d4"}},{"kind":"Secret","metadata":{"name":"app-1"},"type":"Opaque"}]}',
  ],
  [
    'YAML that is not a Secret',
    result(
      'kind: ConfigMap\ndata:\n  mode: fast-1234\n---\nkind: Secret\nmetadata:\n  name: app-1\n  labels:\n    data: a1b2c3d4\ntype: Opaque\n',
    ),
  ],
  [
    'fields separated by colons',
    result(
      'src/a.ts:5432:12:30:45\nmap 127.0.0.1:5432:5432\narn:aws:iam:*:role:x1\ncpe:2.3:a:b:c1:*:*:*:*\na:*:b:c:words',
    ),
  ],
  [
    'money, groups and templates',
    result('$1$2 for $5 or $6; s/(a)(b)/$2$1$/; ${a}$y$ {SHA} {SSHA256} /commit/{SHA}/of/some/long/path/to/a/file1'),
  ],
  [
    'prose about phrases',
    result(
      'Seed phrase: the words that give back a wallet, to be kept. The mnemonic is to be learnt by heart. seed: 42',
    ),
  ],
  ['fields of .netrc', result('machine HOST login NAME password <password>\nmachine {h} login {u} password {p}')],
  ['the working directory in an environment', JSON.stringify({ result: { env: { PWD: '/work/app', HOME: '/root' } } })],
  ['the working directory beside a user', '{"result":{"env":{"PWD":"/app","UID":"1000","USER":"me","HOST":"h"}}}'],
  ['the working directory as printed JSON', result(JSON.stringify({ PWD: '/srv/my app', OLDPWD: '/srv' }, null, 2))],
  ['the working directory by name and value', '{"result":{"env":[{"name":"PWD","value":"/app"}]}}'],
  ['output of `env`', result('HOME=/root\nPWD=/work/app-1/v2.0\nOLDPWD=/work\nSHLVL=1\n')],
  ['output of `export -p`', result('declare -x OLDPWD\ndeclare -x PWD="/work/app 1"\nexport PWD=\'/work\'\n')],
  ['a working directory before a command', result('PWD=/work/app1 HOME=/root node server.js')],
  ['the working directory of Git Bash', result('PWD=/c/Users/me/app1\nPWD=C:\\Users\\me\\app1')],
  ['a data URL', result('data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=')],
];

describe('a recording keeps text that is not a secret', () => {
  test.each(NEAR_MISSES)('%s', (_what, text) => {
    const frame = plantedFrame(text);
    expect(new TextDecoder().decode(new CaptureRedactor([]).apply(frame).bytes)).toBe(text);
    expect(new CaptureRedactor([]).apply(frame)).toBe(frame);
  });
});

test.each(NEAR_MISSES)('no token of a service is in %s', (_what, text) => {
  expect(vendorTokensIn(text)).toEqual([]);
});

describe('a shared copy keeps it too by default', () => {
  test.each(NEAR_MISSES)('%s', (_what, text) => {
    const review = new ShareReview();
    const frame = plantedFrame(text);
    review.addFrame(frame);
    expect(new TextDecoder().decode(review.createRedaction().apply(frame).bytes)).toBe(text);
  });
});
