import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { useFocusReturn } from '@/components/ui/focus';
import { Checkbox, FIELD, TextInput } from '@/components/ui/inputs';
import { isSendKey, SEND_KEYS } from '@/components/ui/key-press';
import { Menu } from '@/components/ui/menu';
import { keyLabel } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { useDraft } from '@/lib/hooks/drafts';
import { type CheckedRecording, useCheckedRecording, useCheckedRecordings } from '@/lib/hooks/recordings';
import type { RecordingAbout, RecordingEntry } from '@/lib/wire/api';
import { formatBytes, formatCount, formatDate, formatDuration } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { otherRecordingNames, recordingName } from './labels';
import { MarkBadges } from './recording-entry';

/** The recordings as a table. A click on a column title sorts it. */
export function RecordingTable({
  recordings,
  chosen,
  current,
  actionsOf,
}: {
  readonly recordings: readonly RecordingEntry[];
  readonly chosen: ReadonlySet<string>;
  /** id of the selected connection's recording. */
  readonly current: string | undefined;
  readonly actionsOf: (entry: RecordingEntry) => RecordingActions;
}) {
  const [sort, setSort] = useState(NEWEST_FIRST);
  const checked = useCheckedRecordings(SORTED_BY_CONTENT.has(sort.by) ? recordings : NONE);
  const entries = recordings.map((entry, at) => ({ entry, checked: checked[at] }));
  return (
    <div className="@container min-h-32 shrink! overflow-auto narrow:min-h-80">
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
                onSort={() => setSort(nextRecordingSort(sort, column.by))}
              />
            ))}
            <th scope="col" className="w-8">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted(entries, sort).map(({ entry }) => (
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
        className="h-6 max-w-full min-w-6 truncate rounded hover:text-text"
      >
        {title}
        {isSorted && <span aria-hidden="true">{sort.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}

/** A column of the table. */
export interface RecordingColumn {
  readonly title: string;
  readonly className: string;
  readonly by: SortedBy;
}

/** Classes of columns that a narrower table leaves out. The name's cell then has the time and the size. */
const WIDE_ONLY = '@max-[600px]:hidden';
const WIDEST_ONLY = '@max-[800px]:hidden';

/** The columns between the checkbox and the menu. */
const COLUMNS: readonly RecordingColumn[] = [
  { title: 'Server', by: 'server', className: 'px-1 text-left' },
  { title: 'Started', by: 'when', className: `w-44 px-2 text-left ${WIDE_ONLY}` },
  { title: 'Duration', by: 'duration', className: `w-24 px-2 text-right ${WIDEST_ONLY}` },
  { title: 'Frames', by: 'frames', className: `w-20 px-2 text-right ${WIDE_ONLY}` },
  { title: 'Problems', by: 'problems', className: `w-20 px-2 text-right ${WIDEST_ONLY}` },
  { title: 'Size', by: 'size', className: `w-20 px-2 text-right ${WIDE_ONLY}` },
];

/** Classes of a cell with a number. */
const NUMBER = 'tabular px-2 pt-1 pb-0.5 text-right whitespace-nowrap';

/** The actions on one recording. */
export interface RecordingActions {
  readonly onChoose: (chosen: boolean) => void;
  readonly onOpen: () => void;
  /** Saves its name and note. Resolves to true once they are in the file. */
  readonly onDescribe: (about: RecordingAbout) => Promise<boolean>;
  /** Absent if no connection is selected. */
  readonly onCompare: (() => void) | undefined;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}

/** One recording: its facts, badges and menu. */
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
  /** True for the selected connection's recording. */
  readonly current: boolean;
} & RecordingActions) {
  const [opened, setOpened] = useState(false);
  // After a reload the form shows what was typed.
  const [typed] = useAboutDraft(entry);
  const editing = opened || typed !== null;
  const found = useCheckedRecording(entry);
  const checked = found === 'checking' ? undefined : found;
  const name = recordingName(entry);
  const { live, unreadable } = entry;
  const items = () => [
    { label: 'Open', run: onOpen },
    ...(live || unreadable ? [] : [{ label: 'Edit name and note…', run: () => setOpened(true) }]),
    ...(onCompare && !unreadable ? [{ label: 'Compare with this', run: onCompare }] : []),
    { label: 'Export file', run: onExport },
    ...(live ? [] : [{ label: 'Delete…', separatorBefore: true, run: onDelete }]),
  ];
  return (
    <>
      <tr
        aria-current={current || undefined}
        className="border-t border-line align-top hover:bg-text/4 aria-[current=true]:bg-accent/8"
      >
        <td className="pt-1.5 pl-1">
          <Checkbox checked={chosen} onChange={onChoose} aria-label={`Select ${name}`} />
        </td>
        <td className="min-w-0 px-1 py-0.5">
          <NameCell {...{ entry, checked, current, onOpen }} />
        </td>
        <td className={`px-2 pt-1 pb-0.5 whitespace-nowrap text-muted ${WIDE_ONLY}`}>
          <When at={entry.at} />
        </td>
        <td className={`${NUMBER} ${WIDEST_ONLY}`}>{duration(entry, checked)}</td>
        <td className={`${NUMBER} ${WIDE_ONLY}`}>{frames(entry, checked)}</td>
        <td className={`${NUMBER} ${WIDEST_ONLY}`}>
          <Problems found={found} />
        </td>
        <td className={`${NUMBER} ${WIDE_ONLY}`}>{formatBytes(entry.bytes)}</td>
        <td className="pr-1 text-right">
          <Menu label={`More about ${name}`} items={items}>
            ⋯
          </Menu>
        </td>
      </tr>
      {editing && (
        <tr>
          <td colSpan={COLUMNS.length + 2}>
            <RecordingAboutForm entry={entry} onSave={onDescribe} onClose={() => setOpened(false)} />
          </td>
        </tr>
      )}
    </>
  );
}

/** A recording's name, which opens it, with badges, other names and note. */
function NameCell({
  entry,
  checked,
  current,
  onOpen,
}: {
  readonly entry: RecordingEntry;
  readonly checked: CheckedRecording | undefined;
  readonly current: boolean;
  readonly onOpen: () => void;
}) {
  const name = recordingName(entry);
  const others = otherRecordingNames(entry);
  const { about } = entry;
  return (
    <>
      <div className="flex min-w-0 items-baseline gap-2">
        <button
          type="button"
          title={`Open ${entry.id}${current ? '\nCurrently shown' : ''}`}
          onClick={onOpen}
          className="h-6 max-w-[60%] shrink-0 truncate rounded text-left font-medium text-accent hover:underline"
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
      <p className="text-small text-muted @min-[600px]:hidden">
        <When at={entry.at} /> · {formatBytes(entry.bytes)}
      </p>
      {about?.text && (
        <p className="line-clamp-2 text-small break-words whitespace-pre-wrap text-muted">
          <span aria-hidden="true">✎ </span>
          {visibleText(about.text)}
        </p>
      )}
    </>
  );
}

function When({ at }: { readonly at: string }) {
  const when = formatDate(at);
  return when === '' ? null : <time dateTime={at}>{when}</time>;
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
  if (found === undefined) return <span title="Not checked">–</span>;
  if (found === 'checking') return <span title="Checking…">…</span>;
  if (found.problems === 0) return <span className="text-muted">none</span>;
  return <span className="text-warn">{formatCount(found.problems)}</span>;
}

/** A column by which recordings can be sorted. */
export type SortedBy = 'server' | 'when' | 'duration' | 'frames' | 'problems' | 'size';

export interface RecordingSort {
  readonly by: SortedBy;
  readonly descending: boolean;
}

/** The initial order. */
export const NEWEST_FIRST: RecordingSort = { by: 'when', descending: true };

/** A recording, and what reading the whole file found, if it was read. */
interface CheckedEntry {
  readonly entry: RecordingEntry;
  readonly checked: CheckedRecording | undefined;
}

/** The value to sort by; undefined sorts last in both orders. */
const VALUES: { readonly [By in SortedBy]: (checked: CheckedEntry) => string | number | undefined } = {
  server: ({ entry }) => recordingName(entry),
  when: ({ entry }) => Date.parse(entry.at) || undefined,
  duration: ({ entry, checked }) => checked?.durationUs ?? entry.durationUs,
  frames: ({ entry, checked }) => checked?.frames ?? entry.frames,
  problems: ({ checked }) => checked?.problems,
  size: ({ entry }) => entry.bytes,
};

/** Orders that need every file to be read. */
const SORTED_BY_CONTENT: ReadonlySet<SortedBy> = new Set<SortedBy>(['duration', 'frames', 'problems']);

/** Returns the order after a click on a title: the more useful direction first, then the other. */
export function nextRecordingSort(before: RecordingSort, by: SortedBy): RecordingSort {
  return { by, descending: before.by === by ? !before.descending : by !== 'server' };
}

/** Returns a sorted copy. Equal values keep their order. */
export function sorted<Each extends CheckedEntry>(
  recordings: readonly Each[],
  { by, descending }: RecordingSort,
): Each[] {
  const valued = recordings.map((recording) => ({ recording, value: VALUES[by](recording) }));
  const way = descending ? -1 : 1;
  return valued
    .toSorted(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return way * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b));
    })
    .map(({ recording }) => recording);
}

