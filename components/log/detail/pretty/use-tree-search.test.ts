import { expect, test } from 'vitest';
import { nodeOf, outlineOf } from '@/lib/store/test-outline';
import { atOnce } from '@/lib/wire/in-slices';
import { placePath } from './tree-copy';
import { TreeModel } from './tree-model';
import { searchTree } from './use-tree-search';

test('what is in a string that was read as JSON is found where the string is', () => {
  const outline = outlineOf('{"a":"wave","b":"{\\"wave\\":[\\"wave\\"]}","c":"a wave"}');
  const model = new TreeModel(outline);
  const paths = () => atOnce(searchTree(model.documents, 'wave')).map(placePath);
  expect(paths()).toEqual(['a', 'b', 'c']);
  model.embed({ document: model.root, node: nodeOf(outline, ['b']), depth: 1 }, outlineOf('{"wave":["wave"]}'));
  expect(paths()).toEqual(['a', 'b → wave', 'b → wave[0]', 'c']);
});
