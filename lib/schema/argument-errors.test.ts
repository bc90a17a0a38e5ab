import { expect, test } from 'vitest';
import { argumentErrorsIn } from './argument-errors';

const args = { user: { name: 5, tags: ['a', 7] }, count: 'x' };
const told = (text: string, data?: unknown) =>
  argumentErrorsIn([text], data, args, ['user', 'count', 'city']).map(({ path, text }) => [JSON.stringify(path), text]);

test.each([
  [
    'zod issues behind a sentence, as the TypeScript SDK writes them',
    'MCP error -32602: Input validation error: [\n {"code":"invalid_type","path":["user","tags",1],"message":"Expected string"},\n {"path":["city"],"message":"Required"} ]',
    [
      ['["user","tags",1]', 'Expected string'],
      ['["city"]', 'Required'],
    ],
  ],
  [
    'zod, prettified',
    '✖ Invalid input: expected number\n  → at user.tags[1]',
    [['["user","tags",1]', 'Invalid input: expected number']],
  ],
  [
    'pydantic',
    '2 validation errors for call[add]\ncity\n  Field required [type=missing, input_value={}, input_type=dict]\nuser.name\n  Input should be a valid string [type=string_type]',
    [
      ['["city"]', 'Field required'],
      ['["user","name"]', 'Input should be a valid string'],
    ],
  ],
  [
    'ajv',
    'data/user/name must be string, data/count must be integer',
    [
      ['["user","name"]', 'must be string'],
      ['["count"]', 'must be integer'],
    ],
  ],
  [
    'Go',
    'validating root: validating /properties/count: type: x has type "string", want "integer"',
    [['["count"]', 'type: x has type "string", want "integer"']],
  ],
  ['Go, a missing property', 'validating root: required: missing properties: ["city"]', [['["city"]', 'missing']]],
  ['a name in quotes', "Missing required argument: 'city'", [['["city"]', "Missing required argument: 'city'"]]],
  ['prose', 'The user is not allowed to do this.', [['["user"]', 'is not allowed to do this.']]],
  ['prose without the name of an argument', 'The weather: rainy. Everything is fine.', []],
])('%s', (_name, text, expected) => {
  expect(told(text)).toEqual(expected);
});

test.each([
  [{ errors: [{ instancePath: '/user/name', message: 'must be string' }] }],
  [[{ loc: ['body', 'user', 'name'], msg: 'must be string' }]],
  [{ issues: [{ path: 'arguments.user.name', message: 'must be string' }] }],
])('reads the error data %j', (data) => {
  expect(told('Invalid params', data)).toEqual([['["user","name"]', 'must be string']]);
});

test('ignores very long text', () => {
  expect(told("'city' ".repeat(200_000))).toEqual([]);
});

test('treats __proto__ as an ordinary name', () => {
  expect(argumentErrorsIn(["'__proto__' is wrong"], undefined, {}, ['__proto__'])).toEqual([
    { path: ['__proto__'], text: 'is wrong' },
  ]);
});

test('does not blame an argument for an invalid result of the server', () => {
  const issue = JSON.stringify([{ code: 'invalid_type', path: ['content', 'name'], message: 'expected string' }]);
  const texts = [`Invalid tools/call result: ${issue}`];
  expect(argumentErrorsIn(texts, undefined, { name: 'x' }, ['name'])).toEqual([]);
  expect(argumentErrorsIn([issue], undefined, { name: 'x' }, ['name'])).toHaveLength(1);
});
