import { expect, test, vi } from 'vitest';
import { type JsonOutline, readOutline } from './outline';
import { formatPath, fromPointer, nodeAt, pathOf, toPointer } from './outline-path';
import { finish, nodeOf, outlineOf } from './test-outline';

const outline = outlineOf('{"a":[{"b":1},{"b":2}],"a.b":{"":null},"a":[3,{"c":4}]}');

test('finds every value by its own path, except where a repeated name hides it', () => {
  for (let node = 0; node < outline.size; node++) {
    const path = pathOf(outline, node);
    const shadowed = node < 8 && path[0] === 'a';
    if (!shadowed) expect(nodeOf(outline, path)).toBe(node);
  }
});

test('takes the last of repeated names, and the nearest existing value', () => {
  expect(outline.text(nodeOf(outline, ['a', 0]))).toBe('3');
  expect(outline.text(nodeOf(outline, ['a', 1, 'missing', 'deeper']))).toBe('{"c":4}');
  expect(outline.text(nodeOf(outline, ['a', '1', 'c']))).toBe('4');
  expect(nodeOf(outline, ['nothing'])).toBe(0);
});

test.each([
  [['result', 'tools', 0, 'name'], 'result.tools[0].name'],
  [['params', '_meta', 'io.x/y'], 'params._meta["io.x/y"]'],
  [[], ''],
])('%j is written %s', (path, words) => expect(formatPath(path)).toBe(words));

test('converts to a JSON Pointer and back', () => {
  for (let node = 8; node < outline.size; node++) {
    expect(nodeOf(outline, fromPointer(toPointer(pathOf(outline, node))))).toBe(node);
  }
  expect(toPointer(['a/b', '~1', 0])).toBe('/a~1b/~01/0');
  expect(fromPointer('/a~1b/~01/0')).toEqual(['a/b', '~1', '0']);
  expect(fromPointer('')).toEqual([]);
});

test('decodes only names that could match', () => {
  const members = Array.from({ length: 5000 }, (_, index) => `"member ${index}":${index}`);
  const many = outlineOf(`{${members.join(',')},"caf\\u00e9":"escaped","a\\\\n":"backslash","\\n":"line feed"}`);
  const decoded = vi.spyOn(many, 'name');
  expect(many.text(nodeOf(many, ['member 4711']))).toBe('4711');
  expect(decoded).not.toHaveBeenCalled();
  expect(many.string(nodeOf(many, ['café']))).toBe('escaped');
  expect(many.string(nodeOf(many, ['a\\n']))).toBe('backslash');
  expect(many.string(nodeOf(many, ['\n']))).toBe('line feed');
  expect(nodeOf(many, ['a\n'])).toBe(0);
  expect(nodeOf(many, ['member'])).toBe(0);
  expect(decoded.mock.calls.length).toBeLessThan(10);
});

test('yields often in a large object', () => {
  const large = outlineOf(`{${Array.from({ length: 10_000 }, (_, index) => `"${index}":0`).join(',')}}`);
  let steps = 0;
  for (const _ of nodeAt(large, ['9999'])) steps++;
  expect(steps).toBeGreaterThan(8);
});

test('finds a name with invalid UTF-8 by its decoded form', () => {
  const bytes = Uint8Array.from([0x7b, 0x22, 0x61, 0xff, 0x62, 0x22, 0x3a, 0x31, 0x7d]);
  expect(nodeOf(finish(readOutline(bytes)) as JsonOutline, ['a\ufffdb'])).toBe(1);
});
