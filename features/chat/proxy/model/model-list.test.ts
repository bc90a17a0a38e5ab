import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listModels } from './load-model';
import { CANARY, optionsFor, PROVIDERS, startEndpoints } from './test-models';

const endpoints = startEndpoints();
const { signal } = new AbortController();

test.each(PROVIDERS)('lists the models of %s', async (provider, path) => {
  const names = await listModels(provider, optionsFor(endpoints().url + path), signal);
  expect(names).toContain('echo');
  expect(names).toEqual(names.toSorted());
  // Models that only make embeddings can't chat.
  expect(names).not.toContain('embed');
  expect(JSON.stringify(endpoints().requests.at(-1)!.headers)).toContain(CANARY);
});

test.each([
  ['404', 404, '{"error":{"message":"Not here"}}', { code: 'no-model-list' }],
  ['401', 401, '{"error":"Who are you?"}', { code: 'unauthorized', message: 'Ollama refused the key: Who are you?' }],
  ['no JSON', 200, '<html>', { code: 'broken-stream' }],
])('%s is an error', async (_, status, body, error) => {
  await withAnswer(status, body, async (url) => {
    await expect(listModels('ollama', optionsFor(url), signal)).rejects.toMatchObject(error);
  });
});

test('hostile lists are cut', async () => {
  const ids = [...Array.from({ length: 5000 }, (_, at) => `m${at}`), 'x'.repeat(300), 'a\nb', 7, null, { a: 1 }];
  await withAnswer(200, JSON.stringify({ data: ids.map((id) => ({ id })) }), async (url) => {
    const names = await listModels('ollama', optionsFor(url), signal);
    expect(names).toHaveLength(2000);
    expect(names.every((name) => /^m\d+$/.test(name))).toBe(true);
  });
  await withAnswer(200, '[null, 3]', async (url) => {
    expect(await listModels('ollama', optionsFor(url), signal)).toEqual([]);
  });
});

async function withAnswer(status: number, body: string, run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
