import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useRecordings } from '@/lib/hooks/recordings';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import { stateLabel } from './connection-state';
import { matchesSearch } from './recordings/labels';
import { RecordingChoice, RecordingsSearch } from './recordings/recording-entry';

const ROW = 'flex w-full min-w-0 flex-col rounded px-1.5 py-1 text-left hover:bg-text/6';

/** With what the selected connection is to be compared: another one, or a recording, which is opened for that. */
export function CompareDialog({
  connections,
  labels,
  selected,
  onChosen,
  onPick,
}: {
  readonly connections: readonly ConnectionSummary[];
  readonly labels: ReadonlyMap<string, string>;
  readonly selected: string;
  readonly onChosen: (connection: string) => void;
  /** Asks for a file from elsewhere. */
  readonly onPick: () => void;
}) {
  const { reply, open } = useRecordings();
  const [failure, setFailure] = useState<Failure>();
  const others = connections.filter(({ id }) => id !== selected);
  const [search, setSearch] = useState('');
  const at = connections.find(({ id }) => id === selected)?.startedAt;
  // Its own recording says the same.
  const recordings = (reply?.recordings ?? []).filter((entry) => !entry.unreadable && entry.at !== at);
  const shown = recordings.filter((entry) => matchesSearch(entry, search));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-muted">
          Compare {labels.get(selected)} with another connection or a recording: what the server offers, and how it
          answered.
        </p>
        <RecordingsSearch count={recordings.length} search={search} onSearch={setSearch} />
        <Button onClick={onPick}>Open file…</Button>
      </div>
      {failure && <ErrorNote codeless failure={failure} />}
      {others.length > 0 && (
        <ul aria-label="Connections to compare with" className="divide-y divide-line">
          {others.map((connection) => (
            <li key={connection.id}>
              <button type="button" className={ROW} onClick={() => onChosen(connection.id)}>
                <bdi className="max-w-full truncate font-medium">{labels.get(connection.id)}</bdi>
                <span className="max-w-full truncate text-small text-muted">{factsOf(connection)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {shown.length === 0 && recordings.length > 0 && <EmptyState title="None of them has these words" />}
      {shown.length > 0 && (
        <ul aria-label="Recordings to compare with" className="divide-y divide-line">
          {shown.map((entry) => (
            <li key={entry.id}>
              <RecordingChoice
                entry={entry}
                className={ROW}
                onChosen={() => void open(entry.id).then(onChosen, (reason: Failure) => setFailure(reason))}
              />
            </li>
          ))}
        </ul>
      )}
      {others.length === 0 && recordings.length === 0 && (
        <EmptyState title="There is nothing to compare with">Open a recording, or connect another server.</EmptyState>
      )}
    </div>
  );
}

/** Connections of one server have one name: what tells them apart is when, and from which file. */
function factsOf(connection: ConnectionSummary): string {
  const { recording, startedAt, serverName } = connection;
  const when = new Date(startedAt);
  const facts = [
    stateLabel(connection),
    serverName && visibleText(serverName),
    recording && visibleText(recording.file),
    !Number.isNaN(when.getTime()) && when.toLocaleString(),
  ];
  return facts.filter(Boolean).join(' · ');
}
