import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { JsonSource } from '@/lib/json/source';
import { hasReply, toolUseReply } from './sampling';
import { modelWishes, SamplingRequest } from './sampling-request';
import { answerPreview } from './saved-answers';

const source = (value: unknown) => JsonSource.parse(JSON.stringify(value))!;

describe('what a request asks of the model', () => {
  test('is shown as names and texts, with every digit', () => {
    const params = JsonSource.parse(
      '{"messages":[],"maxTokens":9007199254740993,"temperature":0.20,"stopSequences":["END","\\n"],' +
        '"includeContext":"allServers","toolChoice":{"mode":"required"},' +
        '"modelPreferences":{"hints":[{"name":"claude"},{}],"speedPriority":0.50}}',
    )!;
    expect(modelWishes(params)).toEqual([
      ['maxTokens', '9007199254740993'],
      ['temperature', '0.20'],
      ['stopSequences', '"END" "\\n"'],
      ['includeContext', 'allServers'],
      ['toolChoice', '{"mode":"required"}'],
      ['modelPreferences', 'claude, ? · speed 0.50'],
    ]);
  });

  test('is shown as sent if it is malformed', () => {
    const params = source({ messages: [], maxTokens: 'many', stopSequences: 7, modelPreferences: [1] });
    expect(modelWishes(params)).toEqual([
      ['maxTokens', 'many'],
      ['stopSequences', '7'],
      ['modelPreferences', '[1]'],
    ]);
  });
});

test('a request without messages, or with odd tools, is still drawn', () => {
  for (const params of [{}, { messages: 'x', tools: [null, { name: 7 }], systemPrompt: 5 }]) {
    const markup = renderToStaticMarkup(<SamplingRequest params={source(params)} onUseTool={() => {}} />);
    expect(markup).toContain('The messages array is missing');
  }
});

test('a reply that calls a tool keeps the text before it', () => {
  const reply = (content: unknown) => ({ parsed: { ok: true as const, value: { model: 'm', content } } });
  const use = (id: string) => ({ type: 'tool_use', id, name: 'tide', input: {} });
  const contentOf = (content: unknown) => JSON.parse(toolUseReply(reply(content), 'tide')).content;
  const text = { type: 'text', text: 'I look.' };
  expect(contentOf({ type: 'text', text: '' })).toEqual([use('call-1')]);
  expect(contentOf(text)).toEqual([text, use('call-2')]);
  expect(contentOf([text, use('call-2')])).toEqual([text, use('call-2'), use('call-3')]);
});

test('an empty reply is not offered as a standing answer', () => {
  const replied = (content: unknown) => hasReply({ parsed: { ok: true, value: { model: 'm', content } } });
  expect([replied({ type: 'text', text: '' }), replied([]), replied(undefined)]).toEqual([false, false, false]);
  expect([replied({ type: 'text', text: 'x' }), replied({ type: 'tool_use' })]).toEqual([true, true]);
});

test('an earlier answer is named by its text, or shown as JSON', () => {
  expect(answerPreview('{"content":{"type":"text","text":" High\\nwater "}}')).toBe('High water');
  expect(answerPreview('{ "name": "Ada" }')).toBe('{"name":"Ada"}');
  expect(answerPreview('')).toBe('no content');
});
