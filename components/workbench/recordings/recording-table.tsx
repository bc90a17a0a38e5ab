import { useState } from 'react';
import { useCheckedRecordings } from '@/lib/hooks/use-checked-recording';
import type { RecordingEntry } from '@/lib/wire/api';
import { type RecordingActions, RecordingRow } from './recording-row';
import { NEWEST_FIRST, nextSort, type RecordingSort, SORTED_BY_CONTENT, sorted } from './recording-sort';
import { COLUMNS, type RecordingColumn } from './recording-table-columns';

/** The recordings that are kept, one a row, in the order that is chosen by a click on a title. */
export function RecordingTable({
  recordings,
  chosen,
  current,
  actionsOf,
}: {
  readonly recordings: readonly RecordingEntry[];
  readonly chosen: ReadonlySet<string>;
  /** The one that is on screen behind this list. */
  readonly current: string | undefined;
  readonly actionsOf: (entry: RecordingEntry) => RecordingActions;
}) {
  const [sort, setSort] = useState(NEWEST_FIRST);
  const checked = useCheckedRecordings(SORTED_BY_CONTENT.has(sort.by) ? recordings : NONE);
  const looked = recordings.map((entry, at) => ({ entry, checked: checked[at] }));
  return (
    <div className="min-h-32 overflow-auto">
      <table aria-label="Recordings" className="w-full table-fixed">
        <thead className="sticky top-0 z-1 bg-raised">
          <tr className="text-small text-muted">
            <th scope="col" className="w-6">
              <span className="sr-only">Select</span>
            </th>
            {COLUMNS.map((column) => (
              <ColumnTitle
                key={column.by}
                column={column}
                sort={sort}
                onSort={() => setSort(nextSort(sort, column.by))}
              />
            ))}
            <th scope="col" className="w-8">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted(looked, sort).map(({ entry }) => (
            <RecordingRow
              key={entry.id}
              entry={entry}
              chosen={chosen.has(entry.id)}
              current={entry.id === current}
              {...actionsOf(entry)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NONE: readonly RecordingEntry[] = [];

function ColumnTitle({
  column: { title, by, className },
  sort,
  onSort,
}: {
  readonly column: RecordingColumn;
  readonly sort: RecordingSort;
  readonly onSort: () => void;
}) {
  const isSorted = sort.by === by;
  const way = sort.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? way : undefined} className={`py-1 font-normal ${className}`}>
      <button
        type="button"
        title={`Sort by ${title}`}
        onClick={onSort}
        className="max-w-full truncate rounded hover:text-text"
      >
        {title}
        {isSorted && <span aria-hidden="true">{sort.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}
