/** Harmless texts that are full of ids, digests, code, or the names of secrets. */
import type { HarmlessText } from './harmless';
import type { Random } from './random';

const lines = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('\n');
const code = (random: Random) =>
  Array.from(
    { length: 30 },
    () =>
      `function ${random.text('letters', 2)}(e,t){var n=e.token||t.key;return n&&n.password!==t.secret?e.${random.word()}(n):t[${random.int(0, 99)}]}`,
  ).join('');

export const LISTS: readonly HarmlessText[] = [
  ['git ls-tree', (random) => lines(20, () => `100644 blob ${random.hex(40)}\tsrc/${random.word()}/secrets.ts`)],
  ['git log', (random) => lines(8, () => `commit ${random.hex(40)}\n    auth: rotate the token of ${random.word()}\n`)],
  [
    'package-lock.json',
    (random) => ({
      packages: {
        'node_modules/js-tokens': {
          version: '4.0.0',
          resolved: 'https://registry.npmjs.org/js-tokens/-/js-tokens-4.0.0.tgz',
          integrity: `sha512-${random.base64(64)}`,
          license: 'MIT',
        },
        'node_modules/cookie': { version: '1.0.2', integrity: `sha512-${random.base64(64)}`, license: 'MIT' },
      },
    }),
  ],
  [
    'yarn.lock',
    (random) =>
      `"@acme/secret@^1.0.0":\n  version "1.0.4"\n  resolved "https://registry.yarnpkg.com/@acme/secret/-/secret-1.0.4.tgz#${random.hex(40)}"\n  integrity sha512-${random.base64(64)}\n`,
  ],
  ['go.sum', (random) => lines(9, () => `github.com/acme/token v1.2.${random.int(1, 9)} h1:${random.base64(32)}`)],
  [
    'Cargo.lock',
    (random) => lines(5, () => `[[package]]\nname = "secrecy"\nversion = "0.8.0"\nchecksum = "${random.hex(64)}"\n`),
  ],
  [
    'poetry.lock',
    (random) => lines(6, () => `    {file = "tokenizers-0.1.tar.gz", hash = "sha256:${random.hex(64)}"},`),
  ],
  ['minified code', (random) => `!function(){${code(random)}}();`],
  [
    'a minified bundle with strings',
    (random) => `var a="password",b={token:"tokens.list",key:e.key},c="${random.text('mixed', 6)}";${code(random)}`,
  ],
  ['sha256sums', (random) => lines(12, () => `${random.hex(64)}  ${random.word()}-token.tar.gz`)],
  [
    'EC2 instances',
    (random) => ({
      Instances: Array.from({ length: 4 }, () => ({
        InstanceId: `i-${random.hex(17)}`,
        ImageId: `ami-${random.hex(17)}`,
        KeyName: `${random.word()}-key`,
        ClientToken: random.uuid(),
        SubnetId: `subnet-${random.hex(17)}`,
        OwnerId: random.text('digits', 12),
      })),
      NextToken: random.base64(60),
    }),
  ],
  [
    'secrets of AWS, listed',
    (random) => ({
      SecretList: [
        {
          ARN: `arn:aws:secretsmanager:eu-central-1:${random.text('digits', 12)}:secret:prod/db-${random.text('mixed', 6)}`,
          Name: 'prod/db/password',
          SecretVersionsToStages: { [random.uuid()]: ['AWSCURRENT'] },
        },
      ],
    }),
  ],
  [
    'S3 objects',
    (random) => ({
      Contents: Array.from({ length: 5 }, () => ({
        Key: `secrets/${random.word()}/token-${random.int(1, 99)}.json`,
        ETag: `"${random.hex(32)}"`,
        VersionId: random.text('url', 32),
        Size: random.int(10, 9999),
      })),
      NextContinuationToken: random.base64(48),
    }),
  ],
  [
    'kubectl get secrets',
    (random) =>
      `NAME                TYPE                DATA   AGE\n${lines(6, () => `${random.word()}-token-${random.text('lowerDigits', 5)}   Opaque   3   12d`)}`,
  ],
  [
    'kubectl get pods',
    (random) =>
      `NAME   READY   STATUS\n${lines(8, () => `token-service-${random.hex(10)}-${random.text('lowerDigits', 5)}   1/1   Running`)}`,
  ],
  [
    'docker ps',
    (random) =>
      `CONTAINER ID   IMAGE   COMMAND\n${lines(5, () => `${random.hex(12)}   acme/vault@sha256:${random.hex(64)}   "server"`)}`,
  ],
  [
    'about environment variables',
    () =>
      '# Settings\n\n| Variable | Default | Description |\n|---|---|---|\n| `API_KEY` | none | Your API key from the dashboard |\n| `DB_PASSWORD` | required | Password of the database |\n| `JWT_SECRET` | `change-me` | Signs the tokens |\n',
  ],
  [
    'a guide',
    (random) =>
      `To rotate a secret, open Settings > API keys and choose "Rotate". The old token works for 24 hours. Never commit a password. See docs/secrets/${random.word()}-rotation.md for credentials of ${random.word()}.`,
  ],
  [
    'OpenAPI',
    () => ({
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        oauth: { type: 'oauth2', flows: { password: { tokenUrl: 'https://acme.io/oauth/token', scopes: {} } } },
      },
    }),
  ],
  [
    'design tokens',
    (random) =>
      `:root {\n${lines(9, () => `  --token-color-${random.word()}: #${random.hex(6)};`)}\n}\n.password-input::placeholder { color: var(--token-muted-500); }`,
  ],
  [
    'an SVG',
    (random) =>
      `<svg viewBox="0 0 24 24"><path d="M${Array.from({ length: 40 }, () => `${random.int(0, 24)}.${random.int(0, 99)}`).join(' ')}z"/></svg>`,
  ],
  [
    'a picture',
    (random) => ({ type: 'image', mimeType: 'image/png', data: `iVBORw0KGgoAAAANSUhEUgAA${random.base64(600)}` }),
  ],
  ['a JPEG', (random) => `![photo](data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ${random.base64(300)})`],
  ['a font', (random) => `@font-face { src: url(data:font/woff2;base64,d09GMgABAAAAA${random.base64(300)}) }`],
  [
    'a tokenizer',
    () => ({
      tokenizer_class: 'LlamaTokenizerFast',
      bos_token: '<s>',
      eos_token: '</s>',
      pad_token: '[PAD]',
      added_tokens: [{ id: 0, content: '<|endoftext|>', special: true }],
      model_max_length: 131072,
    }),
  ],
  [
    'a vocabulary',
    (random) => ({ vocab: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`Ġ${random.word()}token`, at])) }),
  ],
  [
    'translations',
    () => ({
      'login.password': 'Passwort',
      'login.token': 'Einmal-Token eingeben',
      'error.secret': 'Das Geheimnis ist abgelaufen',
      passwordRepeat: 'Passwort wiederholen',
      forgot_password: 'Passwort vergessen?',
    }),
  ],
  [
    'translations in YAML',
    () =>
      'fr:\n  password: "Mot de passe"\n  api_key: "Clé d’API"\n  secret: "Secret partagé"\n  token_hint: "Collez votre jeton ici"\n',
  ],
  [
    'types',
    () =>
      'interface Credentials {\n  username: string;\n  password: string;\n  apiKey?: string | undefined;\n  token: Token<Access>;\n}\n',
  ],
  [
    'source about tokens',
    () =>
      "const token = await getToken({ scope: 'read' });\nif (!token) throw new Error('Missing token');\nheaders.set('authorization', `Bearer ${token}`);\nthis.password = options.password ?? process.env.DB_PASSWORD;\n",
  ],
  [
    'Python about secrets',
    () =>
      'def connect(password: str = None, token=None):\n    secret = os.environ["APP_SECRET"]\n    key = load_key(path="/etc/keys/app.pem")\n    return Client(api_key=settings.API_KEY, token=token)\n',
  ],
  [
    'a certificate',
    (random) => `-----BEGIN CERTIFICATE-----\n${lines(12, () => random.base64(48))}\n-----END CERTIFICATE-----`,
  ],
  [
    'public keys',
    (random) =>
      `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${random.base64(180)} ann@host\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.text('base64', 43)} bob@host`,
  ],
  [
    'a JWKS',
    (random) => ({
      keys: [{ kty: 'RSA', kid: random.hex(40), use: 'sig', alg: 'RS256', n: random.text('url', 342), e: 'AQAB' }],
    }),
  ],
  [
    'traces',
    (random) => lines(6, () => `traceparent: 00-${random.hex(32)}-${random.hex(16)}-01 span=${random.hex(16)}`),
  ],
  [
    'a mail',
    (random) =>
      `DKIM-Signature: v=1; a=rsa-sha256; bh=${random.base64(32)};\nMessage-ID: <${random.text('mixed', 24)}@mail.acme.io>\nSubject: Your password was changed\n`,
  ],
  [
    'usage of tokens',
    (random) => ({
      usage: { prompt_tokens: random.int(1, 9999), completion_tokens: random.int(1, 999), cached_tokens: 0 },
      system_fingerprint: `fp_${random.hex(10)}`,
      id: `chatcmpl-${random.text('mixed', 29)}`,
    }),
  ],
  [
    'a plan of Terraform',
    () =>
      '  # aws_db_instance.main will be created\n  + password = (sensitive value)\n  + kms_key_id = (known after apply)\n  + secret_arn = (known after apply)\n',
  ],
  [
    'a policy for passwords',
    () => ({
      passwordPolicy: { minLength: 12, requireSymbols: true, maxAge: '90d' },
      tokenLifetime: '3600s',
      secretRotation: 'every-90-days',
    }),
  ],
  [
    'a schema of SQL',
    () =>
      'CREATE TABLE users (\n  id uuid PRIMARY KEY,\n  password_hash varchar(255) NOT NULL,\n  api_token char(36) UNIQUE,\n  secret text DEFAULT NULL\n);',
  ],
  [
    'a schema of GraphQL',
    () =>
      'type User {\n  id: ID!\n  apiKey: String\n  passwordResetToken: String @deprecated\n  secretQuestion: String!\n}',
  ],
  [
    'CloudFormation',
    () =>
      'Resources:\n  Db:\n    Properties:\n      MasterUserPassword: !Sub "{{resolve:secretsmanager:${Secret}::password}}"\n      KmsKeyId: !Ref Key\n      License: general-public-license\n',
  ],
  [
    'licenses',
    () =>
      '{"license":"Apache-2.0","licenses":["MIT","BSD-3-Clause"],"keywords":["token","secret","auth"],"author":"Ann"}',
  ],
  [
    'cache keys',
    (random) => ({
      cacheKey: `npm-${random.hex(64)}`,
      restoreKeys: ['npm-'],
      partitionKey: random.uuid(),
      idempotencyKey: random.uuid(),
      publicKey: random.base64(32),
      keyId: random.hex(16),
    }),
  ],
  [
    'a hex dump',
    (random) =>
      lines(
        10,
        (at) =>
          `${(at * 16).toString(16).padStart(8, '0')}  ${random.hex(32).match(/../g)!.join(' ')}  |................|`,
      ),
  ],
  [
    'multipart',
    (random) =>
      `Content-Type: multipart/form-data; boundary=----WebKitFormBoundary${random.text('mixed', 16)}\n\n------WebKitFormBoundary\nContent-Disposition: form-data; name="file"\n`,
  ],
  ['a lexer', () => lines(8, (at) => `token: IDENTIFIER value=foo${at} line=${at} key=name`)],
  [
    'an npm audit',
    (random) =>
      lines(
        5,
        () =>
          `jsonwebtoken  <=8.5.1\nSeverity: moderate - https://github.com/advisories/GHSA-${random.text('lowerDigits', 4)}-${random.text('lowerDigits', 4)}-${random.text('lowerDigits', 4)}`,
      ),
  ],
  [
    'files',
    (random) =>
      lines(
        12,
        () => `-rw-r--r-- 1 ann staff ${random.int(1, 9999)} Jan 1 10:00 ./config/secrets/${random.word()}.token.ts`,
      ),
  ],
  [
    'a form',
    () =>
      '<form><label for="pw">Password</label><input id="pw" type="password" name="password" autocomplete="current-password" placeholder="Your password"></form>',
  ],
  [
    'headers of a response',
    (random) =>
      `HTTP/1.1 200 OK\netag: W/"${random.hex(16)}-${random.text('mixed', 27)}"\nx-request-id: ${random.uuid()}\ncf-ray: ${random.hex(16)}-FRA\nx-token-count: 812\n`,
  ],
  [
    'test results',
    (random) => lines(8, () => `✓ token refresh > keeps the password of ${random.word()} (${random.int(1, 99)} ms)`),
  ],
  ['paths of a vault', (random) => lines(6, () => `secret/data/${random.word()}/credentials/v${random.int(1, 9)}`)],
  [
    'issue text',
    (random) =>
      `Steps: 1. Set \`token\` to your token. 2. Run \`acme login --password <password>\`. Expected: secret-${random.word()} is listed. Actual: "invalid credentials" (request ${random.uuid()}).`,
  ],
];
