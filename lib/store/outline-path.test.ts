import { expect, test } from 'vitest';
import { fromPointer, nodeAt, pathOf, pathWords, toPointer } from './outline-path';
import { outlineOf } from './test-outline';

const outline = outlineOf('{"a":[{"b":1},{"b":2}],"a.b":{"":null},"a":[3,{"c":4}]}');

test('leads from every value back to itself, but for names that come again', () => {
  for (let node = 0; node < outline.size; node++) {
    const path = pathOf(outline, node);
    const shadowed = node < 8 && path[0] === 'a';
    if (!shadowed) expect(nodeAt(outline, path)).toBe(node);
  }
});

test('of a name that comes twice it takes the last, of what is not there the nearest', () => {
  expect(outline.text(nodeAt(outline, ['a', 0]))).toBe('3');
  expect(outline.text(nodeAt(outline, ['a', 1, 'missing', 'deeper']))).toBe('{"c":4}');
  expect(outline.text(nodeAt(outline, ['a', '1', 'c']))).toBe('4');
  expect(nodeAt(outline, ['nothing'])).toBe(0);
});

test.each([
  [['result', 'tools', 0, 'name'], 'result.tools[0].name'],
  [['params', '_meta', 'io.x/y'], 'params._meta["io.x/y"]'],
  [[], ''],
])('%j is written %s', (path, words) => expect(pathWords(path)).toBe(words));

test('a pointer and back', () => {
  for (let node = 8; node < outline.size; node++) {
    expect(nodeAt(outline, fromPointer(toPointer(pathOf(outline, node))))).toBe(node);
  }
  expect(toPointer(['a/b', '~1', 0])).toBe('/a~1b/~01/0');
  expect(fromPointer('/a~1b/~01/0')).toEqual(['a/b', '~1', '0']);
  expect(fromPointer('')).toEqual([]);
});
