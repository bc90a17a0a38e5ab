import { Fragment } from 'react';
import { useCheckedRecording } from '@/lib/hooks/use-checked-recording';
import type { RecordingEntry } from '@/lib/wire/api';
import { MarkBadges } from './mark-badges';
import { recordingFacts } from './recording-entry-words';
import { nameOf } from './recording-names';

/** One of the recordings that something is to be compared with. */
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
        <bdi className="min-w-0 truncate font-medium">{nameOf(entry)}</bdi>
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
