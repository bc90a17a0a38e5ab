import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { bundleRoute } from './page-bundles';

const encoder = new TextEncoder();
const MANIFEST = {
  name: 'b',
  server: { type: 'node', mcp_config: { command: 'node', args: ['${__dirname}/a.js', '${user_config.key}'] } },
  user_config: { key: { type: 'string', required: true, sensitive: true } },
};

function bundle(manifest: unknown = MANIFEST): Uint8Array {
  return zipSync({ 'manifest.json': encoder.encode(JSON.stringify(manifest)), 'a.js': encoder.encode('') });
}

async function* bytesOf(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function ask(route: ReturnType<typeof bundleRoute>, file: AsyncIterable<Uint8Array>) {
  const reply = await route.handle({ path: '/api/bundles', base: '', body: '', query: '', file });
  return { status: reply.status, ...JSON.parse(String(reply.body)) };
}

test('replies with the server of a bundle as a config, whose values are asked for', async () => {
  const { status, config } = await ask(bundleRoute(), bytesOf(bundle()));
  expect(status).toBe(200);
  const { mcpServers, inputs } = JSON.parse(config);
  expect(mcpServers.b).toMatchObject({ command: 'node', args: [expect.stringMatching(/a\.js$/), '${input:key}'] });
  expect(inputs).toEqual([expect.objectContaining({ id: 'key', password: true })]);
});

test('attack: a large or broken bundle, and many of them, are refused with a sentence', async () => {
  const route = bundleRoute();
  expect(await ask(route, bytesOf(encoder.encode('PK')))).toMatchObject({ status: 409, code: 'bundle-wrong' });
  expect(await ask(route, bytesOf(bundle({})))).toMatchObject({ code: 'bundle-wrong' });
  const piece = new Uint8Array(32 * 1024 * 1024);
  const large = bytesOf(piece, piece, piece, piece, piece);
  expect(await ask(route, large)).toMatchObject({ status: 409, code: 'bundle-too-large' });
  const two = await Promise.all([ask(route, bytesOf(bundle())), ask(route, bytesOf(bundle()))]);
  expect(two.map(({ code = 'fine' }) => code)).toEqual(['fine', 'bundle-busy']);
  for (let more = 0; more < 20; more++) await ask(route, bytesOf(encoder.encode('PK')));
  expect(await ask(route, bytesOf(bundle()))).toMatchObject({ code: 'bundles-too-many' });
});
