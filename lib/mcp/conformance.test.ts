import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';
import { Engine } from './engine';
import { FakeHost, settled } from './test-engine';
import { eraOf } from './versions';

const SPEC = path.resolve(import.meta.dirname, '../../../shared/spec');

/** Returns the errors in `value`. Checks only the JSON Schema keywords that say what a message must have. */
function faults(root: any, schema: any, value: any, at = ''): string[] {
  if (schema.$ref !== undefined) {
    const target = schema.$ref.split('/').slice(1);
    return faults(
      root,
      target.reduce((node: any, key: string) => node[key], root),
      value,
      at,
    );
  }
  if (schema.anyOf?.every((one: any) => faults(root, one, value, at).length > 0)) return [`${at}: none of anyOf`];
  if ('const' in schema && value !== schema.const) return [`${at}: not ${schema.const}`];
  const types = [schema.type ?? []].flat();
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const fits = types.length === 0 || types.includes(type) || (type === 'number' && types.includes('integer'));
  if (!fits) return [`${at}: is ${type}, not ${types}`];
  if (type !== 'object') return [];
  const missing = (schema.required ?? []).filter((key: string) => !Object.hasOwn(value, key));
  return [
    ...missing.map((key: string) => `${at}: lacks ${key}`),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
      Object.hasOwn(value, key) ? faults(root, inner, value[key], `${at}/${key}`) : [],
    ),
  ];
}

/** Returns the definition of a method's message. */
function definitionOf(root: any, method: string): any {
  const found = Object.entries<any>(root.$defs ?? root.definitions).find(
    ([name, def]) => def.properties?.method?.const === method && !/^(Client|Server)/.test(name),
  );
  if (found === undefined) throw new Error(`${method} is not in this version`);
  return found[1];
}

async function everythingSent(version: ProtocolVersion): Promise<string[]> {
  const host = new FakeHost();
  const clientInfo = { name: 'test', version: '1', title: 'Test' };
  const engine = new Engine(host, {
    protocol: version,
    clientInfo,
    capabilities: () => ({ roots: {} }),
    logLevel: 'info',
  });
  const opened = engine.handshake();
  engine.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { protocolVersion: version } }));
  await opened;
  engine.sendRequest('tools/call', '{"name":"a","arguments":{"n":1}}');
  engine.sendRequest('prompts/get', '{"name":"a"}');
  engine.sendRequest('resources/read', '{"uri":"a:b"}');
  engine.sendRequest('tools/list');
  const { id } = engine.sendRequest('resources/list', '{"cursor":""}');
  engine.cancel(id);
  await settled();
  return host.texts;
}

describe.skipIf(!existsSync(SPEC))('our messages conform to the official schema', () => {
  test.each(PROTOCOL_VERSIONS)('%s', async (version) => {
    const root = JSON.parse(readFileSync(path.join(SPEC, version, 'schema.json'), 'utf8'));
    const sent = (await everythingSent(version)).map((text) => JSON.parse(text));
    expect(sent[0].method).toBe(eraOf(version) === 'modern' ? 'server/discover' : 'initialize');
    for (const message of sent) {
      // Older schemas omit the envelope in their definitions.
      expect(message).toMatchObject({ jsonrpc: '2.0' });
      expect(faults(root, definitionOf(root, message.method), message), message.method).toEqual([]);
    }
  });

  test('the probe of auto mode conforms to 2026-07-28', () => {
    const host = new FakeHost();
    const engine = new Engine(host, {
      protocol: 'auto',
      clientInfo: { name: 'test', version: '1' },
      capabilities: () => ({}),
    });
    engine.handshake().catch(() => {});
    const root = JSON.parse(readFileSync(path.join(SPEC, '2026-07-28', 'schema.json'), 'utf8'));
    expect(faults(root, definitionOf(root, 'server/discover'), host.last)).toEqual([]);
  });

  test('the check itself finds missing members', () => {
    const root = JSON.parse(readFileSync(path.join(SPEC, '2026-07-28', 'schema.json'), 'utf8'));
    const bare = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: {}, name: 7 } };
    expect(faults(root, definitionOf(root, 'tools/call'), bare)).toEqual([
      '/params/_meta: lacks io.modelcontextprotocol/clientCapabilities',
      '/params/_meta: lacks io.modelcontextprotocol/protocolVersion',
      '/params/name: is number, not string',
    ]);
  });
});
