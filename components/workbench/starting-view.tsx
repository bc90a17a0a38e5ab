import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { Spinner } from '@/components/ui/spinner';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import type { ConnectionFacts } from '@/lib/store/state';
import { StderrTail } from './stderr-tail';

/** Methods that open a session, in either era. */
export const OPENING = ['initialize', 'server/discover'];

/** A connection on its way: which step it has reached, and what the server has printed meanwhile. */
export function StartingView({ log }: { readonly log: Log }) {
  const { start, lastLifecycleSeq, pid, spawnedSeq, authorization, probe } = useLogState(
    log,
    (state) => state.connection,
  );
  const asked = start?.protocol === 'auto' && start.transport !== 'sse' ? (probe ?? 'asked') : 'over';
  const step = lastLifecycleSeq > 0 ? log.row(lastLifecycleSeq - 1).name : undefined;
  return (
    <div className="mx-auto flex w-full max-w-[760px] min-w-0 flex-col gap-3 overflow-auto p-4">
      <div className="flex items-center gap-2">
        <Spinner />
        <h2 role="status" className="font-medium">
          {waitingFor(authorization?.phase === 'needed', pid === undefined && start?.transport === 'stdio', asked)}
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

const WAITING: Readonly<Record<NonNullable<ConnectionFacts['probe']>, string>> = {
  asked: 'Waiting for the answer to our probe, server/discover…',
  silent: 'Waiting for an answer to our probe or to initialize…',
  over: 'Waiting for the server’s first answer…',
};

function waitingFor(person: boolean, process: boolean, probe: keyof typeof WAITING): string {
  if (person) return 'Waiting until somebody has signed in…';
  return process ? 'Starting the server…' : WAITING[probe];
}
