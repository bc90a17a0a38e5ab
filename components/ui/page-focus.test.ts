import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const COMPONENTS = join(import.meta.dirname, '..');

/** Calls of `focus` on what is not an element: a handle of the tree, and Monaco, which is a field. */
const OTHERS = ['tree.current?.focus()', 'made.focus()'];

test('all code moves the focus by moveFocus, which tells it from moves of the person', () => {
  const files = readdirSync(COMPONENTS, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.endsWith('page-focus.ts'),
  );
  const calls = files.flatMap((name) =>
    (readFileSync(join(COMPONENTS, name), 'utf8').match(/[\w.?]+\.focus\([^)]*\)/g) ?? []).map(
      (call) => `${name}: ${call}`,
    ),
  );
  expect(calls.filter((call) => !OTHERS.some((other) => call.endsWith(other)))).toEqual([]);
});
