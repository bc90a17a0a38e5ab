import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { samplingRequest } from './sampling';
import { samplingResult } from './sampling-result';
import { memoryChat } from './test-chat';

const text = (words: string) => ({ type: 'text' as const, text: words });
/** The official schemas, which are not part of this project. Without them, a test is skipped. */
const SPEC = path.resolve(import.meta.dirname, '../../../../shared/spec');
const signal = new AbortController().signal;
const from = { server: 'one', connection: 'one-connection', seq: 9 };

test('a server gets the answer of the model, which the chat shows as a turn outside the tree', async () => {
  const { chat, events } = memoryChat({ rules: [{ when: { text: 'capital' }, say: 'Oslo' }] });
  const params = {
    messages: [{ role: 'user', content: text('The capital of Norway?') }],
    maxTokens: 50,
    systemPrompt: 'Be brief.',
  };
  const answer = await chat.complete({ ...from, params }, signal);
  expect(samplingResult(answer!, '2025-06-18')).toEqual({
    role: 'assistant',
    content: text('Oslo'),
    model: 'scripted:test',
    stopReason: 'endTurn',
  });
  expect(events.map(({ type }) => type)).toEqual(['settings', 'sampling', 'request', 'text', 'response', 'end']);
  expect(chat.state.sampling).toEqual(['t1']);
  expect(chat.state.roots).toEqual([]);
  expect(JSON.parse((events[2] as { body: string }).body)).toMatchObject({ system: 'Be brief.', outputTokens: 50 });
});

test('the model gets names that providers accept, and the server its own', async () => {
  const { chat } = memoryChat({ rules: [{ call: { tool: 'files.read v2', arguments: { x: 1 } } }] });
  const params = {
    messages: [{ role: 'user', content: text('go') }],
    tools: [{ name: 'files.read v2', inputSchema: { type: 'object' } }],
    maxTokens: 9,
  };
  const answer = await chat.complete({ ...from, params }, signal);
  expect([...chat.state.calls.values()][0]!.call.name).toBe('files_read_v2');
  expect(samplingResult(answer!, '2025-11-25').content).toMatchObject({
    type: 'tool_use',
    name: 'files.read v2',
    input: { x: 1 },
  });
});

test('params with tools and their results become a request', () => {
  const request = samplingRequest(
    {
      messages: [
        { role: 'user', content: [text('hi'), { type: 'image', data: 'AA==', mimeType: 'image/png' }] },
        { role: 'assistant', content: { type: 'tool_use', id: 'a', name: 'get', input: { x: 1 } } },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              toolUseId: 'a',
              content: [text('one'), { type: 'resource_link', uri: 'u', name: 'n' }],
            },
            text('and?'),
          ],
        },
        {
          role: 'user',
          content: { type: 'tool_result', toolUseId: 'b', content: [], structuredContent: { y: 2 }, isError: true },
        },
      ],
      tools: [{ name: 'get', description: 'Gets.', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'required' },
      stopSequences: ['END', 1],
      temperature: 0.5,
      maxTokens: 1_000_000,
    },
    4096,
  );
  expect(request).toEqual({
    messages: [
      { role: 'user', parts: [text('hi'), { type: 'media', data: 'AA==', mimeType: 'image/png' }] },
      { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'get', arguments: '{"x":1}' }] },
      {
        role: 'tool',
        parts: [
          {
            type: 'result',
            id: 'a',
            name: 'get',
            isError: false,
            parts: [text('one'), text('{"type":"resource_link","uri":"u","name":"n"}')],
          },
        ],
      },
      { role: 'user', parts: [text('and?')] },
      { role: 'tool', parts: [{ type: 'result', id: 'b', name: '', isError: true, parts: [text('{"y":2}')] }] },
    ],
    tools: [
      { name: 'get', server: '', tool: 'get', description: 'Gets.', inputSchema: { type: 'object' }, readOnly: false },
    ],
    toolChoice: 'required',
    stopSequences: ['END'],
    temperature: 0.5,
    outputTokens: 4096,
  });
});

test.each([
  [{}, 'it has no list of messages'],
  [{ messages: [null] }, 'a message is not an object'],
  [{ messages: [{ role: 'system', content: text('x') }] }, 'a message has no valid role'],
  [{ messages: [{ role: 'user' }] }, 'a message has no content'],
  [{ messages: [{ role: 'user', content: { type: 'toString' } }] }, 'its content "toString" is unknown'],
  [{ messages: [{ role: 'user', content: { type: 'text' } }] }, 'a text has no text'],
  [{ messages: [], tools: [{}] }, 'a tool has no name'],
])('attack: %j is refused', async (params, reason) => {
  const { chat } = memoryChat({ rules: [{ say: 'x' }] });
  expect(await chat.complete({ ...from, params }, signal)).toBeUndefined();
  expect(chat.state.turns.get('t1')).toMatchObject({
    end: { failure: { message: `The server's request can't be sent to a model: ${reason}.` } },
  });
});

describe('the result', () => {
  const answer = (
    parts: Parameters<typeof samplingResult>[0]['message']['parts'],
    reason: 'stop' | 'calls' | 'length' = 'stop',
  ) => ({ message: { role: 'assistant' as const, parts }, model: 'm', reason });
  const use = { type: 'call' as const, id: 'a', name: 'get', arguments: '{"x":1}' };

  test('has calls only in versions with tools', () => {
    const both = answer([text('Look: '), use], 'calls');
    expect(samplingResult(both, '2025-11-25')).toEqual({
      role: 'assistant',
      model: 'm',
      stopReason: 'toolUse',
      content: [text('Look: '), { type: 'tool_use', id: 'a', name: 'get', input: { x: 1 } }],
    });
    expect(samplingResult(both, '2025-06-18').content).toEqual(text('Look: '));
    expect(samplingResult(answer([use], 'calls'), '2026-07-28').content).toMatchObject({ type: 'tool_use' });
    expect(() => samplingResult(answer([use], 'calls'), '2025-06-18')).toThrow('The model answered without text.');
  });

  test('joins texts, and leaves out reasoning', () => {
    const parts = [text('a'), { type: 'reasoning' as const, text: 'hm' }, text('b')];
    expect(samplingResult(answer(parts, 'length'), '2025-11-25')).toMatchObject({
      content: text('ab'),
      stopReason: 'maxTokens',
    });
  });

  test.runIf(existsSync(SPEC))('is valid in every version', () => {
    for (const version of PROTOCOL_VERSIONS) {
      const schema = JSON.parse(readFileSync(path.join(SPEC, version, 'schema.json'), 'utf8')) as JsonObject;
      const ajv = new (schema.$defs ? Ajv2020 : Ajv)({ strict: false, formats: { byte: true, uri: true } });
      ajv.addSchema(schema, 'spec');
      const validate = ajv.getSchema(`spec#/${schema.$defs ? '$defs' : 'definitions'}/CreateMessageResult`)!;
      for (const parts of [[text('a')], [text('a'), use], [text('a'), text('b')]]) {
        expect(validate(samplingResult(answer(parts), version))).toBe(true);
      }
    }
  });
});
