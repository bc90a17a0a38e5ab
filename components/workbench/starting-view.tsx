import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { Spinner } from '@/components/ui/spinner';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { StderrTail } from './stderr-tail';

/** What begins a session, in either era. */
export const OPENING = ['initialize', 'server/discover'];

/** A connection on its way: which step it has reached, and what the server has printed meanwhile. */
export function StartingView({ log }: { readonly log: Log }) {
  const { start, lastLifecycleSeq, pid, spawnedSeq, authorization } = useLogState(log, (state) => state.connection);
  const step = lastLifecycleSeq > 0 ? log.row(lastLifecycleSeq - 1).name : undefined;
  return (
    <div className="mx-auto flex w-full max-w-[760px] min-w-0 flex-col gap-3 overflow-auto p-4">
      <div className="flex items-center gap-2">
        <Spinner />
        <h2 role="status" className="font-medium">
          {waitingFor(authorization?.phase === 'needed', pid === undefined && start?.transport === 'stdio')}
        </h2>
      </div>
      {start && (
        <p className="font-mono text-wire break-all">
          {visibleText(start.transport === 'stdio' ? [start.command, ...start.args].join(' ') : start.url)}
        </p>
      )}
      {step && <p className="text-muted">Last step: {visibleText(step)}</p>}
      <NewestUnmatchedNote log={log} methods={OPENING} />
      {pid !== undefined && <StderrTail log={log} since={spawnedSeq} />}
    </div>
  );
}

function waitingFor(person: boolean, process: boolean): string {
  if (person) return 'Waiting until somebody has signed in…';
  return process ? 'Starting the server…' : 'Waiting for the server’s first answer…';
}
