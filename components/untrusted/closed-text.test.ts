import { expect, test } from 'vitest';
import { JsonSource } from '@/lib/wire/json-source';
import { closedText } from './closed-text';

test.each([
  ['[1,2,3]', '[ 3 ]'],
  ['{"a":18446744073709551615,"b":"x","c":[1],"d":{}}', '{ a: 18446744073709551615, b: "x", c: […], d: {…} }'],
  ['{"a":1,"a":2,"b":null,"c":1.0,"d":5}', '{ a: 1, a: 2, b: null, c: 1.0, … 5 members }'],
  [`{"long":"${'x'.repeat(60)}"}`, `{ long: "${'x'.repeat(39)}…" }`],
])('%s', (text, closed) => {
  const source = JsonSource.parse(text)!;
  const { count, children } = source.children(100);
  expect(closedText(source.kind, children, count)).toBe(closed);
});
