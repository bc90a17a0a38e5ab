import { expect, test } from 'vitest';
import { nodeOf, outlineOf } from '@/lib/json/test-outline';
import { runToEnd } from '@/lib/wire/in-slices';
import { placePath } from './tree-line';
import { TreeModel } from './tree-model';
import { searchTree } from './tree-search';

test('finds matches in embedded JSON at the place of its string', () => {
  const outline = outlineOf('{"a":"wave","b":"{\\"wave\\":[\\"wave\\"]}","c":"a wave"}');
  const model = new TreeModel(outline);
  const paths = () => runToEnd(searchTree(model.documents, 'wave')).map(placePath);
  expect(paths()).toEqual(['a', 'b', 'c']);
  model.embed({ document: model.root, node: nodeOf(outline, ['b']), depth: 1 }, outlineOf('{"wave":["wave"]}'));
  expect(paths()).toEqual(['a', 'b → wave', 'b → wave[0]', 'c']);
});

test('adds the depth of the string to the depth of a value in its JSON', () => {
  const outline = outlineOf('{"a":["{\\"b\\":1}"]}');
  const model = new TreeModel(outline);
  const host = { document: model.root, node: nodeOf(outline, ['a', 0]) };
  expect(model.depthOf(host)).toBe(2);
  model.embed({ ...host, depth: 2 }, outlineOf('{"b":1}'));
  expect(model.depthOf({ document: model.embedded(host)!, node: 1 })).toBe(4);
});
