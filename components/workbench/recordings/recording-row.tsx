import { useState } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { formatCount, formatDuration } from '@/components/ui/format';
import { Menu } from '@/components/ui/menu';
import { visibleText } from '@/components/ui/visible-text';
import { type CheckedRecording, useCheckedRecording } from '@/lib/hooks/use-checked-recording';
import type { RecordingAbout, RecordingEntry } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format-bytes';
import { MarkBadges } from './mark-badges';
import { RecordingAboutForm } from './recording-about-form';
import { nameOf, otherNames } from './recording-names';
import { COLUMNS, NUMBER } from './recording-table-columns';

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
export function RecordingRow({
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
  const name = nameOf(entry);
  const { about, live, unreadable } = entry;
  const others = otherNames(entry);
  const items = () => [
    { label: 'Open', run: onOpen },
    ...(live || unreadable ? [] : [{ label: 'Rename, add a note…', run: () => setEditing(true) }]),
    ...(onCompare && !unreadable ? [{ label: 'Compare with it', run: onCompare }] : []),
    { label: 'Export as it is kept', run: onExport },
    ...(live ? [] : [{ label: 'Delete…', apart: true, run: onDelete }]),
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
