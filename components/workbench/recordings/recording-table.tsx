import { useState } from 'react';
import { Checkbox } from '@/components/ui/inputs';
import { Menu } from '@/components/ui/menu';
import { visibleText } from '@/components/ui/visible-text';
import { type CheckedRecording, useCheckedRecording, useCheckedRecordings } from '@/lib/hooks/recordings';
import type { RecordingAbout, RecordingEntry } from '@/lib/wire/api';
import { formatBytes, formatCount, formatDuration } from '@/lib/wire/format';
import { otherRecordingNames, recordingName } from './labels';
import { RecordingAboutForm } from './recording-about-form';
import { MarkBadges } from './recording-entry';

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

/** A column of the list of recordings. */
export interface RecordingColumn {
  readonly title: string;
  readonly className: string;
  readonly by: SortedBy;
}

/** The columns with facts, between the boxes and what can be done. */
const COLUMNS: readonly RecordingColumn[] = [
  { title: 'Server', by: 'server', className: 'px-1 text-left' },
  { title: 'When', by: 'when', className: 'w-44 px-2 text-left' },
  { title: 'How long', by: 'duration', className: 'w-24 px-2 text-right' },
  { title: 'Frames', by: 'frames', className: 'w-20 px-2 text-right' },
  { title: 'Problems', by: 'problems', className: 'w-20 px-2 text-right' },
  { title: 'Size', by: 'size', className: 'w-20 px-2 text-right' },
];

/** Of a cell with a figure. */
const NUMBER = 'tabular px-2 py-0.5 text-right whitespace-nowrap';

/** What can be done with one recording. */
export interface RecordingActions {
  readonly onChoose: (chosen: boolean) => void;
  readonly onOpen: () => void;
  /** Resolves to true once it is in the file. */
  readonly onDescribe: (about: RecordingAbout) => Promise<boolean>;
  /** Absent if there is nothing to compare it with. */
  readonly onCompare: (() => void) | undefined;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}

/** A recording that is kept: what it is, and what can be done with it alone. */
function RecordingRow({
  entry,
  chosen,
  current,
  onChoose,
  onOpen,
  onDescribe,
  onCompare,
  onExport,
  onDelete,
}: {
  readonly entry: RecordingEntry;
  readonly chosen: boolean;
  /** It is what is shown behind the list. */
  readonly current: boolean;
} & RecordingActions) {
  const [editing, setEditing] = useState(false);
  const found = useCheckedRecording(entry);
  const checked = found === 'checking' ? undefined : found;
  const name = recordingName(entry);
  const { about, live, unreadable } = entry;
  const others = otherRecordingNames(entry);
  const items = () => [
    { label: 'Open', run: onOpen },
    ...(live || unreadable ? [] : [{ label: 'Rename, add a note…', run: () => setEditing(true) }]),
    ...(onCompare && !unreadable ? [{ label: 'Compare with it', run: onCompare }] : []),
    { label: 'Export as it is kept', run: onExport },
    ...(live ? [] : [{ label: 'Delete…', separatorBefore: true, run: onDelete }]),
  ];
  return (
    <>
      <tr
        aria-current={current || undefined}
        className="border-t border-line align-top hover:bg-text/4 aria-[current=true]:bg-accent/8"
      >
        <td className="py-0.5">
          <Checkbox
            checked={chosen}
            onChange={onChoose}
            aria-label={`Select ${name}`}
            className="mt-0.5 size-4 accent-accent"
          />
        </td>
        <td className="min-w-0 px-1 py-0.5">
          <div className="flex min-w-0 items-baseline gap-2">
            <button
              type="button"
              title={`Open ${entry.id}${current ? '\nIt is the one that is shown' : ''}`}
              onClick={onOpen}
              className="max-w-[60%] shrink-0 truncate rounded text-left font-medium text-accent hover:underline"
            >
              <bdi>{name}</bdi>
            </button>
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 gap-y-1">
              <MarkBadges entry={entry} checked={checked} />
              {others !== '' && (
                <bdi title={others} className="min-w-0 grow basis-20 truncate text-small text-muted">
                  {others}
                </bdi>
              )}
            </span>
          </div>
          {about?.text && (
            <p className="line-clamp-2 text-small break-words whitespace-pre-wrap text-muted">
              <span aria-hidden="true">✎ </span>
              {visibleText(about.text)}
            </p>
          )}
        </td>
        <td className="px-2 py-0.5 whitespace-nowrap text-muted">
          <When at={entry.at} />
        </td>
        <td className={NUMBER}>{duration(entry, checked)}</td>
        <td className={NUMBER}>{frames(entry, checked)}</td>
        <td className={NUMBER}>
          <Problems found={found} />
        </td>
        <td className={NUMBER}>{formatBytes(entry.bytes)}</td>
        <td className="pr-1 text-right">
          <Menu label={`More about ${name}`} items={items}>
            ⋯
          </Menu>
        </td>
      </tr>
      {editing && (
        <tr>
          <td colSpan={COLUMNS.length + 2}>
            <RecordingAboutForm entry={entry} onSave={onDescribe} onClose={() => setEditing(false)} />
          </td>
        </tr>
      )}
    </>
  );
}

