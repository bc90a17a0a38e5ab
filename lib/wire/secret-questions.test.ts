import { expect, test } from 'vitest';
import { secretAnswers } from './secret-questions';

const TEXT = { type: 'string' };
const filled = { action: 'accept', content: { value: 'Tr0ub4dor', user: 'jane', size: 'large', count: 3 } };

test.each<[string, object, string, readonly string[]]>([
  [
    'a field with a title for a secret',
    { value: { ...TEXT, title: 'Password' }, user: TEXT },
    'Sign in',
    ['Tr0ub4dor'],
  ],
  ['a field with a format', { value: { ...TEXT, format: 'password' } }, 'Sign in', ['Tr0ub4dor']],
  [
    'a message alone: all texts but choices',
    { value: TEXT, user: TEXT, size: { ...TEXT, enum: ['large'] } },
    'Enter the password of jane@db',
    ['Tr0ub4dor', 'jane'],
  ],
  ['no secret', { value: { ...TEXT, title: 'Colour' }, title: TEXT }, 'Which colour?', []],
])('answers that are secret: %s', (_, properties, message, values) => {
  const content = Object.fromEntries(
    Object.entries(filled.content).filter(([name]) => Object.hasOwn(properties, name)),
  );
  const params = { message, requestedSchema: { type: 'object', properties } };
  expect(secretAnswers(params, JSON.stringify({ ...filled, content }))).toEqual(values);
});

test('an answer without content, or to a malformed question, has none', () => {
  const params = { message: 'Your password?', requestedSchema: { properties: 7 } };
  expect(secretAnswers(params, '{"action":"decline"}')).toEqual([]);
  expect(secretAnswers(params, '{"action":"accept","content":{"value":"Tr0ub4dor"}}')).toEqual(['Tr0ub4dor']);
  expect(secretAnswers('no object', '{"action":"accept","content":{"value":"Tr0ub4dor"}}')).toEqual([]);
});
