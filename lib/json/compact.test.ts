import { expect, test } from 'vitest';
import { previewJson } from './compact';

test.each([
  ['{"a":1,"b":2}', '{a: 1, b: 2}'],
  [' { "path" : "/a b" , "list" : [ true , null , -1.5e3 ] } ', '{path: "/a b", list: [true, null, -1.5e3]}'],
  ['{"two words":1,"1st":2,"größe":3,"x-y":4}', '{"two words": 1, "1st": 2, größe: 3, x-y: 4}'],
  ['{"text":"line\\nbreak \\u00e4 \\"q\\""}', '{text: "line\\nbreak ä \\"q\\""}'],
  ['{}', '{}'],
  ['"text"', '"text"'],
  ['', ''],
  // Cut off.
  ['{"a":{"b":[1,2', '{a: {b: [1, 2'],
  ['{"a":"half of a str', '{a: "half of a str"'],
  ['{"a":"\\u00', '{a: ""'],
  ['{"na', '{"na"'],
])('%s', (text, compact) => expect(previewJson(text, 200)).toBe(compact));

test('shortens long strings and stops at the limit', () => {
  expect(previewJson(JSON.stringify({ long: 'x'.repeat(5000), after: 1 }), 300)).toBe(
    `{long: "${'x'.repeat(100)}…", after: 1}`,
  );
  const many = JSON.stringify(Array.from({ length: 100_000 }, (_, at) => at));
  expect(previewJson(many, 50).length).toBeLessThan(70);
  expect(previewJson('1'.repeat(10_000), 50).length).toBeLessThanOrEqual(50);
});
