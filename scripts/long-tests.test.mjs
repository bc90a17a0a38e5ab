import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG_TESTS } from './long-tests.mjs';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');
const readsLong = (path) => readFileSync(join(root, path), 'utf8').includes('process.env.TEST_LONG');
const listed = LONG_TESTS.flatMap(({ tests }) => tests);

test('each test file with a long form is in the table, once', () => {
  const own = 'scripts/long-tests.test.mjs';
  const reading = trackedFiles(/\.(?:test|spec)\.(?:tsx?|mjs)$/).filter((path) => path !== own && readsLong(path));
  expect(listed.toSorted()).toEqual(reading.toSorted());
});

test('each topic has its own name, tests, and rooms that exist', () => {
  const names = LONG_TESTS.map(({ topic }) => topic);
  expect(new Set(names).size).toBe(names.length);
  for (const { topic, rooms, tests } of LONG_TESTS) {
    expect(tests, topic).not.toEqual([]);
    expect(rooms, topic).not.toEqual([]);
    expect(rooms.filter((room) => !existsSync(join(root, room)))).toEqual([]);
  }
});
