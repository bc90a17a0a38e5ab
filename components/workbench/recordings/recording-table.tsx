import type { RecordingEntry } from '@/lib/wire/api';
import { type RecordingActions, RecordingRow } from './recording-row';
import { COLUMNS } from './recording-table-columns';

/** The recordings that are kept, one a row. */
export function RecordingTable({
  recordings,
  chosen,
  actionsOf,
}: {
  readonly recordings: readonly RecordingEntry[];
  readonly chosen: ReadonlySet<string>;
  readonly actionsOf: (entry: RecordingEntry) => RecordingActions;
}) {
  return (
    <table aria-label="Recordings" className="w-full table-fixed">
      <thead>
        <tr className="text-small text-muted">
          {COLUMNS.map(({ title, spoken, className }) => (
            <th key={title || spoken} scope="col" className={`py-1 font-normal ${className}`}>
              {title || <span className="sr-only">{spoken}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {recordings.map((entry) => (
          <RecordingRow key={entry.id} entry={entry} chosen={chosen.has(entry.id)} {...actionsOf(entry)} />
        ))}
      </tbody>
    </table>
  );
}
