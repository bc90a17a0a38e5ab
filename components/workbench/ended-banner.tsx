import { exitWords } from '@/components/log/lifecycle-words';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** Above the panels of a connection that was open and ended: how, and that nothing is lost. */
export function EndedBanner({ log, onEdit }: { readonly log: Log; readonly onEdit: () => void }) {
  const { state, failure, exit, lastLifecycleSeq } = useLogState(log, (all) => all.connection);
  const { navigate } = useLocation();
  if (state !== 'closed' && state !== 'failed') return null;
  const failed = state === 'failed' || (exit !== undefined && exit.code !== 0 && exit.signal === null);
  return (
    <div
      role="status"
      className={`flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 ${failed ? 'bg-error/8' : 'bg-text/4'}`}
    >
      <p className="min-w-0">
        <span className={failed ? 'font-medium text-error' : 'font-medium'}>
          {failure ? visibleText(failure.message) : 'This connection has ended.'}
        </span>{' '}
        {exit && !failure?.message.includes(exitWords(exit)) && `The server exited ${exitWords(exit)}. `}
        {failure ? visibleText(failure.advice) : 'Everything it said is still here; Restart begins a new connection.'}
      </p>
      <span className="ml-auto flex gap-2">
        <Button size="small" variant="ghost" onClick={() => navigate({ frame: lastLifecycleSeq })}>
          Show the end in the log
        </Button>
        <Button size="small" onClick={onEdit}>
          Edit and connect again
        </Button>
      </span>
    </div>
  );
}