/** The typed name and note of a recording; null unless they are changed. */
function useAboutDraft({ id }: RecordingEntry) {
  return useDraft<RecordingAbout | null>(`about recording ${id}`, null);
}

/** Edits a recording's name and note, which are stored in its file. */
function RecordingAboutForm({
  entry,
  onSave,
  onClose,
}: {
  readonly entry: RecordingEntry;
  /** Resolves to true once it is saved. */
  readonly onSave: (about: RecordingAbout) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useAboutDraft(entry);
  const { name = '', text = '' } = typed ?? entry.about ?? {};
  const [saving, setSaving] = useState(false);
  const goBack = useFocusReturn();
  const close = () => {
    setTyped(null);
    goBack();
    onClose();
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    const saved = await onSave({ name: name.trim(), text: text.trim() });
    setSaving(false);
    if (saved) close();
  };
  return (
    <form
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        const isDone = isSendKey(event);
        if (!isDone && event.key !== 'Escape') return;
        // Keeps the page's shortcuts from using it too.
        event.preventDefault();
        if (!isDone) close();
        else if (!saving) event.currentTarget.requestSubmit();
      }}
      className="flex w-full flex-col gap-2 pr-0.5 pb-2 pl-6"
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(changed) => setTyped({ name: changed, text })}
        placeholder={entry.name}
        maxLength={LIMITS.recordingNameChars}
        autoFocus
      />
      <label className="flex flex-col gap-1 text-muted">
        Note
        <textarea
          rows={2}
          value={text}
          onChange={(event) => setTyped({ name, text: event.target.value })}
          maxLength={LIMITS.noteChars}
          className={classNames(FIELD, 'h-auto min-h-12 resize-y py-1')}
        />
      </label>
      <div className="flex items-center gap-2">
        <Button type="submit" size="small" variant="primary" disabled={saving} title={keyLabel(SEND_KEYS)}>
          Save
        </Button>
        <Button size="small" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <span className="min-w-0 truncate text-small text-muted">Both are saved in the recording file</span>
      </div>
    </form>
  );
}
