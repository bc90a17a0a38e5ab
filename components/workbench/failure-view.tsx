import { exitWords } from '@/components/log/lifecycle-words';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { StderrTail } from './stderr-tail';

const UNKNOWN = {
  code: 'failed',
  message: 'The connection failed.',
  advice: 'The last rows of the message log say what happened.',
};

/** A connection that never opened: why, how the process ended, what it printed, and the ways on. */
export function FailureView({
  log,
  onRestart,
  onEdit,
}: {
  readonly log: Log;
  readonly onRestart: () => void;
  readonly onEdit: () => void;
}) {
  const { failure, exit, start, pid } = useLogState(log, (state) => state.connection);
  return (
    <div className="mx-auto flex w-full max-w-[760px] min-w-0 flex-col gap-3 overflow-auto p-4">
      <ErrorNote failure={failure ?? UNKNOWN}>
        <Button onClick={onRestart}>Try again</Button>
        <Button onClick={onEdit}>Edit and connect again</Button>
      </ErrorNote>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {start && (
          <>
            <dt className="text-muted">Command</dt>
            <dd className="font-mono text-wire break-all">{visibleText([start.command, ...start.args].join(' '))}</dd>
            <dt className="text-muted">Working directory</dt>
            <dd className="font-mono text-wire break-all">{visibleText(start.cwd)}</dd>
          </>
        )}
        {exit && (
          <>
            <dt className="text-muted">Process</dt>
            <dd>exited {exitWords(exit)}</dd>
          </>
        )}
      </dl>
      {pid !== undefined && <StderrTail log={log} />}
    </div>
  );
}
