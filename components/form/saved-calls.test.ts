import { expect, test } from 'vitest';
import { callsFromFile, callsToFile, storableArguments } from './saved-calls';

test.each([
  ['{"user":"u","api_key":"s3cr3t"}', '{\n  "user": "u"\n}'],
  ['{"password":"s3cr3t","n":1}', '{\n  "n": 1\n}'],
  ['{"n": 18446744073709551615 }', '{"n": 18446744073709551615 }'],
  [' \n', ''],
  ['{', undefined],
  [JSON.stringify({ file: 'x'.repeat(50_000) }), undefined],
])('%s is saved as %j', (text, kept) => {
  expect(storableArguments(text)).toBe(kept);
});

test('a secret hidden by a duplicate name is not saved', () => {
  expect(storableArguments('{"a":{"password":"hunter2"},"a":1}')).not.toContain('hunter2');
});

test('saved calls survive export and import, even without arguments', () => {
  const file = callsToFile([
    { name: 'big', text: '{"n": 5, "b": 1}' },
    { name: 'none', text: ' ' },
  ]);
  expect(callsFromFile(file)?.map(({ name, text }) => [name, text.replace(/\s/g, '')])).toEqual([
    ['big', '{"n":5,"b":1}'],
    ['none', ''],
  ]);
});

test.each(['{"calls":"none"}', 'no JSON', '[]', '{}'])('%s is not a file of saved calls', (file) => {
  expect(callsFromFile(file)).toBeUndefined();
});

test('skips calls in a file that cannot be saved', () => {
  const long = { file: 'x'.repeat(100_000) };
  const calls = [{ name: 'long', arguments: long }, { name: '' }, { name: 7 }, 7, { name: 'short' }];
  expect(callsFromFile(JSON.stringify({ calls }))).toEqual([{ name: 'short', text: '' }]);
  expect(callsFromFile(JSON.stringify({ calls: [{ name: 'n'.repeat(300) }] }))?.[0]?.name).toHaveLength(200);
});
