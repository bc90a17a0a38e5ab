import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { build } from 'rolldown';
import { expect, test } from 'vitest';
import { leanPackages } from './lean-packages.mjs';

const root = join(import.meta.dirname, '..');

/** Bundles a module like the proxy, and returns its text without minifying. */
async function bundled(contents) {
  const entry = join(root, 'entry.mjs');
  const { output } = await build({
    input: entry,
    write: false,
    platform: 'node',
    plugins: [
      {
        name: 'entry',
        load: (id) => (id === entry ? contents : undefined),
        resolveId: (id) => (id === entry ? id : undefined),
      },
      leanPackages,
    ],
    output: { codeSplitting: false },
  });
  return output[0].code;
}

function imported(text) {
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}

test('parts of the SDK for OAuth come without its client and the schemas of messages', async () => {
  const text = await bundled(`export { discoverAuthorizationServerMetadata } from '@modelcontextprotocol/client';`);
  expect(text).toContain('async function discoverAuthorizationServerMetadata(');
  expect(text).not.toMatch(/\bclass(?: \w+)? extends Protocol\b/);
  expect(text).not.toContain('CreateMessageRequestSchema');
});

test('schemas by name are complete if something uses them', async () => {
  const text = await bundled(`export { isSpecType } from '@modelcontextprotocol/client';`);
  const { isSpecType } = await imported(text);
  expect(isSpecType.Tool({ name: 'a', inputSchema: { type: 'object' } })).toBe(true);
  expect(isSpecType.Tool({ name: 1 })).toBe(false);
  expect(isSpecType.OAuthTokens({ access_token: 'a', token_type: 'Bearer' })).toBe(true);
});

test('of jose, only what the SDK names is bundled, and it signs', async () => {
  const text = await bundled(`export { createPrivateKeyJwtAuth } from '@modelcontextprotocol/client';`);
  expect(text).not.toContain('createRemoteJWKSet');
  const { createPrivateKeyJwtAuth } = await imported(text);
  const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const sign = createPrivateKeyJwtAuth({ issuer: 'a', subject: 'a', privateKey, alg: 'ES256' });
  const form = new URLSearchParams();
  await sign(new Headers(), form, 'https://auth.example/token', { issuer: 'https://auth.example' });
  expect(form.get('client_assertion')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
});
