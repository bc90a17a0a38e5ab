import { join } from 'node:path';
import Ajv from 'ajv';
import { expect, test } from 'vitest';
import { readRulesFile, rulesSchema } from './rules-file';

const ROOT = join(import.meta.dirname, '../../..');
const read = (content: unknown) => readRulesFile(JSON.stringify(content));

const ALL = [
  { name: 'slow', when: 'method:tools/call', every: 3, action: { do: 'delay', ms: 3000 } },
  { name: 'lost', direction: 'to-client', after: 1, times: 2, action: { do: 'drop' } },
  { name: 'twice', action: { do: 'duplicate' } },
  { name: 'other', action: { do: 'replace', text: 'x' } },
  { name: 'fails', action: { do: 'error', code: -32603, message: 'Down', data: '[1]' } },
  { name: 'works', action: { do: 'result', result: '{}' } },
  { name: 'old', action: { do: 'answer-from', file: 'a.mcpr.jsonl' } },
  { name: 'older', action: { do: 'answer-from', file: 'a.mcpr.jsonl' } },
  { name: 'ends', action: { do: 'cut' } },
];

test('reads every action, and the recordings that it needs', () => {
  expect(read({ $schema: 'x', rules: ALL })).toEqual({ rules: ALL, recordings: ['a.mcpr.jsonl'] });
});

test.each([
  [[], 'it is not a JSON object'],
  [{ rules: {} }, 'rules must be a list'],
  [{ rules: [], more: 1 }, '`more` is unknown'],
  [{ rules: [{ name: '', action: { do: 'drop' } }] }, 'rules[0].name must not be empty'],
  [{ rules: [ALL[0], ALL[0]] }, 'rules[1].name is also the name of another rule'],
  [
    { rules: [{ name: 'a', action: { do: 'delay' } }] },
    'rules[0].action.ms must be a whole number from 0 to 2147483647',
  ],
  [{ rules: [{ name: 'a', action: { do: 'explode' } }] }, 'rules[0].action.do must be one of: hold, delay, drop'],
  [{ rules: [{ name: 'a', action: { do: 'drop', why: 1 } }] }, 'rules[0].action has an unknown member "why"'],
  [{ rules: [{ name: 'a', action: { do: 'result', result: '{' } }] }, 'rules[0].action.result is not JSON text'],
  [
    { rules: [{ name: 'a', direction: 'up', action: { do: 'drop' } }] },
    'rules[0].direction must be to-server or to-client',
  ],
  [{ rules: [{ name: 'a', every: 0, action: { do: 'drop' } }] }, 'rules[0].every must be a whole number from 1'],
  [{ rules: [{ name: 'a', reason: 1, action: { do: 'drop' } }] }, 'rules[0] has an unknown member "reason"'],
  [
    { rules: [{ name: 'a', when: 'is:failed', action: { do: 'drop' } }] },
    'rule “a” has an invalid filter: is: is not known',
  ],
  [{ rules: [{ name: 'a', action: { do: 'hold' } }] }, 'rule “a” holds messages, and a file can’t release them'],
])('says what is wrong in %j', (content, why) => {
  expect(read(content)).toContain(why);
});

test('says where text is not JSON', () => {
  expect(readRulesFile('{"rules": [,]}')).toContain('it is not JSON: Unexpected token');
});

test('the JSON Schema is shipped, and takes what is read', async () => {
  await expect(`${JSON.stringify(rulesSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
    join(ROOT, 'schemas/mcp-inspect.rules.schema.json'),
  );
  const accepts = new Ajv().compile(rulesSchema());
  expect(accepts({ rules: ALL })).toBe(true);
  expect(accepts({ rules: [{ name: 'a', action: { do: 'hold' } }] })).toBe(false);
  expect(accepts({ rules: [{ name: 'a', action: { do: 'delay' } }] })).toBe(false);
});
