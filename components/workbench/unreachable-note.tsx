import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { formatClock } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { useCommand } from './use-command';

/** Above an open connection whose server can't be reached: since when, why, and when mcp-inspect tries again. */
export function UnreachableNote({
  connection,
  log,
  live,
}: {
  readonly connection: string;
  readonly log: Log;
  /** The log is that of a connection as it is now. */
  readonly live: boolean;
}) {
  const isOpen = useLogState(log, (state) => state.connection.state === 'open');
  const unreachable = useLogState(log, (state) => state.connection.unreachable);
  const newest = useLogState(log, (state) => state.http.attempt);
  const { navigate } = useLocation();
  const { run, pending, failure } = useCommand();
  if (!isOpen || unreachable === undefined) return null;
  const attempt = newest !== undefined && newest.seq > unreachable.seq ? newest : unreachable;
  const trying = attempt.retryMs === undefined;
  return (
    <section
      aria-label="Server unreachable"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn/10 px-3 py-1"
    >
      <p className="min-w-0 flex-1 basis-96 break-words">
        <span role="status" className="font-medium text-warn">
          <span aria-hidden="true">! </span>
          Unreachable since {clockAt(log, unreachable.seq, 0)}.
        </span>{' '}
        {visibleText(attempt.message ?? unreachable.message)}{' '}
        {live && (
          <span className="tabular text-muted">
            {trying ? 'Trying now…' : `Next attempt at ${clockAt(log, attempt.seq, attempt.retryMs)}.`}
          </span>
        )}
      </p>
      <span className="flex flex-wrap gap-x-2 gap-y-1">
        <Button size="small" variant="ghost" onClick={() => navigate({ frame: unreachable.seq })}>
          Show it in the log
        </Button>
        {live && (
          <Button size="small" disabled={pending || trying} onClick={() => void run({ type: 'retry', connection })}>
            Retry now
          </Button>
        )}
      </span>
      {failure && failure.code !== 'reachable' && <ErrorNote failure={failure} />}
    </section>
  );
}

/** The time of day `ms` after frame `seq`. */
function clockAt(log: Log, seq: number, ms: number): string {
  const start = Date.parse(log.state.connection.start?.at ?? '');
  const at = new Date(start + log.columns.time(seq - 1) / 1000 + ms);
  return Number.isNaN(at.getTime()) ? '' : formatClock(at.toISOString());
}
