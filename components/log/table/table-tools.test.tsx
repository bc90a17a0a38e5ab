import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NewRowsBar } from './table-tools';
import type { TableView } from './use-table-view';

test.each([
  [false, '8 new frames'],
  [true, '8 more frames'],
])('frames that arrive (connection over: %s) are shown as %s', (over, words) => {
  expect(barOf({}, over)).toContain(words);
});

test('a recording that is loaded gets no more frames', () => {
  expect(barOf({ loaded: true }, true)).toBe('');
  expect(barOf({ loaded: true }, false)).toContain('8 new frames');
  expect(barOf({ loaded: true, paused: true }, true)).toContain('Resume');
});

function barOf(facts: Partial<TableView>, over: boolean): string {
  const nothing = () => {};
  const view = { paused: false, onPause: nothing, following: false, onFollowing: nothing, waiting: 8, ...facts };
  return renderToStaticMarkup(<NewRowsBar view={view as unknown as TableView} over={over} />);
}
