import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { isSettled } from '@/components/panels/shared/browse-group';
import { Button } from '@/components/ui/button';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { useLocation } from '@/lib/hooks/location';
import { useLog, useLogState } from '@/lib/hooks/log';
import { useIsLostAnswerShown } from '@/lib/hooks/shown-questions';
import { carryView } from '@/lib/hooks/watch';
import type { Log } from '@/lib/store/log';
import type { ConnectionFacts, LogState } from '@/lib/store/state/state';
import { type ConnectionSummary, entryOf } from '@/lib/wire/command';

/** Connections that this tab remembers to have shown open. */
const MOST_SEEN = 20;
const NONE: readonly string[] = [];

/**
 * Returns true for a connection that this tab showed open, and whose server mcp-inspect stopped because no tab was
 * there: the tab slept, or the browser discarded it. False if the entry has a newer run.
 */
export function stoppedWhileAsleep(
  connection: string,
  closing: ConnectionFacts['closing'],
  seen: readonly string[],
  connections: readonly ConnectionSummary[],
): boolean {
  const summary = connections.find(({ id }) => id === connection);
  if (summary?.state !== 'closed' || summary.recording || summary.via === 'direct') return false;
  const newest = connections.findLast((one) => entryOf(one) === entryOf(summary));
  return closing === 'no-viewer' && newest?.id === connection && seen.includes(connection);
}

/**
 * Restarts the server of a tab that slept, with its forms as they were, and says so. `children`: the note about the end
 * of a connection, which a restart replaces.
 */
export function WokenServer({
  connection,
  log,
  children,
}: {
  readonly connection: string;
  readonly log: Log;
  readonly children: ReactNode;
}) {
  const client = useClient();
  const { connections } = useConnections();
  const { filter, navigate } = useLocation();
  // In the storage of the tab, which outlives a discarded page.
  const [seen, setSeen] = useDraft('seen-open', NONE);
  const [woken, setWoken] = useDraft('woken', '');
  const [isRestarting, setRestarting] = useState(false);
  /** The new run, until it is in view. */
  const [made, setMade] = useState<string>();
  const isOpen = useLogState(log, (all) => all.connection.state === 'open');
  const closing = useLogState(log, (all) => all.connection.closing);
  const isVisible = useSyncExternalStore(subscribeVisibility, isPageVisible, () => true);
  useEffect(() => {
    if (isOpen) setSeen((all) => (all.at(-1) === connection ? all : [...all, connection].slice(-MOST_SEEN)));
  }, [isOpen, connection, setSeen]);
  const isDue = client.status === 'open' && isVisible && stoppedWhileAsleep(connection, closing, seen, connections);
  useEffect(() => {
    if (!isDue) return;
    // Once: if it fails, the banner of an ended connection has Restart.
    setSeen((all) => all.filter((one) => one !== connection));
    setRestarting(true);
    // Without an address, the page would show the new run as soon as it starts.
    navigate({ connection, filter }, { replace: true });
    client
      .send({ type: 'restart', connection })
      .then(({ connection: run }) => setMade(run))
      .catch(() => {})
      .finally(() => setRestarting(false));
  }, [isDue, client, connection, filter, navigate, setSeen]);
  const canShow = useIsReady(made ?? connection);
  // Its form stays in view.
  const isBusy = useIsLostAnswerShown(connection);
  useEffect(() => {
    if (made === undefined || !canShow || isBusy) return;
    setMade(undefined);
    setWoken(made);
    carryView(connection, made);
    navigate({ connection: made, filter }, { replace: true });
  }, [made, canShow, isBusy, connection, filter, navigate, setWoken]);
  if (isDue || isRestarting || (made !== undefined && !canShow)) {
    return <Note>This tab slept, and its server was stopped. Restarting it…</Note>;
  }
  return (
    <>
      {woken === connection && (
        <Note>
          This tab slept, so its server was stopped, and is now restarted.
          <Button size="small" variant="ghost" onClick={() => setWoken('')}>
            Dismiss
          </Button>
        </Note>
      )}
      {children}
    </>
  );
}

/** Returns true once a run has its lists, or failed. Until then it has no form to keep the focus. */
export function hasLists({ connection, tools, resources, prompts }: LogState): boolean {
  if (!isSettled(tools, connection.state)) return false;
  return connection.state !== 'open' || [resources, prompts].every(({ status }) => status !== 'listing');
}

function useIsReady(run: string): boolean {
  return useLogState(useLog(run), hasLists);
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p
      role="status"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-b border-line bg-text/4 px-3 text-muted"
    >
      {children}
    </p>
  );
}

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

function isPageVisible(): boolean {
  return document.visibilityState === 'visible';
}