function When({ at }: { readonly at: string }) {
  const when = new Date(at);
  if (Number.isNaN(when.getTime())) return null;
  return (
    <time dateTime={at} title={when.toLocaleString()}>
      {when.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  );
}

function duration({ durationUs }: RecordingEntry, checked: CheckedRecording | undefined): string {
  const us = checked?.durationUs ?? durationUs;
  return us === undefined ? '' : formatDuration(us);
}

function frames({ frames: glanced }: RecordingEntry, checked: CheckedRecording | undefined): string {
  const count = checked?.frames ?? glanced;
  return count === undefined ? '' : formatCount(count);
}

function Problems({ found }: { readonly found: CheckedRecording | 'checking' | undefined }) {
  if (found === undefined) return <span title="Not looked for">–</span>;
  if (found === 'checking') return <span title="It is being checked">…</span>;
  if (found.problems === 0) return <span className="text-muted">none</span>;
  return <span className="text-warn">{formatCount(found.problems)}</span>;
}

/** A column by which recordings can be sorted. */
export type SortedBy = 'server' | 'when' | 'duration' | 'frames' | 'problems' | 'size';

export interface RecordingSort {
  readonly by: SortedBy;
  readonly descending: boolean;
}

/** As they are at first. */
export const NEWEST_FIRST: RecordingSort = { by: 'when', descending: true };

/** A recording, and what was found when all of it was read, if it was. */
interface Looked {
  readonly entry: RecordingEntry;
  readonly checked: CheckedRecording | undefined;
}

/** What is compared; undefined goes last, whichever way. */
const VALUES: { readonly [By in SortedBy]: (looked: Looked) => string | number | undefined } = {
  server: ({ entry }) => recordingName(entry),
  when: ({ entry }) => Date.parse(entry.at) || undefined,
  duration: ({ entry, checked }) => checked?.durationUs ?? entry.durationUs,
  frames: ({ entry, checked }) => checked?.frames ?? entry.frames,
  problems: ({ checked }) => checked?.problems,
  size: ({ entry }) => entry.bytes,
};

/** By what only somebody knows who has read all of it. */
const SORTED_BY_CONTENT: ReadonlySet<SortedBy> = new Set<SortedBy>(['duration', 'frames', 'problems']);

/** A click on a title: the way that people look for first, then the other. */
export function nextSort(before: RecordingSort, by: SortedBy): RecordingSort {
  return { by, descending: before.by === by ? !before.descending : by !== 'server' };
}

/** A copy in this order; equals stay as they were. */
export function sorted<Each extends Looked>(recordings: readonly Each[], { by, descending }: RecordingSort): Each[] {
  const valued = recordings.map((recording) => ({ recording, value: VALUES[by](recording) }));
  const way = descending ? -1 : 1;
  return valued
    .toSorted(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return way * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b));
    })
    .map(({ recording }) => recording);
}
