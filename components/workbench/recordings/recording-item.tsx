import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { visibleText } from '@/components/ui/visible-text';
import { useProblemCount } from '@/lib/hooks/use-problem-count';
import type { RecordingAbout, RecordingEntry } from '@/lib/wire/api';
import { recordingFacts } from '../recording-entry-words';
import { RecordingAboutForm } from './recording-about-form';

/** What a recording is called: by a person, or else as its server is. */
export function nameOf({ about, name }: RecordingEntry): string {
  return visibleText(about?.name || name);
}

/** A recording that is kept: what it is, and what can be done with it alone. */
export function RecordingItem({
  entry,
  chosen,
  onChoose,
  onOpen,
  onDescribe,
  onCompare,
  onExport,
  onDelete,
}: {
  readonly entry: RecordingEntry;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
  readonly onOpen: () => void;
  /** Resolves to true once it is in the file. */
  readonly onDescribe: (about: RecordingAbout) => Promise<boolean>;
  /** Absent if there is nothing to compare it with. */
  readonly onCompare: (() => void) | undefined;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}) {
  const [editing, setEditing] = useState(false);
  const name = nameOf(entry);
  const { about, live } = entry;
  const unwritten = live ? 'The mcp-inspect that records it still runs' : undefined;
  const action = (word: string, act: () => void, title?: string, disabled = false): ReactNode => (
    <Button size="small" variant="ghost" disabled={disabled} title={title} aria-label={`${word} ${name}`} onClick={act}>
      {word}
    </Button>
  );
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 py-1">
      <Checkbox checked={chosen} onChange={onChoose} aria-label={`Select ${name}`} />
      <button
        type="button"
        title={`Open ${entry.id}`}
        onClick={onOpen}
        className="flex min-w-0 flex-1 basis-60 flex-col rounded px-1.5 py-0.5 text-left hover:bg-text/6"
      >
        <span className="flex max-w-full items-baseline gap-2">
          <bdi className="truncate font-medium">{name}</bdi>
          {about?.name && <bdi className="truncate text-muted">{visibleText(entry.name)}</bdi>}
        </span>
        <span className="tabular text-small text-muted">
          {recordingFacts(entry)}
          <Problems entry={entry} />
        </span>
        {about?.text && (
          <span className="line-clamp-2 max-w-full text-small break-words whitespace-pre-wrap">
            <span aria-hidden="true">✎ </span>
            {visibleText(about.text)}
          </span>
        )}
      </button>
      {action('Rename', () => setEditing(!editing), unwritten ?? 'Give it a name and a note')}
      {onCompare && (
        <Button
          size="small"
          variant="ghost"
          title="Compare the selected connection with it"
          aria-label={`Compare with ${name}`}
          onClick={onCompare}
        >
          Compare
        </Button>
      )}
      {action('Export', onExport)}
      {action('Delete', onDelete, unwritten, live)}
      {editing && <RecordingAboutForm entry={entry} onSave={onDescribe} onClose={() => setEditing(false)} />}
    </li>
  );
}

function Problems({ entry }: { readonly entry: RecordingEntry }) {
  const count = useProblemCount(entry);
  if (count === undefined) return null;
  if (count === 'counting') return <span title="It is being checked"> · … problems</span>;
  if (count === 0) return ' · no problems';
  return <span className="text-warn"> · {count === 1 ? '1 problem' : `${count} problems`}</span>;
}
