import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { JsonSource } from '@/lib/json/source';
import { collapsedText, JsonTree } from './json-tree';

const draw = (text: string, except?: readonly string[]) =>
  renderToStaticMarkup(<JsonTree json={JsonSource.parse(text)!} except={except} />).replace(/<[^>]*>/g, '');

test('draws numbers as written', () => {
  const text = draw('{"big":9007199254740993,"one":1.0,"huge":[1e400]}');
  for (const digits of ['9007199254740993', '1.0', '1e400']) expect(text).toContain(digits);
});

test('draws and marks every duplicate member', () => {
  const text = draw('{"a":1,"b":2,"a":3}');
  expect(text).toMatch(/a: 1.*b: 2.*a ! repeated: 3/);
  expect(text.match(/repeated/g)).toHaveLength(1);
});

test('leaves out the named members at the top level only', () => {
  const text = draw('{"a":1,"b":{"a":2}}', ['a']);
  expect(text).not.toContain('a: 1');
  expect(text).toContain('a: 2');
});

test('draws a page of a long list, and decoded strings', () => {
  const text = draw(`["\\u00e9",${Array.from({ length: 30 }, (_, i) => i).join(',')}]`);
  expect(text).toContain('&quot;é&quot;');
  expect(draw(`[${Array.from({ length: 101 }, (_, i) => i).join(',')}]`)).toContain('[ 101 ]');
});

test.each([
  ['[1,2,3]', '[ 3 ]'],
  ['{"a":18446744073709551615,"b":"x","c":[1],"d":{}}', '{ a: 18446744073709551615, b: "x", c: […], d: {…} }'],
  ['{"a":1,"a":2,"b":null,"c":1.0,"d":5}', '{ a: 1, a: 2, b: null, c: 1.0, … 5 members }'],
  [`{"long":"${'x'.repeat(60)}"}`, `{ long: "${'x'.repeat(39)}…" }`],
])('previews %s', (text, closed) => {
  const source = JsonSource.parse(text)!;
  const { count, children } = source.children(100);
  expect(collapsedText(source.kind, children, count)).toBe(closed);
});
