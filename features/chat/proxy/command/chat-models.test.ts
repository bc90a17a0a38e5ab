import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ModelError } from '@/features/chat/lib/model';
import { asking } from '../model/test-models';
import { LoadedModels } from './chat-models';

/** Starts a server that refuses every request, and keeps its headers. */
async function startServer() {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(400).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

const closing: (() => void)[] = [];
beforeEach(() => {
  vi.stubEnv('OPENAI_API_KEY', 'key-of-openai');
  vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-anthropic');
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

test('a given URL gets the key of the first model’s provider only', async () => {
  const [given, usual] = [await startServer(), await startServer()];
  vi.stubEnv('ANTHROPIC_BASE_URL', usual.url);
  const models = new LoadedModels({ version: '1', allowLinkLocal: false, baseUrl: given.url });
  for (const name of ['openai:a', 'openai:c', 'anthropic:b']) {
    const model = await models.load(name);
    const answered = async () => {
      for await (const event of model.ask(asking('Hello'), new AbortController().signal)) void event;
    };
    await expect(answered()).rejects.toThrow(ModelError);
  }
  expect(given.seen.map(({ authorization }) => authorization)).toEqual(Array(2).fill('Bearer key-of-openai'));
  expect(JSON.stringify(given.seen)).not.toContain('key-of-anthropic');
  expect(usual.seen).toMatchObject([{ 'x-api-key': 'key-of-anthropic' }]);
});

test('two providers with one URL are refused where several models are named', async () => {
  const options = { version: '1', allowLinkLocal: false, refusesOthers: true } as const;
  const models = new LoadedModels({ ...options, baseUrl: 'http://127.0.0.1:9/v1' });
  await models.load('openai:a');
  await models.load('openai:b');
  await expect(models.load('anthropic:b')).rejects.toThrow('there are models of openai and anthropic');
  const free = new LoadedModels(options);
  await free.load('openai:a');
  await free.load('anthropic:b');
});

test.each([
  ['http://models.example:81/v1', 1],
  ['http://10.0.0.1/v1', 1],
  ['https://models.example/v1', 0],
  ['http://localhost:9/v1', 0],
  ['http://[::1]:9/v1', 0],
])('a key that goes to %s is noted once, unless it is encrypted or stays here', async (baseUrl, count) => {
  const notes: string[] = [];
  const models = new LoadedModels({
    version: '1',
    allowLinkLocal: false,
    baseUrl,
    printNote: (text: string) => void notes.push(text),
  });
  await models.load('openai:a');
  await models.load('openai:b');
  expect(notes).toHaveLength(count);
  expect(notes.join()).toMatch(count ? /The key of OpenAI goes to [\w.:]+ unencrypted/ : /^$/);
});

test('a typed command is not taken for a key, and an empty answer goes back', async () => {
  vi.stubEnv('OPENAI_API_KEY', '');
  const models = new LoadedModels({ version: '1', allowLinkLocal: false });
  const asked: string[] = [];
  const typed = ['/quit', 'no key', ''];
  const ask = async (question: string) => {
    asked.push(question);
    return typed.shift();
  };
  await expect(models.loadAsking('openai:a', ask)).rejects.toThrow('OPENAI_API_KEY');
  expect(asked).toEqual([
    expect.stringContaining('Enter alone goes back): '),
    expect.stringContaining('Commands do not work here. Type it'),
    expect.stringContaining('it has spaces'),
  ]);
});
