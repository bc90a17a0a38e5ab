import { lazy, Suspense } from 'react';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import type { Log } from '@/lib/store/log';

const InsideServer = lazy(() => import('./inside-server'));

/** Shows spans and log records of a call. Draws nothing without telemetry of that call. */
export function InsideSlot({
  log,
  request,
}: {
  readonly log: Log;
  /** seq of a request of the call. */
  readonly request: number | undefined;
}) {
  const index = useSpanIndex(log);
  if (!index || request === undefined) return null;
  return (
    <Suspense>
      <InsideServer log={log} index={index} request={request} />
    </Suspense>
  );
}
