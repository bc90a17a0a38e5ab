import { expect, test } from 'vitest';
import { messagesOfPrompt, partsOfResource, partsOfResult } from './content-parts';

test('text and media of a result are parts, and unknown content is its JSON', () => {
  const content = [
    { type: 'text', text: 'hello' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'a://b', mimeType: 'application/pdf', blob: 'BBBB' } },
    { type: 'later', x: 1 },
    7,
  ];
  expect(partsOfResult({ content, isError: true })).toEqual({
    isError: true,
    parts: [
      { type: 'text', text: 'hello' },
      { type: 'media', mimeType: 'image/png', data: 'AAAA' },
      { type: 'media', mimeType: 'application/pdf', data: 'BBBB', name: 'a://b' },
      { type: 'text', text: '{"type":"later","x":1}' },
      { type: 'text', text: '7' },
    ],
  });
});

test('structured content is the text where there is no other', () => {
  expect(partsOfResult({ structuredContent: { sum: 3 } }).parts).toEqual([{ type: 'text', text: '{"sum":3}' }]);
});

test('a result, prompt or resource of any other shape is read too', () => {
  expect(partsOfResult(null).parts).toEqual([{ type: 'text', text: 'null' }]);
  expect(partsOfResult({ content: 'x' }).parts).toEqual([]);
  expect(messagesOfPrompt({ messages: [null, { role: 'x', content: null }] })).toHaveLength(1);
  expect(partsOfResource({ contents: [{ uri: 'a://b' }, 3] })).toEqual([{ type: 'text', text: '{"uri":"a://b"}' }]);
});
