/** Texts that are about secrets but hold none: settings with references, policies, schemas, forms and manuals. */
import type { HarmlessText } from './harmless';

export const ABOUT_SECRETS: readonly HarmlessText[] = [
  [
    'GitHub Actions',
    (random) =>
      `jobs:\n  deploy:\n    steps:\n      - uses: actions/checkout@${random.hex(40)}\n      - run: npm publish\n        env:\n          NODE_AUTH_TOKEN: \${{ secrets.NPM_TOKEN }}\n          API_KEY: \${{ secrets.ACME_API_KEY }}`,
  ],
  [
    'npmrc with a variable',
    () => `//registry.npmjs.org/:_authToken=\${NPM_TOKEN}\nregistry=https://registry.npmjs.org/\nsave-exact=true`,
  ],
  [
    'Compose with variables',
    (random) =>
      `services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: \${DB_PASSWORD:?required}\n      POSTGRES_USER: ${random.word()}\n    secrets: [db_password]\nsecrets:\n  db_password:\n    file: ./secrets/db_password.txt`,
  ],
  [
    'secretKeyRef',
    (random) =>
      `env:\n- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: ${random.word()}-db\n      key: password\n- name: API_TOKEN\n  valueFrom:\n    secretKeyRef: {name: api, key: token}`,
  ],
  [
    'Terraform variables',
    (random) =>
      `variable "db_password" {\n  type        = string\n  sensitive   = true\n  description = "Password of the ${random.word()} database"\n}\nresource "random_password" "admin" {\n  length  = 24\n  special = true\n}`,
  ],
  [
    'IAM policy',
    (random) => ({
      Version: '2012-10-17',
      Statement: [
        {
          Sid: `Read${random.word()}`,
          Effect: 'Allow',
          Action: ['secretsmanager:GetSecretValue', 'kms:Decrypt'],
          Resource: `arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/${random.word()}-AbCdEf`,
        },
      ],
    }),
  ],
  [
    'Vault policy',
    (random) =>
      `path "secret/data/${random.word()}/*" {\n  capabilities = ["read", "list"]\n}\npath "auth/token/renew-self" {\n  capabilities = ["update"]\n}`,
  ],
  [
    'OIDC discovery',
    (random) => ({
      issuer: `https://id.${random.word()}.io`,
      token_endpoint: `https://id.${random.word()}.io/oauth/token`,
      userinfo_endpoint: 'https://id.acme.io/userinfo',
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      code_challenge_methods_supported: ['S256'],
    }),
  ],
  [
    'public JWKS',
    (random) => ({
      keys: [
        { kty: 'RSA', use: 'sig', alg: 'RS256', kid: random.text('url', 27), n: random.text('url', 342), e: 'AQAB' },
      ],
    }),
  ],
  [
    'authorized_keys',
    (random) =>
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.text('base64', 43)} ann@laptop\nssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${random.text('base64', 300)} ci@build`,
  ],
  [
    'PGP public key',
    (random) =>
      `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${random.base64(600).replace(/.{64}/g, '$&\n')}\n-----END PGP PUBLIC KEY BLOCK-----`,
  ],
  [
    'PEM public key',
    (random) =>
      `-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${random.base64(240).replace(/.{64}/g, '$&\n')}\n-----END PUBLIC KEY-----`,
  ],
  [
    'login form',
    () =>
      `<form method="post" action="/login">\n  <label for="password">Password</label>\n  <input type="password" id="password" name="password" autocomplete="current-password" required>\n  <input type="hidden" name="next" value="/home">\n  <a href="/password/reset">Forgot your password?</a>\n</form>`,
  ],
  [
    'GraphQL schema',
    () =>
      `type AuthPayload {\n  token: String!\n  refreshToken: String\n  user: User!\n}\ntype Mutation {\n  login(email: String!, password: String!): AuthPayload!\n  rotateApiKey(id: ID!): ApiKey!\n}`,
  ],
  [
    'TypeScript types',
    (random) =>
      `export interface ${random.word()}Options {\n  apiKey?: string;\n  token: string | (() => Promise<string>);\n  password: string;\n  secret: Buffer;\n  privateKey: KeyObject;\n}\nconst DEFAULT: Partial<Options> = { apiKey: undefined };`,
  ],
  [
    'Go types',
    () =>
      `type Config struct {\n\tAPIKey   string \`env:"API_KEY,required"\`\n\tPassword string \`json:"password" yaml:"password"\`\n\tToken    *oauth2.Token\n}\nfunc (c *Config) Secret() []byte { return []byte(c.Password) }`,
  ],
  [
    'protobuf',
    () =>
      `message LoginRequest {\n  string username = 1;\n  string password = 2;\n}\nmessage Token {\n  string access_token = 1;\n  google.protobuf.Timestamp expires_at = 2;\n}`,
  ],
  [
    'SQL queries',
    (random) =>
      `SELECT u.id, u.email, t.token_hash FROM users u JOIN api_tokens t ON t.user_id = u.id WHERE t.revoked_at IS NULL AND u.password_changed_at < now() - interval '90 days' LIMIT ${random.int(10, 99)};`,
  ],
  [
    'password policy',
    (random) =>
      `Passwords must have at least ${random.int(8, 16)} characters, one digit and one symbol.\nTokens expire after ${random.int(7, 90)} days.\nSecrets are rotated every quarter. The key ceremony takes place in ${random.word()}.`,
  ],
  [
    'a manual page',
    () =>
      `PASSWD(1)                        User Commands\n\nNAME\n       passwd - change user password\n\nOPTIONS\n       -d, --delete\n           Delete a user's password (make it empty).\n       -k, --keep-tokens\n           Indicate password change should be performed only for expired authentication tokens.`,
  ],
  [
    'command help',
    (random) =>
      `Usage: ${random.word()} [options]\n\n  --api-key <key>      API key (env: ACME_API_KEY)\n  --token <token>      access token\n  --password <pw>      password of the user\n  -u, --user <user:password>\n  --secret-file <path> file with the secret [default: /run/secrets/app]\n  --timeout <ms>       [default: ${random.int(1000, 9000)}]`,
  ],
  [
    'French labels',
    () => ({
      motDePasse: 'Mot de passe',
      confirmer: 'Confirmer le mot de passe',
      cleApi: 'Clé API',
      jeton: "Jeton d'accès",
      oublie: 'Mot de passe oublié ?',
    }),
  ],
  [
    'Japanese labels',
    () => ({
      password: 'パスワード',
      token: 'トークン',
      apiKey: 'APIキー',
      secret: 'シークレット',
      reset: 'パスワードを再設定',
    }),
  ],
  [
    'PO file',
    () =>
      `msgid "Password"\nmsgstr "Contraseña"\n\nmsgid "Your token has expired"\nmsgstr "Su token ha caducado"\n\nmsgid "API key: %s"\nmsgstr "Clave de API: %s"`,
  ],
  [
    'a chat about tokens',
    (random) =>
      `${random.person().name}: how do I get a new token?\n${random.person().name}: open Settings, choose API keys, and press "New key". Put it into ACME_TOKEN.\n${random.person().name}: thanks, the old password was wrong: it said "invalid password"`,
  ],
  [
    'errors without values',
    (random) =>
      `Error: invalid API key\nError: token expired at ${random.time()}\nError: password: required\nError: secret not found: prod/${random.word()}/db\nError: bad credentials (401)\nError: missing environment variable ACME_API_KEY`,
  ],
  [
    'permissions of tokens',
    (random) => ({
      tokens: Array.from({ length: 6 }, () => ({
        id: random.uuid(),
        name: `${random.word()} token`,
        scopes: ['read', 'write'],
        last_used_at: random.time(),
        expires_at: null,
      })),
    }),
  ],
  [
    'list of key names',
    (random) => ({
      secrets: Array.from({ length: 8 }, () => ({
        name: `${random.word().toUpperCase()}_API_KEY`,
        created_at: random.time(),
        updated_at: random.time(),
        visibility: 'all',
      })),
      total_count: 8,
    }),
  ],
  [
    'docs of a tool',
    (random) =>
      `### create_token\n\n| parameter | type | description |\n|---|---|---|\n| name | string | Name of the token |\n| password | string | Password of the ${random.word()} account |\n| ttl | number | Seconds until the token expires, ${random.int(60, 9000)} by default |`,
  ],
  [
    'test names',
    (random) =>
      `auth\n  ✓ login with a wrong password returns 401 (${random.int(1, 90)} ms)\n  ✓ token: refreshes before it expires\n  ✓ secret: is never logged\n  - password reset (skipped)\n\n  3 passing`,
  ],
];
