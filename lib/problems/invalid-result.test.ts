import { expect, test } from 'vitest';
import { answered, asked, type FrameSeed } from '@/lib/store/test-frames';
import { invalidResult } from './invalid-result';
import { legacy, problemsIn } from './test-sessions';

const strict = { type: 'object', properties: { hpa: { type: 'number' }, at: {} }, required: ['hpa', 'at'] };
const listed = [
  asked(1, 'tools/list'),
  answered(1, { tools: [{ name: 'a', inputSchema: { type: 'object' }, outputSchema: strict }] }),
];
const called = (result: unknown, before: readonly FrameSeed[] = []) =>
  invalidResult(problemsIn([...legacy(), ...before, asked(2, 'tools/call', { name: 'a' }), answered(2, result)]));

test.each([
  [{}, 'Invalid result: `content` is missing'],
  ['other', 'Invalid result: `result` is a string, expected an object'],
  [{ content: [{ type: 'text' }] }, 'Invalid result: `content[0].text` is missing'],
  [
    { content: [{ type: 'image', mimeType: 'a/b', data: '?' }] },
    'Invalid result: `content[0].data` is not valid base64: "?"',
  ],
])('%j: %s', (result, sentence) => {
  expect(called(result)).toMatchObject({ sentence, more: 0 });
});

test('names the first fault against outputSchema and counts the others', () => {
  expect(called({ content: [], structuredContent: { hpa: 'low' } }, listed)).toMatchObject({
    field: 'structuredContent.at',
    sentence: 'Invalid result: `structuredContent.at` is missing',
    more: 1,
  });
  expect(called({ content: [] }, listed)?.sentence).toBe(
    'Invalid result: `structuredContent` is missing, but the tool has an outputSchema',
  );
});

test('a valid result, and one with a fault that its schema allows, is not invalid', () => {
  expect(called({ content: [] })).toBeUndefined();
  expect(called({ content: [], resultType: 'complete' })).toBeUndefined();
  const icons = [{ src: 'javascript:x' }];
  const page = answered(2, { tools: [{ name: 'a', inputSchema: { type: 'object' }, icons }] });
  const problems = problemsIn([...legacy(), asked(2, 'tools/list'), page]);
  expect(problems.map(({ rule }) => rule)).toContain('icon-address');
  expect(invalidResult(problems)).toBeUndefined();
});
