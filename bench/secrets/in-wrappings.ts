/** Secrets inside encoded, packed or broken text. */
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { result } from './carriers';
import { json, text } from './drafts';
import type { Draft, SecretTemplate } from './planted';
import type { Random } from './random';
import { vendorKey } from './vendor-keys';

const token = (random: Random) => random.text('mixed', random.int(24, 44));
/** A key with a start of its own that fits on a line. */
const shortKey = (random: Random): string => {
  const key = vendorKey(random);
  return key.length <= 80 && /^[A-Za-z]{2,}[\w-]*[_-]\w{16}/.test(key) ? key : shortKey(random);
};
const settings = (random: Random, secret: string) =>
  `HOST=${random.word()}\nAPI_TOKEN=${secret}\nMODE=${random.word()}\n`;

/** A file of settings, packed. Everything packed is the secret. */
const packed =
  (pack: (bytes: Buffer) => string, write: (blob: string) => string) =>
  (random: Random): Draft => {
    const blob = pack(Buffer.from(settings(random, token(random))));
    return text(() => blob, write)(random);
  };
/** A key with something inside. What is written is the secret. */
const broken =
  (breakUp: (key: string, random: Random) => string, write: (key: string) => string) =>
  (random: Random): Draft => {
    const key = breakUp(shortKey(random), random);
    // Other carriers put something at the start of each line.
    return key.includes('\n') ? { said: [result(write(key))], secrets: [key] } : text(() => key, write)(random);
  };
const middle = (key: string) => Math.floor(key.length / 2);
const split = (key: string, between: string) => key.slice(0, middle(key)) + between + key.slice(middle(key));

export const IN_WRAPPINGS: readonly SecretTemplate[] = [
  packed(
    (bytes) => bytes.toString('base64'),
    (blob) => `config: ${blob}\nmode: on`,
  ),
  packed(
    (bytes) => bytes.toString('base64url'),
    (blob) => `https://acme.io/setup?config=${blob}&v=1`,
  ),
  packed(
    (bytes) => bytes.toString('hex'),
    (blob) => `dump of .env: ${blob}`,
  ),
  packed(
    (bytes) => Buffer.from(bytes.toString('base64')).toString('base64'),
    (blob) => `release ${blob}`,
  ),
  packed(
    (bytes) => gzipSync(bytes).toString('base64'),
    (blob) => `release: ${blob}`,
  ),
  packed(
    (bytes) => deflateSync(bytes).toString('base64'),
    (blob) => `state=${blob};`,
  ),
  packed(
    (bytes) => deflateRawSync(bytes).toString('base64'),
    (blob) => `payload "${blob}"`,
  ),
  packed(
    (bytes) => gzipSync(bytes).toString('hex'),
    (blob) => `blob 0x${blob}`,
  ),
  packed(
    (bytes) => Buffer.from(bytes.toString(), 'utf16le').toString('base64'),
    (blob) => `powershell -EncodedCommand ${blob}`,
  ),
  packed(
    (bytes) => Buffer.from(gzipSync(bytes).toString('base64')).toString('base64'),
    (blob) => `data:\n  release: ${blob}\n`,
  ),
  (random) => {
    const blob = gzipSync(settings(random, token(random))).toString('base64');
    return json(
      () => blob,
      (s) => ({ contents: [{ uri: 'file:///a.gz', mimeType: 'application/gzip', blob: s }] }),
    )(random);
  },
  (random) => {
    const blob = Buffer.from(settings(random, token(random))).toString('base64');
    return json(
      () => blob,
      (s) => ({ content: [{ type: 'resource', resource: { uri: 'file:///.env', blob: s } }] }),
    )(random);
  },
  text(
    (random) => encodeURIComponent(`password=${random.word()}${random.int(100, 999)}&x=1`),
    (s) => `body=${s}`,
  ),
  text(
    (random) => encodeURIComponent(encodeURIComponent(JSON.stringify({ apiKey: token(random) }))),
    (s) => `https://acme.io/r?to=${s}`,
  ),
  broken(
    (key) => split(key, '=\n'),
    (key) => `Content-Transfer-Encoding: quoted-printable\n\nYour key is ${key}\n`,
  ),
  broken(
    (key) => split(key, '\u200b'),
    (key) => `paste ${key} there`,
  ),
  broken(
    (key) => split(key, '\u2060'),
    (key) => `key: ${key}`,
  ),
  broken(
    (key) => split(key, '" + "'),
    (key) => `const key = "${key}";`,
  ),
  broken(
    (key) => split(key, "' + '"),
    (key) => `use('${key}')`,
  ),
  broken(
    (key) => Buffer.from(key).toString('base64'),
    (key) => `encoded ${key} end`,
  ),
  broken(
    (key) => Buffer.from(key).toString('hex'),
    (key) => `bytes ${key} end`,
  ),
  broken(
    (key) => Buffer.from(Buffer.from(key).toString('base64')).toString('base64'),
    (key) => `twice ${key} end`,
  ),
  broken(
    (key) => Array.from(key, (one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
    (key) => `x=${key}`,
  ),
  broken(
    (key) => Array.from(key, (one) => `\\x${one.charCodeAt(0).toString(16)}`).join(''),
    (key) => `b'${key}'`,
  ),
  broken(
    (key) => Buffer.from(key, 'utf16le').toString('hex'),
    (key) => `wide ${key} end`,
  ),
  broken(
    (key) => split(key, '\\\n'),
    (key) => `export X="${key}"`,
  ),
];
