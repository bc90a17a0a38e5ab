import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { SERVER_REQUESTS } from '@/components/exchange/server-commands';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { type Log, lastExchange } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { CompleteForm } from './complete-form';
import { ListenForm } from './listen-form';
import { RoundTripView } from './round-trip';

type Item = (typeof SERVER_REQUESTS)[number]['item'];

const METHODS = { ping: 'ping', discover: 'server/discover' } as const;

/** Requests to the server as a whole: ping, discover, complete and listen. */
export function ServerRequestsSection({ log }: { readonly log: Log }) {
  const readOnly = useReadOnly(log);
  if (readOnly) return null;
  return (
    <section aria-label="Requests" className="min-w-0">
      <h2 className="mb-1 font-medium">Requests</h2>
      <div className="flex min-w-0 flex-col gap-2">
        <OneClick log={log} item="ping" label="Ping" />
        <OneClick log={log} item="discover" label="Discover" />
        <Opening log={log} item="complete" label="Complete…">
          <CompleteForm log={log} />
        </Opening>
        <Opening log={log} item="listen" label="Listen…">
          <ListenForm log={log} />
        </Opening>
      </div>
    </section>
  );
}

/** A request without params, with the outcome and duration of the newest one. */
function OneClick({
  log,
  item,
  label,
}: {
  readonly log: Log;
  readonly item: 'ping' | 'discover';
  readonly label: string;
}) {
  const client = useClient();
  const method = METHODS[item];
  const exchange = useLogState(log, () => lastExchange(log, method));
  const { blocked, isMissing } = useAvailability(log, item);
  const [failure, setFailure] = useState<Failure>();
  const { connection } = log;
  const send = useCallback(() => {
    setFailure(undefined);
    client.send({ type: 'request', connection, method }).catch(setFailure);
  }, [client, connection, method]);
  const button = useRef<HTMLButtonElement>(null);
  useOpenedItem(item, () => {
    moveFocus(button.current);
    if (blocked === undefined) send();
  });
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-2">
        <Button ref={button} className="min-w-24" disabled={blocked !== undefined} title={blocked} onClick={send}>
          {label}
        </Button>
        {blocked !== undefined && <span className="text-small text-muted">{blocked}</span>}
        {exchange && !isMissing && <RoundTripView log={log} exchange={exchange} />}
      </div>
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}

interface OpeningProps {
  readonly log: Log;
  readonly item: 'complete' | 'listen';
  readonly label: string;
  readonly children: ReactNode;
}

/** A button that opens a small form below it. */
function Opening({ log, item, label, children }: OpeningProps) {
  const [open, setOpen] = useState(false);
  const { blocked } = useAvailability(log, item);
  const form = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(false);
  useOpenedItem(item, () => {
    setOpen(true);
    setWanted(true);
  });
  useEffect(() => {
    if (!wanted || !open) return;
    setWanted(false);
    form.current?.scrollIntoView({ block: 'nearest' });
    moveFocus(form.current?.querySelector<HTMLElement>('select, input, textarea, button'));
  }, [wanted, open]);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <Button
          className="min-w-24"
          aria-expanded={open}
          disabled={blocked !== undefined}
          title={blocked}
          onClick={() => {
            setOpen(!open);
            setWanted(!open);
          }}
        >
          {label}
        </Button>
        {blocked !== undefined && <span className="text-small text-muted">{blocked}</span>}
      </div>
      {open && blocked === undefined && (
        <div ref={form} className="ml-[3px] min-w-0 border-l border-line pl-3">
          {children}
        </div>
      )}
    </div>
  );
}

interface Availability {
  /** Why the request can't be sent now. */
  readonly blocked: string | undefined;
  /** The negotiated version does not have it. */
  readonly isMissing: boolean;
}

function useAvailability(log: Log, item: Item): Availability {
  const { era, version } = useLogState(log, (state) => state.connection);
  const closed = useClosedReason(log);
  const { era: wanted } = SERVER_REQUESTS.find((request) => request.item === item)!;
  const isMissing = wanted !== undefined && era !== undefined && wanted !== era;
  return { blocked: closed ?? (isMissing ? `Not in MCP ${version}` : undefined), isMissing };
}

/** Calls `onOpen` when a palette command has opened this item of the panel. */
function useOpenedItem(wanted: Item, onOpen: () => void): void {
  const { item, navigate } = useLocation();
  const latest = useRef(onOpen);
  latest.current = onOpen;
  useEffect(() => {
    if (item !== wanted) return;
    // So that the next press opens it again.
    navigate({ item: undefined }, { replace: true });
    latest.current();
  }, [item, wanted, navigate]);
}
