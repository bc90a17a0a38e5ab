/** Texts without secrets that resemble them in places: data, logs, documents and protocols. */
import type { Frame } from '@/lib/wire/frame';
import { framesOf, printed, structured } from './carriers';
import { ABOUT_SECRETS } from './harmless-about';
import { LISTS } from './harmless-lists';
import { OF_SYSTEMS } from './harmless-systems';
import { OF_TOOLS } from './harmless-tools';
import { Random } from './random';

/** A name, and how the text or JSON value is made. */
export type HarmlessText = readonly [name: string, make: (random: Random) => string | object];

const list = <T>(random: Random, least: number, most: number, make: (at: number) => T): T[] =>
  Array.from({ length: random.int(least, 3 * most) }, (_, at) => make(at));
const lines = (random: Random, least: number, most: number, make: (at: number) => string) =>
  list(random, least, most, make).join('\n');

const OF_DATA: readonly HarmlessText[] = [
  ['a list of UUIDs', (random) => lines(random, 10, 30, () => random.uuid())],
  [
    'rows with ids',
    (random) =>
      list(random, 6, 16, () => ({
        id: random.uuid(),
        parent_id: random.uuid(),
        name: random.words(2),
        created_at: random.time(),
      })),
  ],
  [
    'a table of ids',
    (random) =>
      `| id | name | status |\n|---|---|---|\n${lines(random, 6, 16, () => `| ${random.hex(24)} | ${random.words(2)} | active |`)}`,
  ],
  [
    'Mongo documents',
    (random) =>
      list(random, 4, 10, () => ({
        _id: { $oid: random.hex(24) },
        title: random.words(3),
        author: { $oid: random.hex(24) },
        __v: 0,
      })),
  ],
  [
    'short ids',
    (random) =>
      list(random, 6, 16, () => ({
        id: random.text('url', 11),
        slug: random.words(3, '-'),
        url: `https://youtu.be/${random.text('url', 11)}`,
      })),
  ],
  [
    'CSV of orders',
    (random) =>
      `order_id,customer,total,currency\n${lines(random, 8, 20, () => `ord_${random.text('mixed', 14)},cus_${random.text('mixed', 14)},${random.int(1, 900)}.${random.int(10, 99)},EUR`)}`,
  ],
  [
    'Stripe objects',
    (random) => ({
      id: `pi_${random.text('mixed', 24)}`,
      object: 'payment_intent',
      amount: random.int(100, 9000),
      customer: `cus_${random.text('mixed', 14)}`,
      latest_charge: `ch_${random.text('mixed', 24)}`,
      livemode: false,
    }),
  ],
  [
    'Slack messages',
    (random) =>
      list(random, 3, 8, () => ({
        type: 'message',
        user: `U${random.text('upperDigits', 10)}`,
        ts: `${random.int(17e8, 18e8)}.${random.text('digits', 6)}`,
        team: `T${random.text('upperDigits', 10)}`,
        text: random.words(6),
        client_msg_id: random.uuid(),
      })),
  ],
  [
    'Notion pages',
    (random) => ({
      object: 'list',
      results: list(random, 3, 8, () => ({
        object: 'page',
        id: random.uuid(),
        parent: { database_id: random.uuid() },
        url: `https://www.notion.so/${random.word()}-${random.hex(32)}`,
      })),
      next_cursor: random.uuid(),
      has_more: true,
    }),
  ],
  [
    'GitHub issues',
    (random) =>
      list(random, 2, 6, () => ({
        id: random.int(1e8, 2e9),
        node_id: `I_kwDO${random.text('mixed', 14)}`,
        number: random.int(1, 900),
        title: `${random.words(3)} token`,
        user: {
          login: random.person().user,
          node_id: `MDQ6VXNlcj${random.text('mixed', 8)}==`,
          avatar_url: `https://avatars.githubusercontent.com/u/${random.int(1, 99999)}?v=4`,
        },
        state: 'open',
      })),
  ],
  [
    'a GitHub commit',
    (random) => ({
      sha: random.hex(40),
      node_id: `C_kwDO${random.text('mixed', 60)}`,
      tree: { sha: random.hex(40) },
      verification: { verified: false, reason: 'unsigned', signature: null },
      parents: [{ sha: random.hex(40) }],
    }),
  ],
  [
    'Google Drive files',
    (random) => ({
      files: list(random, 3, 8, () => ({
        id: `1${random.text('url', 32)}`,
        name: `${random.words(2)}.pdf`,
        mimeType: 'application/pdf',
        md5Checksum: random.hex(32),
      })),
      nextPageToken: `~!!~${random.text('url', 40)}`,
    }),
  ],
  [
    'a page cursor',
    (random) => ({
      items: [random.word()],
      nextCursor: Buffer.from(JSON.stringify({ offset: 100, id: random.uuid() })).toString('base64'),
      total: 412,
    }),
  ],
  [
    'an image',
    (random) => ({
      type: 'image',
      mimeType: 'image/png',
      data: `iVBORw0KGgoAAAANSUhEUgAA${random.base64(random.int(300, 1500))}`,
    }),
  ],
  [
    'HTML with a data URL',
    (random) =>
      `<img src="data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD${random.base64(300)}" alt="${random.word()}">`,
  ],
  [
    'SVG paths',
    (random) =>
      `<svg viewBox="0 0 24 24"><path d="M${random.int(1, 20)} ${random.int(1, 20)}c0-1.1.9-2 2-2h${random.int(1, 9)}z"/></svg>`,
  ],
  [
    'i18n labels',
    (random) => ({
      'auth.password': 'Password',
      'auth.password.hint': 'At least 12 characters',
      'auth.token': 'Access token',
      'auth.token.expired': 'Your token has expired',
      'auth.secret.copy': 'Copy secret',
      'form.apiKey': 'API key',
      'form.apiKey.placeholder': `Paste the key of ${random.word()}`,
    }),
  ],
  [
    'German i18n labels',
    () => ({
      password: 'Passwort',
      passwordRepeat: 'Passwort wiederholen',
      apiKey: 'API-Schlüssel',
      token: 'Zugangstoken',
      secret: 'Geheimnis',
      forgotPassword: 'Passwort vergessen?',
    }),
  ],
  [
    'a JSON Schema',
    (random) => ({
      tools: list(random, 2, 5, () => ({
        name: `${random.word()}_${random.word()}`,
        description: `Needs an API key. Set ${random.word().toUpperCase()}_API_KEY first.`,
        inputSchema: {
          type: 'object',
          properties: {
            token: { type: 'string', description: 'Personal access token' },
            password: { type: 'string', minLength: 8, format: 'password' },
            cursor: { type: 'string' },
          },
          required: ['token'],
        },
      })),
    }),
  ],
  [
    'an OpenAPI excerpt',
    () =>
      `securitySchemes:\n  ApiKeyAuth:\n    type: apiKey\n    in: header\n    name: X-API-Key\n  OAuth:\n    type: oauth2\n    flows:\n      authorizationCode:\n        tokenUrl: https://id.acme.io/oauth/token\n        scopes:\n          read: Read access`,
  ],
  [
    'documentation of tokens',
    (random) =>
      `## Authentication\n\nCreate a token under *Settings → Developer → Access tokens* and export it:\n\n\`\`\`sh\nexport ACME_TOKEN=<your-token>\ncurl -H "Authorization: Bearer $ACME_TOKEN" https://api.acme.io/v2/${random.word()}\n\`\`\`\n\nTokens expire after ${random.int(7, 90)} days. Never share your password or API key.`,
  ],
  [
    'an .env.example',
    (random) =>
      `DATABASE_URL=postgres://localhost:5432/${random.word()}\nOPENAI_API_KEY=\nSTRIPE_SECRET_KEY=sk_test_...\nJWT_SECRET=<random string>\nSESSION_SECRET=your-secret-here\nPORT=3000`,
  ],
  [
    'code about secrets',
    (random) =>
      `export async function getToken(config: Config): Promise<string> {\n  const apiKey = process.env.${random.word().toUpperCase()}_API_KEY ?? config.apiKey;\n  if (!apiKey) throw new Error('API key is missing');\n  const { access_token: accessToken } = await exchange(apiKey, config.clientSecret);\n  return accessToken;\n}`,
  ],
  [
    'Python about secrets',
    (random) =>
      `class ${random.word()}Settings(BaseSettings):\n    api_key: SecretStr = Field(..., alias="API_KEY")\n    password: str | None = None\n\n    def token(self) -> str:\n        return self.api_key.get_secret_value()\n\nsecret = os.environ["APP_SECRET"]\nparser.add_argument("--password", default=None, help="password of the user")`,
  ],
  [
    'SQL schema',
    (random) =>
      `CREATE TABLE users (\n  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),\n  email text NOT NULL,\n  password_hash text NOT NULL,\n  api_token varchar(64),\n  created_at timestamptz\n);\nCREATE INDEX ${random.word()}_token_idx ON users (api_token);`,
  ],
  [
    'token usage',
    (random) => ({
      usage: {
        prompt_tokens: random.int(100, 9000),
        completion_tokens: random.int(10, 900),
        total_tokens: random.int(1000, 9999),
        cached_tokens: 0,
      },
      max_tokens: 4096,
      stop_token: '<|endoftext|>',
      tokenizer: 'cl100k_base',
    }),
  ],
  [
    'an embedding',
    (random) => ({
      model: 'text-embedding-3-small',
      embedding: list(random, 20, 60, () => Number((random.number() - 0.5).toFixed(8))),
    }),
  ],
  [
    'access log',
    (random) =>
      lines(
        random,
        8,
        20,
        () =>
          `${random.ip()} - - [02/Mar/2026:10:00:0${random.int(0, 9)} +0000] "GET /assets/${random.word()}-${random.hex(8)}.js HTTP/1.1" 200 ${random.int(100, 90000)} "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"`,
      ),
  ],
  [
    'trace ids',
    (random) =>
      lines(
        random,
        8,
        20,
        () =>
          `${random.time()} INFO [trace_id=${random.hex(32)} span_id=${random.hex(16)} request_id=${random.uuid()}] ${random.words(4)}`,
      ),
  ],
  [
    'pino log lines',
    (random) =>
      lines(random, 6, 14, () =>
        JSON.stringify({
          level: 30,
          time: random.int(17e11, 18e11),
          pid: random.int(1, 999),
          hostname: random.hex(12),
          reqId: random.text('mixed', 10),
          msg: `${random.words(3)} token refreshed`,
        }),
      ),
  ],
  [
    'a Node stack trace',
    (random) =>
      `TypeError: Cannot read properties of undefined (reading 'token')\n${lines(random, 6, 12, () => `    at ${random.word()}.${random.word()} (file:///srv/app/dist/chunk-${random.text('upperDigits', 8)}.js:${random.int(1, 9000)}:${random.int(1, 90)})`)}`,
  ],
  [
    'a Python traceback',
    (random) =>
      `Traceback (most recent call last):\n${lines(random, 4, 8, () => `  File "/usr/lib/python3.12/site-packages/${random.word()}/${random.word()}.py", line ${random.int(1, 900)}, in ${random.word()}\n    return self._${random.word()}(token, password=password)`)}\nValueError: password must not be empty`,
  ],
  [
    'a Java stack trace',
    (random) =>
      `java.lang.IllegalStateException: token expired\n${lines(random, 6, 12, () => `\tat io.acme.${random.word()}.${random.word()}Filter.doFilter(${random.word()}Filter.java:${random.int(10, 900)})`)}`,
  ],
  [
    'a licence',
    (random) =>
      `MIT License\n\nCopyright (c) 2026 ${random.person().name}\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction.`,
  ],
  [
    'SPDX headers',
    (random) =>
      lines(
        random,
        5,
        10,
        () => `// SPDX-License-Identifier: Apache-2.0\n// SPDX-FileCopyrightText: 2026 ${random.word()}`,
      ),
  ],
  [
    'HTTP response headers',
    (random) => ({
      status: 200,
      headers: {
        'content-type': 'application/json',
        etag: `W/"${random.hex(10)}-${random.text('mixed', 27)}"`,
        'x-request-id': random.uuid(),
        'cf-ray': `${random.hex(16)}-FRA`,
        'x-ratelimit-remaining': '4999',
        'strict-transport-security': 'max-age=31536000',
      },
    }),
  ],
  [
    'search results',
    (random) => ({
      results: list(random, 4, 9, () => ({
        title: random.words(5),
        url: `https://www.${random.word()}.com/${random.words(4, '-')}-${random.int(1000, 99999)}?utm_source=feed&id=${random.int(1, 9999)}`,
        score: random.number(),
      })),
    }),
  ],
  [
    'a calendar',
    (random) =>
      `BEGIN:VCALENDAR\nVERSION:2.0\n${lines(random, 2, 5, () => `BEGIN:VEVENT\nUID:${random.text('lowerDigits', 26)}@google.com\nDTSTART:20260${random.int(1, 9)}01T100000Z\nSUMMARY:${random.words(3)}\nEND:VEVENT`)}\nEND:VCALENDAR`,
  ],
  [
    'blockchain transactions',
    (random) =>
      list(random, 3, 8, () => ({
        hash: `0x${random.hex(64)}`,
        from: `0x${random.hex(40)}`,
        to: `0x${random.hex(40)}`,
        tokenId: random.int(1, 9999),
        tokenSymbol: 'USDC',
      })),
  ],
  [
    'CSS design tokens',
    (random) =>
      `:root {\n${lines(random, 6, 14, () => `  --token-${random.word()}-${random.int(50, 900)}: #${random.hex(6)};`)}\n}`,
  ],
  [
    'settings with references',
    () => ({
      mcpServers: {
        acme: {
          command: 'npx',
          args: ['-y', 'acme-mcp'],
          env: { ACME_API_KEY: '${ACME_API_KEY}', TOKEN: '${input:token}', PASSWORD_FILE: '/run/secrets/db_password' },
        },
      },
    }),
  ],
  [
    'masked values',
    (random) => ({
      apiKey: `sk-...${random.text('mixed', 4)}`,
      password: '********',
      token: '<redacted>',
      secret: '[FILTERED]',
      authorization: 'Bearer ***',
    }),
  ],
  [
    'an MCP handshake',
    (random) => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: `${random.word()}-mcp`, version: '1.4.2' },
      instructions: 'Set the API token in the environment. Ask for a password only when needed.',
    }),
  ],
  [
    'minified code',
    (random) =>
      `!function(){var e={};${Array.from({ length: 20 }, () => `function ${random.text('letters', 2)}(t,n){return t.${random.word()}(n.key)}`).join('')}}();//# sourceMappingURL=app.${random.hex(8)}.js.map`,
  ],
  [
    'a source map',
    (random) => ({
      version: 3,
      file: 'app.js',
      sources: [`../src/${random.word()}.ts`],
      mappings: Array.from({ length: 60 }, () => `${random.text('letters', random.int(4, 8))}`).join(';'),
    }),
  ],
  [
    'prose',
    (random) =>
      `The token economy of the ${random.word()} age is a secret to nobody. Every password tells a story: ${random.words(8)}. The key to the ${random.word()} was lost, and ${random.person().name} asked for a new one.`,
  ],
];

/** Every text that can be made. A corpus has some of them. */
const HARMLESS: readonly HarmlessText[] = [...OF_TOOLS, ...OF_DATA, ...OF_SYSTEMS, ...ABOUT_SECRETS];
const COUNT = 60;

/** A recording without a secret. */
export interface HarmlessRecording {
  readonly name: string;
  readonly frames: readonly Frame[];
}

const recordingOf = ([name, make]: HarmlessText, random: Random): HarmlessRecording => {
  const made = make(random);
  return { name, frames: framesOf(typeof made === 'string' ? printed(made, random) : structured(made, random)) };
};

export function harmlessTexts(seed: number): HarmlessRecording[] {
  const random = new Random(seed * 1000 + 7);
  return random.sample(HARMLESS, COUNT).map((text) => recordingOf(text, random));
}

/** Returns every other list: 0 for those in view while rules are written, 1 for those kept back. */
export function harmlessLists(seed: number, half: 0 | 1): HarmlessRecording[] {
  const random = new Random(seed * 1000 + 8 + half);
  return LISTS.filter((_, at) => at % 2 === half).map((text) => recordingOf(text, random));
}
