/** Secrets in encodings, and key files. */
import { call, http, printed, result, type Said, stderr, structured } from './carriers';
import { base64 } from './drafts';
import type { Draft, SecretClass } from './planted';
import type { Random } from './random';
import { lettersOnly, machineValue, password, secretName } from './values';

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
  (make: (random: Random) => string, write: (secret: string) => readonly [shown: string, form: string]) =>
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

const wrapped = (data: string, at = 64) => data.replace(new RegExp(`.{${at}}(?=.)`, 'g'), '$&\n');

/** How the keys in a file begin. */
const begins = (kind: string) =>
  kind.startsWith('OPENSSH') ? 'b3BlbnNzaC1rZXktdjEA' : kind.startsWith('PGP') ? 'lQVY' : 'MIIE';

/** A key file. Its secret is one of the inner lines. */
const pem =
  (kind: string, write: (key: string, random: Random) => Said[]) =>
  (random: Random): Draft => {
    const body = begins(kind) + random.base64(random.int(120, 1200));
    const lines = wrapped(body, random.pick([64, 64, 70, 76])).split('\n');
    const key = [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join('\n');
    return { said: write(key, random), secrets: [random.pick(lines.slice(0, -1))] };
  };

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
    pem('PRIVATE KEY', (key) => [call('add_key', { name: 'deploy', private_key: key })]),
    pem('DSA PRIVATE KEY', (key, random) => structured({ files: [{ path: 'id_dsa', content: key }] }, random)),
    pem('RSA PRIVATE KEY', (key, random) => printed(`config/key.pem:\n${key}\n\nconfig/cert.pem: missing`, random)),
    pem('PRIVATE KEY', (key) => stderr(`error: cannot parse key ${JSON.stringify(key)}`)),
    pem('RSA PRIVATE KEY', (key) => [result(JSON.stringify({ data: { key: key.replaceAll('\n', '\\n') } }))]),
    pem('PRIVATE KEY', (key, random) => printed(`  "key": "${key.replaceAll('\n', '\\n')}",`, random)),
    pem('EC PRIVATE KEY', (key) => [result(key.replaceAll('\n', ' '))]),
    pem('OPENSSH PRIVATE KEY', (key, random) =>
      printed(`$ cat ~/.ssh/id_ed25519\n${key}\n$ cat ~/.ssh/id_ed25519.pub\nssh-ed25519 AAAAC3Nz ann`, random),
    ),
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
