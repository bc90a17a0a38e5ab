import { useSyncExternalStore } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/use-client';
import { useLog, useLogState } from '@/lib/hooks/use-log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { recordedWords } from './recorded-words';
import { isLive } from './state-words';

/** Whether a connection is recorded, and in which file: the way to the recordings, and to how they are kept. */
export function RecordedMark({
  connection: { id, via, state, recordedIn },
  onRecordings,
}: {
  readonly connection: ConnectionSummary;
  readonly onRecordings: () => void;
}) {
  const client = useClient();
  const isByPage = useSyncExternalStore(
    client.subscribe,
    () => client.isRecorded(id),
    () => false,
  );
  const failure = useLogState(useLog(id), (all) => all.connection.recordingFailed);
  // Nobody can tell: who records does not answer.
  if (client.status === 'lost' || client.status === 'refused') return null;
  const isRecorded = via === 'direct' ? isByPage : recordedIn !== undefined;
  const { tone, isWritten, words, why } = recordedWords({
    isRecorded,
    isLive: isLive(state),
    file: recordedIn,
    failure,
  });
  return (
    <button
      type="button"
      title={`${visibleText(why)}\nShows the recordings, and how long they are kept`}
      aria-haspopup="dialog"
      onClick={onRecordings}
      className={`flex shrink-0 items-center gap-1 whitespace-nowrap hover:text-text ${tone === 'warn' ? 'text-warn' : ''}`}
    >
      {isWritten && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
      {tone === 'warn' && <span aria-hidden="true">!</span>}
      {words}
    </button>
  );
}
