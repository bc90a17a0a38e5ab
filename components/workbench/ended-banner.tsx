import { exitWords } from '@/components/log/lifecycle-words';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { formatBytes } from '@/lib/wire/format-bytes';
import { closedWords } from './closed-words';

/** What became of what it said. */
function keptWords(closing: string | undefined): string {
  const without = closing === 'page-gone' ? ', without known secrets' : '';
  return `Everything it said is still here${without}; a restart begins a new connection.`;
}

/** Above the panels of a connection that was open and ended: how, where to look, and that nothing is lost. */
export function EndedBanner({
  log,
  restarting,
  onRestart,
  onEdit,
  onViaProxy,
}: {
  readonly log: Log;
  readonly restarting: boolean;
  readonly onRestart: () => void;
  readonly onEdit: () => void;
  /** Only for a direct connection, where there is a proxy. */
  readonly onViaProxy?: () => void;
}) {
  const { state, failure, closing, exit, lastLifecycleSeq } = useLogState(log, (all) => all.connection);
  const stderrBytes = useLogState(log, (all) => all.stderr.bytes);
  const { navigate } = useLocation();
  if (state !== 'closed' && state !== 'failed') return null;
  const failed = state === 'failed';
  return (
    <div
      role="status"
      className={`flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 ${failed ? 'bg-error/8' : 'bg-text/4'}`}
    >
      <p className="min-w-0 flex-1 basis-96 break-words">
        <span className={failed ? 'font-medium text-error' : 'font-medium'}>
          {failed && <span aria-hidden="true">× </span>}
          {failure ? visibleText(failure.message) : closedWords(closing)}
        </span>{' '}
        {exit &&
          !failure?.message.includes(exitWords(exit)) &&
          `The server exited ${exitWords(exit)}${exit.byUs ? ', ended by mcp-inspect' : ''}. `}
        {failure ? visibleText(failure.advice) : keptWords(closing)}
      </p>
      <span className="flex flex-wrap gap-x-2 gap-y-1">
        {stderrBytes > 0 && (
          <Button size="small" variant="ghost" onClick={() => navigate({ panel: 'server', item: undefined })}>
            stderr ({formatBytes(stderrBytes)})
          </Button>
        )}
        <Button size="small" variant="ghost" onClick={() => navigate({ frame: lastLifecycleSeq })}>
          Show the end in the log
        </Button>
        {failed && onViaProxy && (
          <Button size="small" onClick={onViaProxy}>
            Connect via proxy
          </Button>
        )}
        <Button size="small" onClick={onEdit}>
          Edit and connect again
        </Button>
        <Button size="small" onClick={onRestart} disabled={restarting}>
          Restart server
        </Button>
      </span>
    </div>
  );
}
