import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FilterHits } from '@/lib/filter/hits';
import { logTimes } from '@/lib/hooks/times';
import { timeSpanOf } from '@/lib/store/rows/time-span';
import { answered, asked, got, logOf } from '@/lib/store/test-frames';
import { COLUMNS, type ColumnId } from './columns';
import { LogRow } from './log-row';

const log = logOf(
  asked(1, 'tools/call', { name: 'a' }),
  answered(1, { content: [], isError: true }),
  asked(2, 'tools/call', { name: 'a' }),
  answered(2, { content: [] }),
  got({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }),
  got({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }),
);

/** Returns the cells of a row: their text, and whether the message takes their room. */
function cellsOf(seq: number, ids: readonly ColumnId[]): readonly [text: string, isCollapsed: boolean][] {
  const row = log.row(seq - 1);
  const columns = COLUMNS.filter(({ id }) => ids.includes(id));
  const nothing = () => {};
  const html = renderToStaticMarkup(
    <LogRow
      {...{ row, columns, content: undefined, hits: new FilterHits(undefined, log), span: timeSpanOf(log, row) }}
      {...{ nested: seq === 6 ? 1 : 0, unfolded: false, onFold: nothing, position: 0, selected: false, paired: false }}
      {...{ times: logTimes(undefined, 'relative'), now: () => 0, onSelect: nothing, problem: undefined }}
      {...{ invalid: undefined, note: undefined, when: undefined, idleUs: seq === 3 ? 5_000_000 : undefined }}
    />,
  );
  return html
    .split(/<div (?=role="gridcell")/)
    .slice(1)
    .map((cell) => [cell.replace(/^[^>]*>/, '').replace(/<[^>]*>/g, ''), cell.includes('w-0!')]);
}

test('the message has the direction and a bad outcome, unless a column shows them', () => {
  expect(cellsOf(2, ['seq', 'message']).map(([text]) => text)).toEqual(['2', '←to clientresultaisError']);
  expect(cellsOf(4, ['seq', 'message']).map(([text]) => text)).toEqual(['4', '←to clientresulta']);
  expect(cellsOf(2, ['direction', 'message', 'status']).map(([text]) => text)).toEqual([
    '←to client',
    'resulta',
    'isError',
  ]);
});

test('the message takes the room of the empty cells beside it', () => {
  const collapsed = (seq: number, ids: readonly ColumnId[]) => cellsOf(seq, ids).map(([, isCollapsed]) => isCollapsed);
  expect(collapsed(1, ['seq', 'message', 'status', 'duration', 'waterfall'])).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(collapsed(4, ['message', 'status', 'duration'])).toEqual([false, false, false]);
  expect(collapsed(1, ['message', 'duration'])).toEqual([false, true]);
  // A cell between filled ones keeps its place.
  expect(collapsed(1, ['message', 'id', 'duration', 'size'])).toEqual([false, false, false, false]);
});

test('equal notifications have their count in the row of the first', () => {
  expect(cellsOf(5, ['message'])).toEqual([['←to clientnotifications/tools/list_changed×2', false]]);
  expect(cellsOf(6, ['message'])).toEqual([['←to client└notifications/tools/list_changed', false]]);
});

test('the row after idle time says how long it was', () => {
  expect(cellsOf(3, ['waterfall'])).toEqual([[expect.stringMatching(/^after 5.00 s idle, /), false]]);
});
