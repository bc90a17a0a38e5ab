import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { afterAll, expect, test } from 'vitest';
import { CallIndex } from '@/lib/replay/server/call-index';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import { capture } from '@/proxy/commands/headless/test-against';
import { readTrafficFile } from '@/proxy/recorder/read-traffic';
import { serveStdio } from '@/proxy/replay/stdio-server';

const SHOP = join(import.meta.dirname, '../../connection/fixtures/shop-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-round-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A client of the official SDK at the other end of these streams. */
async function clientOf(input: PassThrough, output: PassThrough): Promise<Client> {
  const transport: Transport = {
    async start() {
      createInterface({ input: output }).on('line', (line) => transport.onmessage?.(JSON.parse(line)));
    },
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
    },
  };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
}

test('answers a client that sends the secret itself, and one that sends another', async () => {
  const [secret, file] = ['Ab12-Cd34-Ef56-Gh78', join(folder, 'secret.mcpr.jsonl')];
  const target: Target = { transport: 'stdio', command: process.execPath, args: [SHOP, 'same'] };
  const params = { name: 'order', arguments: { item: 'tea', apiKey: secret, note: `key=${secret}` } };
  let price: unknown;
  await capture(target, file, async (ask) => {
    await ask('tools/list');
    const answer = await ask('tools/call', JSON.stringify(params));
    price = JSON.parse((answer as any).result.content[0].text);
  });
  expect(readFileSync(file, 'utf8')).not.toContain(secret);
  const { traffic } = await readTrafficFile(file);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const replay = { traffic, calls: new CallIndex(traffic), pace: 0, onMiss: 'error' } as const;
  const served = serveStdio(replay, { clock: systemClock, printNote: () => {} }, input, output);
  const client = await clientOf(input, output);
  for (const apiKey of [secret, 'another-one-1']) {
    const result = await client.callTool({ ...params, arguments: { item: 'tea', apiKey, note: `key=${apiKey}` } });
    expect(JSON.parse((result as any).content[0].text)).toEqual(price);
  }
  await expect(client.callTool({ ...params, arguments: { ...params.arguments, item: 'milk' } })).rejects.toThrow();
  await client.close();
  await served;
});
