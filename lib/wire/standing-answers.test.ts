import { describe, expect, test } from 'vitest';
import { boundPart, readStandingAnswers, STANDING_ANSWERS, STANDING_BOUND_CHARS } from './standing-answers';

const form = (properties: object, more: object = {}) => ({
  message: 'Sure?',
  requestedSchema: { type: 'object', properties },
  ...more,
});
const elicitation = (params: unknown) => boundPart('elicitation/create', params);
const sampling = (params: unknown) => boundPart('sampling/createMessage', params);

describe('the bound part', () => {
  test('of a form is its schema, however it is written', () => {
    const a = elicitation(form({ n: { type: 'integer', minimum: 1 }, s: { type: 'string' } }));
    const b = elicitation({ ...form({ s: { type: 'string' }, n: { minimum: 1, type: 'integer' } }), message: 'Other' });
    expect(a).toBeDefined();
    expect(b).toBe(a);
    expect(elicitation(form({ n: { type: 'integer', minimum: 2 }, s: { type: 'string' } }))).not.toBe(a);
    expect(elicitation(form({ n: { type: 'integer' } }, { mode: 'form' }))).toBe(
      elicitation(form({ n: { type: 'integer' } })),
    );
  });

  test('of a form without fields includes the message, which is the whole question', () => {
    expect(elicitation(form({}))).not.toBe(elicitation({ ...form({}), message: 'Delete everything?' }));
  });

  test('of a sampling request is its system prompt and tools', () => {
    const a = { systemPrompt: 'Be brief.', messages: [{ role: 'user' }], maxTokens: 1 };
    expect(sampling({ ...a, messages: [], maxTokens: 2 })).toBe(sampling(a));
    expect(sampling({ ...a, systemPrompt: 'Be long.' })).not.toBe(sampling(a));
    expect(sampling({ ...a, tools: [{ name: 'x' }] })).not.toBe(sampling(a));
  });

  test.each<[string, unknown]>([
    ['a URL', { mode: 'url', message: 'Go', url: 'https://x.test/', elicitationId: 'e' }],
    ['a URL with a schema', form({}, { mode: 'url' })],
    ['an unknown mode', form({}, { mode: 'voice' })],
    ['a field named like a secret', form({ password: { type: 'string' } })],
    ['a field titled like a secret', form({ value: { type: 'string', title: 'Your API key' } })],
    [
      'a field described like a secret',
      form({ value: { type: 'string', description: 'The access token for the API' } }),
    ],
    ['a message that asks for a secret', { ...form({ value: { type: 'string' } }), message: 'Type your API key.' }],
    ['a password field', form({ value: { type: 'string', format: 'password' } })],
    ['a nested secret', form({ login: { type: 'object', properties: { passphrase: {} } } })],
    ['no schema', { message: 'Sure?' }],
    ['a schema that is not an object', { requestedSchema: [] }],
    ['params that are not an object', 'x'],
    ['a very long schema', form({ s: { description: 'x'.repeat(STANDING_BOUND_CHARS) } })],
  ])('is missing for %s', (_, params) => {
    expect(elicitation(params)).toBeUndefined();
  });

  test('is missing for other methods', () => {
    expect(boundPart('roots/list', {})).toBeUndefined();
    expect(boundPart('constructor', {})).toBeUndefined();
  });
});

test('reads only valid entries, and a bounded number of them', () => {
  const valid = { id: '1', server: 's', title: 't', method: 'm', bound: 'b', about: '', answer: { result: '{}' } };
  const invalid = [
    null,
    'x',
    {},
    { ...valid, id: 1 },
    { ...valid, paused: 'yes' },
    { ...valid, answer: { result: '{' } },
    { ...valid, answer: { error: { code: 1.5, message: '' } } },
    { ...valid, bound: 'x'.repeat(STANDING_BOUND_CHARS + 1) },
  ];
  const refusal = { ...valid, id: '2', paused: true, answer: { error: { code: -1, message: 'no' } } };
  expect(readStandingAnswers([...invalid, valid, refusal])).toEqual([valid, refusal]);
  expect(readStandingAnswers(Array(STANDING_ANSWERS + 5).fill(valid))).toHaveLength(STANDING_ANSWERS);
  expect(readStandingAnswers({})).toEqual([]);
});
