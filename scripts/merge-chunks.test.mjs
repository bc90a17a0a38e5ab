import { expect, test } from 'vitest';
import { mergeChunks } from './merge-chunks.mjs';

/** Returns a chunk that starts something. */
function start(fileName, imports, weight = 1) {
  return { fileName, bytes: 1000, imports, weight };
}

/** Returns a chunk that others share. */
function shared(fileName, bytes, imports = []) {
  return { fileName, bytes, imports, weight: 0 };
}

test('chunks that load together become one; what starts something stays alone', () => {
  const chunks = [
    start('a', ['x', 'y']),
    start('b', ['x', 'y']),
    shared('x', 90_000),
    shared('y', 90_000, ['node:fs']),
  ];
  expect(mergeChunks(chunks)).toEqual([['x', 'y']]);
});

test('a start loads code that it does not need if that costs less than a file', () => {
  const pair = (bytes) => [start('a', ['x', 'y']), start('b', ['x']), shared('x', 90_000), shared('y', bytes)];
  expect(mergeChunks(pair(9000))).toEqual([['x', 'y']]);
  expect(mergeChunks(pair(11_000))).toEqual([['x'], ['y']]);
});

test('a start with a weight does not pay for others', () => {
  const chunks = (weight) => [
    ...['a', 'b', 'c'].map((name) => start(name, ['x', 'y'])),
    start('fast', ['x'], weight),
    shared('x', 5000),
    shared('y', 15_000),
  ];
  expect(mergeChunks(chunks(1))).toEqual([['x', 'y']]);
  expect(mergeChunks(chunks(3))).toEqual([['x'], ['y']]);
});

test('what a chunk needs counts for those that would load it with another', () => {
  const chunks = (imports) => [
    start('a', ['x', 'y']),
    start('b', ['x']),
    shared('x', 1000),
    shared('y', 1000, imports),
    shared('z', 50_000),
  ];
  expect(mergeChunks(chunks([]))).toEqual([['x', 'y'], ['z']]);
  expect(mergeChunks(chunks(['z']))).toEqual([['x'], ['y', 'z']]);
});

test('a module of Node that is slow counts like much code', () => {
  const chunks = (module) => [
    start('a', ['x', 'y']),
    start('b', ['x']),
    shared('x', 1000),
    shared('y', 1000, [module]),
  ];
  expect(mergeChunks(chunks('node:path'))).toEqual([['x', 'y']]);
  expect(mergeChunks(chunks('node:crypto'))).toEqual([['x'], ['y']]);
});

test('chunks are not merged across a third, because the files would import each other', () => {
  const chunks = (imports) => [
    start('a', ['x', 'z']),
    start('b', imports),
    shared('x', 1000, ['b']),
    shared('z', 1000),
  ];
  expect(mergeChunks(chunks([]))).toEqual([['x', 'z']]);
  expect(mergeChunks(chunks(['z']))).toEqual([['x'], ['z']]);
});
