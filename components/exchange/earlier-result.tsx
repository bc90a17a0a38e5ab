import type { ReactNode } from 'react';
import { TextNotLoaded } from '@/components/ui/notices';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useFrameBytes } from '@/lib/hooks/log';
import type { JsonSource } from '@/lib/json/source';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { type Log, lastExchange } from '@/lib/store/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatDuration } from '@/lib/wire/format';
import { entriesOf, runLabel } from './connection-labels';
import { ErrorResponse } from './error-response';
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
  const found = earlierCall(connections, request, (id) => client.log(id));
  return found ? <Found {...found}>{children}</Found> : <p className="text-muted">{empty}</p>;
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
  const entry = entriesOf(connections).find(({ newest }) => newest.id === now.connection);
  for (const run of entry?.older ?? []) {
    const log = logOf(run.id);
    const exchange = run.trial === undefined ? lastExchange(log, method, name) : undefined;
    if (exchange?.responseSeq !== undefined) return { run, log, exchange };
  }
  return undefined;
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
        {answer?.error && <ErrorResponse error={answer.error} />}
        {answer?.result && children(answer.result)}
      </RenderGuard>
    </>
  );
}
