import { type ReactNode, useState } from 'react';
import { Spinner, TextNotLoaded } from '@/components/ui/notices';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useFrameBytes, useLog, useLogSize } from '@/lib/hooks/log';
import type { JsonSource } from '@/lib/json/source';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { type Log, lastExchange } from '@/lib/store/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatDuration } from '@/lib/wire/format';
import { connectionEntries, runLabel } from './connection-labels';
import { ErrorResponseView } from './error-response';
import { OutcomeWord, useOutcome } from './outcome';
import type { Request } from './use-request';

interface EarlierResultProps {
  readonly request: Request;
  /** Shown if no earlier run has a result. */
  readonly empty: ReactNode;
  readonly children: (result: JsonSource) => ReactNode;
}

/** The newest result of the runs before this one, so that a restart takes nothing away that somebody reads. */
export function EarlierResult({ request, empty, children }: EarlierResultProps) {
  const client = useClient();
  const { connections } = useConnections();
  const [wanted, want] = useState(request.log.connection);
  useLogSize(useLog(wanted));
  const logOf = (id: string) => client.log(id);
  const found = earlierCall(connections, request, logOf);
  if (found) return <Found {...found}>{children}</Found>;
  const unread = unreadRun(connections, request.log.connection, logOf);
  return (
    <>
      <p className="text-muted">{empty}</p>
      {unread && (
        <p className="text-muted">
          The messages of {runLabel(unread)} are not loaded.{' '}
          {unread.id === wanted ? (
            <Spinner label="Loading" />
          ) : (
            <button type="button" className="text-link" onClick={() => want(unread.id)}>
              Look there for a result
            </button>
          )}
        </p>
      )}
    </>
  );
}

interface EarlierCall {
  readonly run: ConnectionSummary;
  readonly log: Log;
  readonly exchange: Exchange;
}

/** Returns the newest answered call of earlier runs of the same server that are in the page. */
export function earlierCall(
  connections: readonly ConnectionSummary[],
  { log: now, method, name }: Pick<Request, 'log' | 'method' | 'name'>,
  logOf: (connection: string) => Log,
): EarlierCall | undefined {
  for (const run of earlierRuns(connections, now.connection)) {
    const log = logOf(run.id);
    const exchange = lastExchange(log, method, name);
    if (exchange?.responseSeq !== undefined) return { run, log, exchange };
  }
  return undefined;
}

/** Returns the newest run before this one whose messages are not in the page, as after a reload. */
export function unreadRun(
  connections: readonly ConnectionSummary[],
  now: string,
  logOf: (connection: string) => Pick<Log, 'size'>,
): ConnectionSummary | undefined {
  return earlierRuns(connections, now).find(({ id }) => logOf(id).size === 0);
}

/** Returns the runs before the newest one, newest first. An older run that is shown has none. */
function earlierRuns(connections: readonly ConnectionSummary[], now: string): readonly ConnectionSummary[] {
  const entry = connectionEntries(connections).find(({ newest }) => newest.id === now);
  return entry?.older.filter(({ trial }) => trial === undefined) ?? [];
}

function Found({ run, log, exchange, children }: EarlierCall & Pick<EarlierResultProps, 'children'>) {
  const { requestSeq, responseSeq = 0, durationUs = 0 } = exchange;
  const bytes = useFrameBytes(log, [responseSeq]);
  const { outcome, answer } = useOutcome(log, exchange);
  return (
    <>
      <p className="text-muted">
        From {runLabel(run)}, before the restart: {outcome && <OutcomeWord outcome={outcome} />},{' '}
        {formatDuration(durationUs)}{' '}
        <button type="button" className="text-link" onClick={() => navigate({ connection: run.id, frame: requestSeq })}>
          Show that run
        </button>
      </p>
      {bytes !== 'here' && <TextNotLoaded gone={bytes === 'gone'} />}
      <RenderGuard key={responseSeq} fallback={null}>
        {answer?.error && <ErrorResponseView error={answer.error} />}
        {answer?.result && children(answer.result)}
      </RenderGuard>
    </>
  );
}
