import { expect, test } from 'vitest';
import { resolveReference } from './flatten';

const root = JSON.parse(`{
  "$id": "https://ex.com/tool",
  "$defs": {
    "a/b~c %": {"type": "string"},
    "anchored": {"$anchor": "here", "type": "integer"},
    "dynamic": {"$dynamicAnchor": "node"},
    "old": {"$id": "#older", "type": "boolean"},
    "item": {"$id": "item", "$defs": {"inner": {"type": "null"}}, "properties": {"x": {"$ref": "#/$defs/inner"}}}
  },
  "list": [{"type": "array"}]
}`);
const { $defs } = root;

test.each<[string, unknown]>([
  ['#', root],
  ['#/$defs/a~1b~0c%20%25', $defs['a/b~c %']],
  ['#/list/0', root.list[0]],
  ['#here', $defs.anchored],
  ['#node', $defs.dynamic],
  ['#older', $defs.old],
  ['item', $defs.item],
  ['https://ex.com/item', $defs.item],
  ['https://ex.com/tool#/$defs/old', $defs.old],
  ['item#/$defs/inner', $defs.item.$defs.inner],
  ['#/list/1', undefined],
  ['#/list/length', undefined],
  ['#/__proto__', undefined],
  ['#nowhere', undefined],
  ['https://example.com/other', undefined],
  ['http://[', undefined],
])('resolves %s', (reference, target) => {
  expect(resolveReference(reference, {}, root)).toBe(target);
});

test('resolves pointers from an embedded schema with its own $id, or from the root, as generators write them', () => {
  const { x } = $defs.item.properties;
  expect(resolveReference('#/$defs/inner', x, root)).toBe($defs.item.$defs.inner);
  expect(resolveReference('#/$defs/old', x, root)).toBe($defs.old);
  expect(resolveReference('#', x, root)).toBe($defs.item);
});

test('returns undefined for anything but a reference', () => {
  expect(resolveReference(42, {}, root)).toBeUndefined();
  expect(resolveReference('#', {}, undefined)).toBeUndefined();
});
