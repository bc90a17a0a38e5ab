import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorNote } from '@/components/ui/error-note';
import { formatBytes, formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/save-file';
import { useRecordings } from '@/lib/hooks/use-recordings';
import type { Failure } from '@/lib/wire/lifecycle';
import { recordingFacts } from './recording-entry-words';

/** The recordings that are kept: to be opened, saved elsewhere, deleted. */
export function RecordingsList({
  onOpened,
  onCompare,
  onPick,
}: {
  readonly onOpened: (connection: string) => void;
  /** Compares what is selected with it. Absent if nothing is. */
  readonly onCompare: ((connection: string) => void) | undefined;
  /** Asks for a file from elsewhere. */
  readonly onPick: () => void;
}) {
  const { reply, error, open, read, remove } = useRecordings();
  const [failure, setFailure] = useState<Failure>();
  const [doomed, setDoomed] = useState<string>();
  const attempt = async (act: () => Promise<void>) => {
    setFailure(undefined);
    await act().catch((reason: Failure) => setFailure(reason));
  };
  const recordings = reply?.recordings ?? [];
  const used = recordings.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-muted">
          Every connection is recorded as it runs. {formatCount(recordings.length)} kept, {formatBytes(used)}
          {reply && reply.folder !== '' && (
            <>
              , in <span className="font-mono text-wire break-all">{visibleText(reply.folder)}</span>
            </>
          )}
        </p>
        <Button onClick={onPick}>Open file…</Button>
      </div>
      {(failure ?? error) && <ErrorNote failure={(failure ?? error)!} />}
      {reply && recordings.length === 0 && (
        <EmptyState title="Nothing is recorded yet">Connect to a server.</EmptyState>
      )}
      <ul aria-label="Recordings" className="flex flex-col divide-y divide-line">
        {recordings.map((entry) => (
          <li key={entry.id} className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1">
            <button
              type="button"
              title={entry.id}
              onClick={() => void attempt(async () => onOpened(await open(entry.id)))}
              className="flex min-w-0 flex-1 basis-60 flex-col rounded px-1.5 py-0.5 text-left hover:bg-text/6"
            >
              <bdi className="max-w-full truncate font-medium">{visibleText(entry.name)}</bdi>
              <span className="tabular text-small text-muted">{recordingFacts(entry)}</span>
            </button>
            {doomed === entry.id ? (
              <>
                <Button
                  size="small"
                  variant="danger"
                  onClick={() => {
                    setDoomed(undefined);
                    void attempt(() => remove(entry.id));
                  }}
                >
                  Delete for good
                </Button>
                <Button size="small" variant="ghost" onClick={() => setDoomed(undefined)}>
                  Keep
                </Button>
              </>
            ) : (
              <>
                {onCompare && (
                  <Button
                    size="small"
                    variant="ghost"
                    title="Compare the selected connection with it"
                    aria-label={`Compare with ${visibleText(entry.name)}`}
                    onClick={() => void attempt(async () => onCompare(await open(entry.id)))}
                  >
                    Compare
                  </Button>
                )}
                <Button
                  size="small"
                  variant="ghost"
                  aria-label={`Export ${visibleText(entry.name)}`}
                  onClick={() => void attempt(async () => saveFile(await read(entry.id), entry.id))}
                >
                  Export
                </Button>
                <Button
                  size="small"
                  variant="ghost"
                  disabled={entry.live}
                  title={entry.live ? 'The mcp-inspect that records it still runs' : undefined}
                  aria-label={`Delete ${visibleText(entry.name)}`}
                  onClick={() => setDoomed(entry.id)}
                >
                  Delete
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
