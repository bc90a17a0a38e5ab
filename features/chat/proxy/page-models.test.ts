import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { PageModels } from './page-models';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('offers an Ollama that runs and providers with a key, before somebody has chosen', async () => {
  const server = createServer((_, response) => response.end('{"data":[{"id":"llama3"}]}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('OLLAMA_BASE_URL', `http://127.0.0.1:${port}/v1`);
  vi.stubEnv('ANTHROPIC_API_KEY', 'a-key');
  vi.stubEnv('OPENAI_API_KEY', '');
  // A busy machine may take longer to load the code of a provider.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  const models = new PageModels('1.0.0', false);
  const reply = await models.list(undefined, undefined);
  expect(reply.providers.filter(({ found }) => found).map(({ id }) => id)).toEqual(['anthropic', 'ollama']);
  expect(reply.models.map(({ id }) => id)).toContain('ollama:llama3');
  await new Promise((resolve) => server.close(resolve));
  const later = await models.list(undefined, undefined);
  expect(later.providers.filter(({ found }) => found).map(({ id }) => id)).toEqual(['anthropic']);
});
