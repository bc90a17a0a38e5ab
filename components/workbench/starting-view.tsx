import { useEffect, useState } from 'react';
import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { Button } from '@/components/ui/button';
import { Sentence, Spinner } from '@/components/ui/notices';
import { useIsSlow } from '@/components/ui/progress';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useLogState } from '@/lib/hooks/log';
import { type Log, lastExchange } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';
import { StderrTail, StrayOutput } from './server-output';

/** Methods of the handshake, in either era. */
export const HANDSHAKE_METHODS = ['initialize', 'server/discover'];

/** Seconds after which the page says more than that it waits. */
const PATIENCE_S = 1;

/** A connection that is being opened: its clock, what the server printed, and what mcp-inspect does next. */
export function StartingView({
  log,
  onConnected,
}: {
  readonly log: Log;
  readonly onConnected: (connection: string) => void;
}) {
  const { start, spawnedSeq, authorization } = useLogState(log, (state) => state.connection);
  const hasPrinted = useLogState(log, (state) => state.stderr.seqs.some((seq) => seq > (spawnedSeq ?? 0)));
  const isProcess = start?.transport === 'stdio';
  const seconds = useSecondsSince(log, spawnedSeq ?? 1);
  const signsIn = authorization?.phase === 'needed';
  const isSlow = useIsSlow(true);
  const client = useClient();
  // If the connection opens or fails first, there is nothing to cancel.
  const cancel = () => client.send({ type: 'close', connection: log.connection }).catch(() => {});
  const isLate = seconds >= PATIENCE_S && !signsIn && (!isProcess || spawnedSeq !== undefined);
  return (
    <div className="mx-auto flex w-full max-w-[760px] min-w-0 flex-col gap-3 overflow-auto p-4">
      <div className="flex items-center gap-2">
        <Spinner />
        <div role="status">
          <h2 className="font-medium">
            {isLate ? 'No MCP response yet' : waitingFor(signsIn, isProcess && spawnedSeq === undefined)}
          </h2>
        </div>
        {isLate && (
          <span aria-hidden="true" className="tabular text-muted">
            {seconds} s
          </span>
        )}
        {/* The note about the sign-in has one. */}
        {isSlow && !signsIn && (
          <Button size="small" onClick={() => void cancel()}>
            Cancel
          </Button>
        )}
      </div>
      {start && (
        <p className="font-mono text-wire break-all">
          {visibleText(start.transport === 'stdio' ? [start.command, ...start.args].join(' ') : start.url)}
        </p>
      )}
      {isLate && isProcess && <StrayOutput log={log} isLive onConnected={onConnected} />}
      <NewestUnmatchedNote log={log} methods={HANDSHAKE_METHODS} />
      {isLate && <Plan log={log} seconds={seconds} />}
      {hasPrinted && <StderrTail log={log} />}
    </div>
  );
}

function waitingFor(person: boolean, process: boolean): string {
  if (person) return 'Waiting for you to sign in…';
  return process ? 'Starting the server…' : 'Waiting for the server’s first response…';
}

/** Says which requests mcp-inspect has sent, and when it gives up. */
function Plan({ log, seconds }: { readonly log: Log; readonly seconds: number }) {
  const { start, spawnedSeq = 1, probe } = useLogState(log, (state) => state.connection);
  const initialize = useLogState(log, () => lastExchange(log, 'initialize')?.requestSeq);
  const discover = useLogState(log, () => lastExchange(log, 'server/discover')?.requestSeq);
  const isFirstOfTwo = start?.protocol === 'auto' && start.transport !== 'sse' && (probe ?? 'asked') === 'asked';
  const last = initialize ?? (isFirstOfTwo ? undefined : discover);
  if (initialize === undefined && discover === undefined) return null;
  const leftUs = last && log.columns.time(last - 1) - log.columns.time(spawnedSeq - 1) + LIMITS.handshakeMs * 1000;
  const left = leftUs && Math.max(0, Math.ceil(leftUs / 1e6) - seconds);
  return (
    <p className="text-muted">
      <Sentence text={sentText(initialize !== undefined, discover !== undefined)} />{' '}
      {isFirstOfTwo && initialize === undefined && <Sentence text="Next, it tries `initialize`, for older servers." />}
      {left !== undefined && <span className="tabular">It gives up in {left} s.</span>}
    </p>
  );
}

function sentText(initialize: boolean, discover: boolean): string {
  if (!discover) return 'mcp-inspect has sent `initialize`, the first request of MCP up to 2025-11-25.';
  const first = 'mcp-inspect has sent `server/discover`, the first request of MCP 2026-07-28';
  return initialize ? `${first}, and \`initialize\`, that of older versions.` : `${first}.`;
}

/** Returns the whole seconds since a frame, and renders again with each. */
function useSecondsSince(log: Log, seq: number): number {
  const startedAt = useLogState(log, (state) => state.connection.start?.at ?? '');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const since = Date.parse(startedAt) + (seq <= log.size ? log.columns.time(seq - 1) / 1000 : 0);
  return Math.max(0, Math.floor((now - since) / 1000)) || 0;
}
