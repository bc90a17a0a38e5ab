import { describe, expect, test } from 'vitest';
import type { DialectLoss, OfferedTool } from '@/features/chat/lib/chat-frame';
import type { ModelRequest } from '@/features/chat/lib/model';
import { loadModel } from './load-model';
import { ADD, asking, optionsFor, PROVIDERS, startEndpoints } from './test-models';

const endpoints = startEndpoints();
const paths: Readonly<Record<string, string>> = Object.fromEntries(PROVIDERS);

async function send(name: string, request: ModelRequest): Promise<{ body: unknown; losses: readonly DialectLoss[] }> {
  const model = await loadModel(name, optionsFor(endpoints().url + paths[name.split(':')[0]!]));
  for await (const event of model.ask(request, new AbortController().signal)) {
    if (event.type === 'request') return { body: JSON.parse(event.body), losses: event.losses };
  }
  throw new Error('No request');
}

const RICH: OfferedTool = {
  ...ADD,
  name: 'rich',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      size: { type: ['string', 'null'], pattern: '^\\d+$', minLength: 1 },
      kind: { const: 'a' },
      'a/b~c': { type: 'integer', minimum: 1, examples: [3] },
    },
    additionalProperties: false,
  },
};

describe('schemas', () => {
  test.each(['openai', 'anthropic', 'ollama'])('%s gets them as they are', async (provider) => {
    const { body, losses } = await send(`${provider}:echo`, asking('x', { tools: [ADD, RICH] }));
    expect(losses).toEqual([]);
    expect(JSON.stringify(body)).toContain('"a/b~c":{"type":"integer","minimum":1,"examples":[3]}');
  });

  test('Google gets less, and each place is named', async () => {
    const { losses } = await send('google:echo', asking('x', { tools: [ADD, RICH] }));
    expect(losses).toEqual([
      { tool: 'rich', path: '/$schema', message: 'Not sent: "https://json-schema.org/draft/2020-12/schema"' },
      { tool: 'rich', path: '/properties/size/type', message: '["string","null"] became "string"' },
      { tool: 'rich', path: '/properties/size/pattern', message: 'Not sent: "^\\\\d+$"' },
      { tool: 'rich', path: '/properties/size/nullable', message: 'Added: true' },
      { tool: 'rich', path: '/properties/kind/const', message: 'Not sent: "a"' },
      { tool: 'rich', path: '/properties/kind/type', message: 'Added: "string"' },
      { tool: 'rich', path: '/properties/kind/enum', message: 'Added: ["a"]' },
      { tool: 'rich', path: '/properties/a~1b~0c/minimum', message: 'Not sent: 1' },
      { tool: 'rich', path: '/properties/a~1b~0c/examples', message: 'Not sent: [3]' },
      { tool: 'rich', path: '/additionalProperties', message: 'Not sent: false' },
    ]);
  });

  test('a schema that Google can’t get at all is one sentence', async () => {
    const mixed = { ...ADD, inputSchema: { type: 'object', properties: { a: { enum: [1, 'a', true] } } } };
    const error = await send('google:echo', asking('x', { tools: [mixed] })).catch((reason) => reason);
    expect([error.code, error.message]).toEqual(['unsupported', expect.stringContaining('enum')]);
  });

  test('hostile schemas neither loop nor flood', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`p${at}`, { type: 'string', default: at }]),
    );
    let deep: object = { type: 'string', title: 'x' };
    for (let level = 0; level < 500; level++) deep = { type: 'object', properties: { a: deep } };
    const { losses } = await send(
      'google:echo',
      asking('x', {
        tools: [
          { ...ADD, name: 'wide', inputSchema: { type: 'object', properties: wide } },
          { ...ADD, name: 'deep', inputSchema: deep as OfferedTool['inputSchema'] },
          {
            ...ADD,
            name: 'proto',
            inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
          },
        ],
      }),
    );
    expect(losses.filter(({ tool }) => tool === 'wide')).toHaveLength(21);
    expect(losses.length).toBeLessThan(50);
  });
});

test('says that a model takes no temperature', async () => {
  const request = asking('x', { temperature: 0.2 });
  expect((await send('openai:gpt-5', request)).losses).toEqual([
    { message: expect.stringContaining('temperature 0.2') },
  ]);
  expect((await send('ollama:echo', request)).losses).toEqual([]);
});

const PNG = 'iVBORw0KGgo=';

describe('images', () => {
  const inMessage = asking('', {
    messages: [{ role: 'user', parts: [{ type: 'media', mimeType: 'image/png', data: PNG, name: 'a.png' }] }],
  });
  const inResult = (data = PNG, mimeType = 'image/png') =>
    asking('', {
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'Draw.' }] },
        { role: 'assistant', parts: [{ type: 'call', id: 'c1', name: 'draw', arguments: '{}' }] },
        {
          role: 'tool',
          parts: [
            {
              type: 'result',
              id: 'c1',
              name: 'draw',
              isError: false,
              parts: [
                { type: 'text', text: 'Here:' },
                { type: 'media', mimeType, data },
              ],
            },
          ],
        },
      ],
    });

  test.each(PROVIDERS)('%s gets one in a message', async (provider) => {
    const { body, losses } = await send(`${provider}:echo`, inMessage);
    expect(JSON.stringify(body)).toContain(PNG);
    expect(losses).toEqual([]);
  });

  test.each(['openai', 'anthropic', 'google'])('%s gets one in a result', async (provider) => {
    const { body, losses } = await send(`${provider}:echo`, inResult());
    expect(JSON.stringify(body)).toContain(PNG);
    expect(losses).toEqual([]);
  });

  test('a dialect without a place for one gets a note', async () => {
    const { body, losses } = await send('ollama:echo', inResult());
    expect(JSON.stringify(body)).not.toContain(PNG);
    expect(JSON.stringify(body)).toContain('Here:\\n[image/png, 1 KB: not sent to the model]');
    expect(losses).toEqual([{ tool: 'draw', message: expect.stringContaining('no place for image/png in a result') }]);
  });

  test('a text is sent as one, and the type of a picture as providers know it', async () => {
    const json = inResult(Buffer.from('{"a":"é"}').toString('base64'), 'application/json; charset=utf-8');
    for (const [provider] of PROVIDERS) {
      const { body, losses } = await send(`${provider}:echo`, json);
      expect(JSON.stringify(body)).toContain('{\\"a\\":\\"é\\"}');
      expect(losses).toEqual([]);
    }
    expect(JSON.stringify((await send('openai:echo', inResult(PNG, 'image/JPG'))).body)).toContain(
      'data:image/jpeg;base64',
    );
  });

  test.each(['https://evil.example/a.png', 'file-abc', 'not base64!'])('%s in a result is not sent', async (data) => {
    for (const [provider] of PROVIDERS) {
      const { body, losses } = await send(`${provider}:echo`, inResult(data));
      expect(JSON.stringify(body)).not.toContain(data);
      expect(losses).toHaveLength(1);
    }
  });
});
