import { connectionLabels } from '@/components/exchange/connection-labels';
import { Select } from '@/components/ui/inputs';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { useConnections } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogBehind, useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { countOf, formatCount } from '@/lib/wire/format';
import { HostComparisonView } from './host-comparison';
import { ClientFacts, Meta, OpeningSteps, ServerQuestions, Waits } from './host-facts';
import { HostTools } from './host-tools';
import { keptLabel, useKeptSessions } from './kept-sessions';
import { useHost } from './use-host';

/** How a host uses the server: what it says, asks for and calls, and how long it waits. Two can be compared. */
export function HostPanel({ log }: { readonly log: Log }) {
  const { item, navigate } = useLocation();
  const isOwn = useLogState(log, isOwnClient);
  const { connections } = useConnections();
  const own = connections.find(({ id }) => id === log.connection);
  const others = othersOf(own, connections);
  const { kept, open, opening, failure } = useKeptSessions(own, connections);
  const isComparable = others.length + kept.length > 0;
  const other = item?.startsWith(OTHER) ? item.slice(OTHER.length) : '';
  const compared = others.find(({ value }) => value === other);
  const compare = async (chosen: string) => {
    const id = chosen.startsWith(KEPT) ? await open(chosen.slice(KEPT.length)) : chosen;
    if (id !== undefined) navigate({ item: id === '' ? undefined : `${OTHER}${id}` });
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
        <p className="min-w-0 flex-1 basis-56 text-muted">
          {isOwn
            ? 'The host of this connection is mcp-inspect itself'
            : isComparable
              ? 'How the host uses this server'
              : 'How the host uses this server. With another session of this server, you can compare hosts'}
        </p>
        {opening && <Spinner label="Opening the recording" />}
        {isComparable && (
          <Select
            aria-label="Compare with another host"
            className="max-w-80"
            value={compared?.value ?? ''}
            onChange={(chosen) => void compare(chosen)}
            options={[
              { value: '', label: 'Compare with another host…' },
              ...others,
              ...(kept.length > 0 ? [{ value: KEPT, label: 'Recordings of this server:', disabled: true }] : []),
              ...kept.map((entry) => ({ value: `${KEPT}${entry.id}`, label: keptLabel(entry) })),
            ]}
          />
        )}
      </div>
      {failure && (
        <div className="px-3 pt-2">
          <ErrorNote failure={failure} />
        </div>
      )}
      {compared ? (
        <HostComparisonView
          key={compared.value}
          log={log}
          other={compared.value}
          title={compared.label}
          onClose={() => navigate({ item: undefined })}
        />
      ) : (
        <OneHost log={log} />
      )}
    </div>
  );
}

/** Starts the item in the page’s address that names the session to compare with. */
const OTHER = 'with:';
/** Starts the choice of a recording that is not open. */
const KEPT = 'kept:';

/** True if mcp-inspect is the client. It writes how it presents itself, which a tap and an import don't. */
function isOwnClient({ connection: { start } }: Log['state']): boolean {
  return start !== undefined && (start.profile !== undefined || start.features !== undefined);
}

/** Returns the other sessions of the same server that are open in the page. */
function othersOf(
  own: ConnectionSummary | undefined,
  connections: readonly ConnectionSummary[],
): readonly { readonly value: string; readonly label: string }[] {
  const labels = connectionLabels(connections);
  const isOther = (connection: ConnectionSummary) =>
    own !== undefined &&
    connection.id !== own.id &&
    connection.trial === undefined &&
    (connection.title === own.title ||
      (connection.serverName !== undefined && connection.serverName === own.serverName));
  return connections.filter(isOther).map(({ id, recording }) => {
    const host = recording?.tap?.host;
    return { value: id, label: [host, labels.get(id)].filter(Boolean).join(' · ').slice(0, LABEL_CHARS) };
  });
}

/** Characters of a session's label in the list of sessions. */
const LABEL_CHARS = 100;

function OneHost({ log }: { readonly log: Log }) {
  const { reader, view, progress } = useHost(log);
  const behind = useLogBehind(log);
  if (!view || behind > 0) {
    const of = progress.of + behind;
    return (
      <div className="flex p-3">
        <WorkProgress
          what="Reading the session"
          {...{ done: progress.done, of }}
          figures={`${formatCount(progress.done)} of ${countOf(of, 'frame')}`}
        />
      </div>
    );
  }
  return (
    <div className="@container min-h-0 flex-1 overflow-auto p-3">
      {view.unread > 0 && (
        <p className="mb-3 text-warn">
          ! {countOf(view.unread, 'message')} of the host could not be read, so counts are too low.
        </p>
      )}
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 @3xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <ClientFacts view={view} />
          <Waits waits={view.waits} />
          <OpeningSteps log={log} view={view} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <HostTools log={log} reader={reader} view={view} />
          <ServerQuestions answers={view.answers} />
          <Meta view={view} />
        </div>
      </div>
    </div>
  );
}
