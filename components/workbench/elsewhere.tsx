import { useEffect, useRef, useState } from 'react';
import { connectionLabels } from '@/components/exchange/connection-labels';
import { useConsentedCall } from '@/components/exchange/destructive-call';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ErrorNote } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useClient } from '@/lib/hooks/client';
import { askElsewhere, type Elsewhere } from '@/lib/hooks/elsewhere';
import { navigate } from '@/lib/hooks/location';
import { useLog } from '@/lib/hooks/log';
import { JsonSource } from '@/lib/json/source';
import { PLACEHOLDER_START } from '@/lib/redact/placeholders';
import type { ConnectionSummary } from '@/lib/wire/command';
import { MASK } from '@/lib/wire/http-frame';
import { canSend, type Failure } from '@/lib/wire/lifecycle';
import { ReplayDialog } from './replay-dialog';
import { LogShare } from './share/share';
import type { WorkbenchState } from './use-workbench';

interface ElsewhereProps {
  readonly wish: Elsewhere;
  readonly workbench: WorkbenchState;
}

const close = () => askElsewhere(undefined);

/** Acts on a recorded session: sends a request again, says how to replay the session, or shares it. */
export function ElsewhereDialog({ wish, workbench }: ElsewhereProps) {
  if (wish.do === 'failed') {
    return (
      <Dialog title="Send it again" onClose={close}>
        <ErrorNote failure={wish.failure} />
      </Dialog>
    );
  }
  const source = workbench.connections.find(({ id }) => id === wish.connection);
  if (!source) return null;
  if (wish.do === 'share') return <LogShare key={source.id} connection={source} onClose={close} />;
  if (wish.do === 'replay') return <ReplayDialog source={source} onClose={close} />;
  return <SendAgain {...{ wish, source, workbench }} />;
}

type SendWish = Extract<Elsewhere, { do: 'send' }>;

/** Finds or opens a connection of our own to the server of a recorded session, then sends the request on it. */
function SendAgain({
  wish,
  source,
  workbench: { connections, selected, dialog, actions },
}: Omit<ElsewhereProps, 'wish'> & { readonly wish: SendWish; readonly source: ConnectionSummary }) {
  const open = connections.filter((one) => !one.recording && canSend(one.state) && isSameServer(one, source));
  const exact = open.filter(({ title }) => title === source.title);
  const masked = isMasked(wish.params);
  const [chosen, setChosen] = useState(exact.length === 1 && !masked ? exact[0]!.id : undefined);
  // Connections before the form was opened. Set while the person connects.
  const [before, setBefore] = useState<ReadonlySet<string>>();
  const made = before && selected && !selected.recording && !before.has(selected.id) ? selected : undefined;
  const wasOpen = useRef(false);
  if (dialog === 'add') wasOpen.current = true;
  const isGivenUp = before !== undefined && !made && wasOpen.current && dialog === undefined;
  const hasFailed = made !== undefined && (made.state === 'failed' || made.state === 'closed');
  useEffect(() => {
    // The connection itself says why it failed.
    if (isGivenUp || hasFailed) close();
  }, [isGivenUp, hasFailed]);
  const target = chosen ?? (made && canSend(made.state) ? made.id : undefined);
  if (target !== undefined) return <Sender wish={wish} target={target} />;
  if (before !== undefined) return null;
  const connect = () => {
    setBefore(new Set(connections.map(({ id }) => id)));
    void actions.edit();
  };
  const labels = connectionLabels(connections);
  return (
    <Dialog title="Send it again" onClose={close}>
      <div className="flex flex-col gap-3">
        <p className="break-words">
          <code className="font-mono text-wire">
            <UntrustedText text={wish.method} limit={100} />
          </code>{' '}
          is sent to the server of this session on a connection of your own. The recorded session stays as it is.
        </p>
        {masked && (
          <p className="text-warn">
            ! Secrets in this request are masked, and are sent like that. Use Edit to give their values.
          </p>
        )}
        {open.length > 0 && (
          <ul aria-label="Open connections" className="flex flex-col gap-1">
            {open.map(({ id, title }) => (
              <li key={id} className="flex min-w-0 items-center gap-2">
                <Button onClick={() => setChosen(id)}>
                  Send to <bdi>{labels.get(id)}</bdi>
                </Button>
                <span className="min-w-0 truncate font-mono text-small text-muted">
                  <UntrustedText text={title} limit={200} />
                </span>
              </li>
            ))}
          </ul>
        )}
        <p className="text-muted">
          Values of variables and headers are not in a recording. The form asks for them, and sends the request once the
          server is connected.
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button data-autofocus variant="primary" onClick={connect}>
            Connect to this server…
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** True for connections that start the same command or have the same URL, or whose servers have the same name. */
function isSameServer(one: ConnectionSummary, other: ConnectionSummary): boolean {
  return one.title === other.title || (one.serverName !== undefined && one.serverName === other.serverName);
}

function isMasked(text = ''): boolean {
  return text.includes(MASK) || text.includes(PLACEHOLDER_START);
}

/** Shows the connection, and sends the request once: after the person agreed, if the tool is destructive. */
function Sender({ wish: { method, params, tool }, target }: { readonly wish: SendWish; readonly target: string }) {
  const client = useClient();
  const log = useLog(target);
  const consented = useConsentedCall(log);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    navigate({ connection: target, item: undefined, frame: undefined });
    close();
    const request = { type: 'request', connection: target, method, ...(params !== undefined && { params }) } as const;
    const args = params === undefined ? undefined : JsonSource.parse(params)?.member('arguments')?.text;
    consented(
      tool,
      () => {
        client.send(request).then(
          ({ seq }) => navigate({ connection: target, ...(seq !== undefined && { frame: seq, view: 'exchange' }) }),
          (failure: Failure) => askElsewhere({ do: 'failed', failure }),
        );
      },
      args === undefined ? {} : { args },
    );
  });
  return null;
}
