import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonSource } from '@/lib/json/source';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { smallestValue, treeOf, treeText } from './smaller-values';

/** Returns the smallest value that contains something, and how many were tried. */
async function shrink(text: string, fails: (text: string) => boolean) {
  let tried = 0;
  const tree = await smallestValue(treeOf(JsonSource.parse(text)!), async (values) =>
    values.find((value) => {
      tried++;
      return fails(treeText(value));
    }),
  );
  return { text: treeText(tree), tried };
}

test('writes a value as it was, apart from white space', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(treeText(treeOf(JsonSource.parse(text)!)))).toEqual(JSON.parse(text));
    }),
  );
  expect(treeText(treeOf(JsonSource.parse('{"a": 12345678901234567890, "a": 1.0, "__proto__": "\\u0041"}')!))).toBe(
    '{"a":12345678901234567890,"a":1.0,"__proto__":"\\u0041"}',
  );
});

test('leaves what is needed, deep in an object', async () => {
  const members = Array.from({ length: 200 }, (_, at) => `"key${at}":[${at},{"x":"y"},null]`);
  members.splice(150, 0, '"bad":{"list":[1,2,{"poison":true},3],"other":{}}');
  const { text, tried } = await shrink(`{${members.join(',')}}`, (one) => one.includes('"poison"'));
  expect(text).toBe('{"bad":{"list":[{"poison":true}]}}');
  expect(tried).toBeLessThan(1000);
});

test('shortens strings and numbers', async () => {
  const long = `${'a'.repeat(1000)}<${'b'.repeat(1000)}`;
  expect((await shrink(JSON.stringify({ text: long }), (one) => one.includes('<'))).text).toBe('{"text":"<"}');
  expect((await shrink('{"size":123456}', (one) => /"size":[1-9]/.test(one))).text).toBe('{"size":1}');
  expect((await shrink('{"text":"\u{1f600}\u{1f601}"}', (one) => one.includes('\u{1f601}'))).text).toBe(
    '{"text":"\u{1f601}"}',
  );
});

test('ends in time for very large values', async () => {
  const items = Array.from({ length: 20_000 }, (_, at) => `{"at":${at},"text":"${'x'.repeat(100)}"}`);
  items.splice(12_345, 0, '{"poison":[1,2,3]}');
  const begun = cpuMs();
  const { text } = await shrink(`{"items":[${items.join(',')}]}`, (one) => one.includes('poison'));
  expect(text).toBe('{"items":[{"poison":[]}]}');
  expect(cpuMs() - begun).toBeLessThan(15_000);
});

test('ends for every value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 3 }), async (text) => {
      expect((await shrink(text, () => true)).text.length).toBeLessThanOrEqual(Math.max(2, text.length));
    }),
    { numRuns: 50 },
  );
});
