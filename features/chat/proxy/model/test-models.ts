import { afterAll, beforeAll } from 'vitest';
import type { OfferedTool } from '@/features/chat/lib/chat-frame';
import type { ModelEvent, ModelRequest } from '@/features/chat/lib/model';
import { systemClock } from '@/lib/wire/clock';
import { startModelEndpoints } from './fixtures/model-endpoints.mjs';
import { loadModel, type ModelOptions } from './load-model';
import { ModelKeys } from './model-keys';

/** A key that must appear nowhere. */
export const CANARY = 'sk-canary-0123456789abcdefXYZ';

/** One provider of each dialect, with the end of its base URL at the test server. */
export const PROVIDERS = [
  ['openai', '/v1'],
  ['anthropic', '/v1'],
  ['google', '/v1beta'],
  ['ollama', '/v1'],
] as const;

type Endpoints = Awaited<ReturnType<typeof startModelEndpoints>>;

/** Starts the test server for the tests of a file. */
export function startEndpoints(): () => Endpoints {
  let endpoints: Endpoints;
  beforeAll(async () => {
    endpoints = await startModelEndpoints();
  });
  afterAll(() => endpoints.close());
  return () => endpoints;
}

/** Options that lead to a URL, with {@link CANARY} as the key of every provider. */
export function optionsFor(baseUrl: string): ModelOptions {
  const environment = Object.fromEntries(
    ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'OLLAMA_API_KEY'].map((name) => [name, CANARY]),
  );
  return {
    keys: new ModelKeys(environment),
    clock: systemClock,
    version: '0.0.0',
    allowLocal: false,
    baseUrl,
    trustsBaseUrl: true,
  };
}

export const ADD: OfferedTool = {
  name: 'math__add',
  server: 'math',
  tool: 'add',
  description: 'Adds two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  readOnly: true,
};

/** A request with one message of a person. */
export function asking(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ role: 'user', parts: [{ type: 'text', text }] }], tools: [], outputTokens: 100, ...more };
}

/** Asks a model by name and returns all its events. */
export async function ask(
  name: string,
  options: ModelOptions,
  request: ModelRequest,
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const model = await loadModel(name, options);
  const events: ModelEvent[] = [];
  for await (const event of model.ask(request, signal)) events.push(event);
  return events;
}

export function textOf(events: readonly ModelEvent[], type: 'text' | 'reasoning' = 'text'): string {
  return events.flatMap((event) => (event.type === type ? event.text : [])).join('');
}
