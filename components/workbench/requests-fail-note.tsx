import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** Above a connection to a URL that is open, and whose newest request HTTP did not get through: nothing else would tell that the server is gone. */
export function RequestsFailNote({ log }: { readonly log: Log }) {
  const isOpen = useLogState(log, (state) => state.connection.state === 'open');
  const failing = useLogState(log, (state) => state.http.failing);
  const isUnreachable = useLogState(log, (state) => state.connection.unreachable !== undefined);
  const { navigate } = useLocation();
  if (!isOpen || isUnreachable || failing === undefined) return null;
  return (
    <div
      role="status"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn/10 px-3 py-1"
    >
      <p className="min-w-0 flex-1 basis-96 break-words text-warn">
        <span aria-hidden="true">! </span>
        Requests fail: {visibleText(failing.message)} The next one that is answered ends this note.
      </p>
      <Button size="small" variant="ghost" onClick={() => navigate({ frame: failing.seq })}>
        Show it in the log
      </Button>
    </div>
  );
}
