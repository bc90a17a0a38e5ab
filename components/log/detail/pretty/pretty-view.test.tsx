import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { nodeOf, outlineOf } from '@/lib/json/test-outline';
import { PrettyJson } from './pretty-view';

const outline = outlineOf('{"a":{"b":{"c":{"d":{"deep":1,"other":2}}}},"z":0}');

function items(marks = new Map()): readonly string[] {
  const markup = renderToStaticMarkup(<PrettyJson outline={outline} marks={marks} at={undefined} />);
  return markup.match(/<div[^>]*role="treeitem"[^>]*>/g) ?? [];
}

test('gives each line its position and leaves the focus to the tree', () => {
  const lines = items();
  expect(lines[1]).toMatch(/aria-posinset="1" aria-setsize="2"/);
  expect(lines.at(-1)).toMatch(/aria-posinset="2" aria-setsize="2"/);
  expect(lines.join()).not.toContain('tabindex');
});

test('opens marked fields initially', () => {
  const mark = { text: 'No.', severe: true };
  const marks = new Map([[nodeOf(outline, ['a', 'b', 'c', 'd', 'deep']), mark]]);
  expect(items(marks)).toHaveLength(items().length + 2);
});
