import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NewRowsBar } from './table-tools';
import type { TableView } from './use-table-view';

test.each([
  [false, '8 new frames'],
  [true, '8 more frames'],
])('frames that arrive (connection over: %s) are shown as %s', (over, words) => {
  const nothing = () => {};
  const view = { paused: false, onPause: nothing, following: false, onFollowing: nothing, waiting: 8 };
  expect(renderToStaticMarkup(<NewRowsBar view={view as unknown as TableView} over={over} />)).toContain(words);
});
