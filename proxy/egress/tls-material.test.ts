import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { TlsOptions } from '@/lib/wire/connection-settings';
import { AUTHORITY, certificateFile, keyFile, LOCKED_KEY } from '@/proxy/connection/fixtures/tls-fixture';
import { loadTls } from './tls-material';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const cert = certificateFile('client');
const key = keyFile('client');
const GARBAGE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

describe('reports unusable files in one sentence', () => {
  test.each<[string, TlsOptions, string, RegExp]>([
    [
      'no such file',
      { ca: ['/nowhere/ca.pem'] },
      'tls-file',
      /certificate of an authority from "\/nowhere\/ca\.pem"\. It does not exist\./,
    ],
    ['a folder', { ca: [folder] }, 'tls-file', /not a file, but a directory/],
    ['no PEM', { ca: [file('ca.txt', 'hello')] }, 'tls-file', /contains no certificate of an authority/],
    ['a key where a certificate belongs', { ca: [key] }, 'tls-file', /contains no certificate of an authority/],
    ['a broken certificate', { ca: [file('broken.pem', GARBAGE)] }, 'tls-file', /can’t be read/],
    ['no key', { cert }, 'tls-options', /needs its key/],
    ['no certificate', { key }, 'tls-options', /no certificate was given/],
    ['another key', { cert, key: keyFile('server') }, 'tls-key', /does not belong to the certificate/],
    ['a locked key', { cert, key: LOCKED_KEY }, 'tls-key', /without its passphrase/],
    ['a wrong passphrase', { cert, key: LOCKED_KEY, passphraseEnv: 'WRONG' }, 'tls-key', /with that passphrase/],
    ['no such variable', { cert, key: LOCKED_KEY, passphraseEnv: 'NOWHERE' }, 'tls-options', /"NOWHERE"/],
    ['a variable that every object has', { cert, key, passphraseEnv: 'constructor' }, 'tls-options', /"constructor"/],
  ])('%s', async (_what, options, code, sentence) => {
    const failed = await loadTls('https://localhost/', options, { NODE_ENV: 'test', WRONG: 's3cret' }).catch((e) => e);
    expect(failed).toMatchObject({ code, message: expect.stringMatching(sentence) });
    expect(failed.message).not.toContain('s3cret');
  });
});

test('reads several files, and a file with several certificates', async () => {
  const both = file('both.pem', `# our own\n${readFileSync(AUTHORITY, 'utf8')}${readFileSync(cert, 'utf8')}`);
  expect(await loadTls('https://localhost/mcp', { ca: [AUTHORITY, both] }, process.env)).toMatchObject({
    origin: 'https://localhost',
    insecure: false,
  });
});
