import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { usePanel } from './panel-tabs';

/** Above the panels of a connection without a handshake, or whose handshake failed: the person writes the messages. */
export function ByHandNote({ log }: { readonly log: Log }) {
  const { state, start, failure } = useLogState(log, (all) => all.connection);
  const { id } = usePanel();
  const { navigate } = useLocation();
  const failed = state === 'handshake-failed';
  if (!failed && !(state === 'open' && start?.protocol === 'none')) return null;
  return (
    <div
      role="status"
      className={`flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 ${failed ? 'bg-error/8' : 'bg-text/4'}`}
    >
      <p className="min-w-0 flex-1 basis-96 break-words">
        {failed ? (
          <>
            <span className="font-medium text-error">
              <span aria-hidden="true">× </span>
              {visibleText(failure?.message ?? 'The handshake failed.')}
            </span>{' '}
            Raw messages can still be sent.
          </>
        ) : (
          <>
            <span className="font-medium">Connected without a handshake.</span> mcp-inspect sends nothing by itself.
          </>
        )}
      </p>
      {id !== 'raw' && (
        <Button size="small" onClick={() => navigate({ panel: 'raw', item: undefined })}>
          Write messages in Raw
        </Button>
      )}
    </div>
  );
}
