import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { useClient, useConfirming } from '@/lib/hooks/client';
import { LaterParts } from './part-boundary';

const RefusedBanner = lazyWhenIdle(() => import('./launch-link').then((file) => file.RefusedBanner));

/** Shown across the top while mcp-inspect is not responding, or no longer accepts this page. */
export function LinkBanner() {
  const { status } = useClient();
  const confirming = useConfirming();
  if (status === 'refused') {
    return (
      <LaterParts name="A note">
        <RefusedBanner />
      </LaterParts>
    );
  }
  if (status !== 'lost') return confirming > 0 && <ConfirmBanner />;
  return (
    <div role="alert" className="shrink-0 border-b border-line bg-error/8 px-3 py-1">
      <span className="font-medium text-error">mcp-inspect is not responding. Reconnecting…</span> This page may be out
      of date. If mcp-inspect has quit, start it again in the terminal.
    </div>
  );
}

/** A command waits for the user, who may look only at the page. */
function ConfirmBanner() {
  return (
    <div role="status" className="shrink-0 border-b border-line bg-warn/8 px-3 py-1">
      <span className="font-medium text-warn">Waiting for confirmation in the terminal.</span> Answer there with y to
      start the command.
    </div>
  );
}
