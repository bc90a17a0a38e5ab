import { Fragment } from 'react';
import { Badge } from '@/components/ui/badge';
import { TextInput } from '@/components/ui/inputs';
import { type CheckedRecording, useCheckedRecording } from '@/lib/hooks/recordings';
import type { RecordingEntry } from '@/lib/wire/api';
import { recordingFacts, recordingMarks, recordingName } from './labels';

/** A recording to choose for a comparison. */
export function RecordingChoice({
  entry,
  className,
  onChosen,
}: {
  readonly entry: RecordingEntry;
  readonly className: string;
  readonly onChosen: () => void;
}) {
  const found = useCheckedRecording(entry);
  const checked = found === 'checking' ? undefined : found;
  return (
    <button type="button" title={entry.id} className={className} onClick={onChosen}>
      <span className="flex max-w-full min-w-0 items-baseline gap-2">
        <bdi className="min-w-0 truncate font-medium">{recordingName(entry)}</bdi>
        <MarkBadges entry={entry} checked={checked} />
      </span>
      <span className="tabular max-w-full truncate text-small text-muted">
        {recordingFacts(entry, checked).map((fact, at) => (
          <Fragment key={fact}>
            {at > 0 && ' · '}
            <bdi>{fact}</bdi>
          </Fragment>
        ))}
      </span>
    </button>
  );
}

/** A recording's badges. */
export function MarkBadges({
  entry,
  checked,
}: {
  readonly entry: RecordingEntry;
  /** The result of reading the whole file, if it was read. */
  readonly checked: CheckedRecording | undefined;
}) {
  const marks = recordingMarks(entry, checked);
  return marks.map(({ tone, word, why }) => (
    <Badge key={word} tone={tone} title={why}>
      {word}
    </Badge>
  ));
}

/** Fewest recordings for which the search box is shown. A shorter list is entirely in view. */
const SEARCHED_FROM = 6;

interface RecordingsSearchProps {
  /** Number of recordings. */
  readonly count: number;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** The search box of a list of recordings; nothing for a short list. */
export function RecordingsSearch({ count, search, onSearch }: RecordingsSearchProps) {
  if (count < SEARCHED_FROM) return null;
  return (
    <TextInput
      type="search"
      aria-label="Search recordings"
      placeholder="Search recordings"
      value={search}
      onChange={onSearch}
      autoFocus
      className="w-52!"
    />
  );
}
