import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useRecordings } from '@/lib/hooks/recordings';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatDate } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { stateLabel } from './connection-state';
import { matchesSearch } from './recordings/labels';
import { RecordingChoice, RecordingsSearch } from './recordings/recording-entry';

const ROW = 'flex w-full min-w-0 flex-col rounded px-1.5 py-1 text-left hover:bg-text/6';

/** Chooses the connection or recording to compare the selected connection with. A recording is opened first. */
export function CompareChoice({
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
  /** Opens the file picker. */
  readonly onPick: () => void;
}) {
  const { reply, open } = useRecordings();
  const [failure, setFailure] = useState<Failure>();
  const others = connections.filter(({ id }) => id !== selected);
  const [search, setSearch] = useState('');
  const at = connections.find(({ id }) => id === selected)?.startedAt;
  // Comparing a connection with its own recording finds nothing.
  const recordings = (reply?.recordings ?? []).filter((entry) => !entry.unreadable && entry.at !== at);
  const shown = recordings.filter((entry) => matchesSearch(entry, search));
  return (
    <section aria-label="Compare with" className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-72 text-muted">
          Compare {labels.get(selected)} with another connection or recording: what the server offers and how it
          responded.
        </p>
        <RecordingsSearch count={recordings.length} search={search} onSearch={setSearch} />
        <Button onClick={onPick}>Open recording…</Button>
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
      {shown.length === 0 && recordings.length > 0 && <EmptyState title="No recording matches your search" />}
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
        <EmptyState title="Nothing to compare with">Open a recording or connect to another server</EmptyState>
      )}
    </section>
  );
}

/** Tells connections of the same server apart: state, server name, file and start time. */
function factsOf(connection: ConnectionSummary): string {
  const { recording, startedAt, serverName } = connection;
  const facts = [
    stateLabel(connection),
    serverName && visibleText(serverName),
    recording && visibleText(recording.file),
    formatDate(startedAt),
  ];
  return facts.filter(Boolean).join(' · ');
}
