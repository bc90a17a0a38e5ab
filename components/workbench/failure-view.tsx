import { useEffect, useMemo } from 'react';
import { NewestUnmatchedNote } from '@/components/exchange/unmatched-note';
import { exitText } from '@/components/log/lifecycle-sentences';
import { PANELS } from '@/components/panels/registry';
import { Button, CopyButton } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { messagesRead } from '@/lib/doctor/attempt-facts';
import { diagnose } from '@/lib/doctor/diagnose';
import type { Diagnosis } from '@/lib/doctor/diagnosis';
import { useClient } from '@/lib/hooks/client';
import { useLocation } from '@/lib/hooks/location';
import { useFrameBytes, useLogSize, useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { StartEvent } from '@/lib/store/state/state';
import { requiredCorsHeaders } from '@/lib/wire/cors';
import type { Failure } from '@/lib/wire/lifecycle';
import { TerminalCommand } from './connect/target-preview';
import type { ConnectionActions } from './connection-commands';
import { ConnectionDoctor } from './connection-doctor';
import { closedReason } from './labels';
import { StderrTail, StrayOutput } from './server-output';
import { HANDSHAKE_METHODS } from './starting-view';

/** Diagnoses the log again after each new frame, and after messages that the page dropped are loaded again. */
function useDiagnosis(log: Log): Diagnosis | undefined {
  const size = useLogSize(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a log changes in place; its size says when
  const read = useMemo(() => messagesRead(log), [log, size]);
  const bytes = useFrameBytes(log, read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a log changes in place; its size and bytes say when
  return useMemo(() => diagnose(log), [log, size, bytes]);
}

const UNKNOWN = {
  code: 'failed',
  message: 'The connection failed.',
  advice: 'The last rows of the log show the reason.',
};

/** Recordings of no connection whose panel was shown once. After that, the panel is the person’s choice. */
const OPENED = new WeakSet<Log>();

/** A connection that never opened: the reason, the process exit, its stderr, and what to do next. */
export function FailureView({
  log,
  recorded,
  actions: { restarting, restart, edit, viaProxy },
  onConnected,
}: {
  readonly log: Log;
  /** The log is a recording: there is nothing to retry. */
  readonly recorded: boolean;
  readonly actions: ConnectionActions;
  readonly onConnected: (connection: string) => void;
}) {
  const { navigate } = useLocation();
  const found = useDiagnosis(log);
  const diagnosis = found && recorded ? { ...found, actions: [] } : found;
  const { state, failure, closing, start, pid } = useLogState(log, (all) => all.connection);
  const said = pid === undefined ? undefined : diagnosis?.said?.text;
  const ways = !recorded && (
    <>
      <ViaProxyButton failure={failure} onPress={viaProxy} />
      <Button onClick={restart} disabled={restarting}>
        Restart
      </Button>
      <Button onClick={edit}>Edit and connect again</Button>
      {state === 'handshake-failed' && (
        <Button onClick={() => navigate({ panel: 'raw', item: undefined })}>Write a message</Button>
      )}
    </>
  );
  const channel = log.size > 0 ? log.columns.channel(0) : undefined;
  const panel = PANELS.find((one) => one.channel !== undefined && one.channel === channel);
  useEffect(() => {
    if (!panel || OPENED.has(log)) return;
    OPENED.add(log);
    navigate({ panel: panel.id, item: undefined }, { replace: true });
  }, [panel, log, navigate]);
  return (
    <div className="mx-auto flex w-full max-w-[760px] min-w-0 flex-col gap-3 overflow-auto p-4">
      {panel ? (
        <div role="status" className="flex flex-col items-start gap-2 border-l-2 border-line bg-text/4 px-3 py-2">
          <p className="font-medium">This recording is a {panel.title.toLowerCase()}.</p>
          <Button onClick={() => navigate({ panel: panel.id, item: undefined })}>
            Show the {panel.title.toLowerCase()}
          </Button>
        </div>
      ) : state === 'closed' && !failure ? (
        <div role="status" className="flex flex-col gap-2 border-l-2 border-line bg-text/4 px-3 py-2">
          <p className="font-medium">
            {closing === 'user' ? 'You disconnected before the server responded.' : closedReason(closing)}
          </p>
          <div className="flex flex-wrap gap-2">{ways}</div>
        </div>
      ) : diagnosis && start && start.transport !== 'stdio' && start.via !== 'direct' ? (
        <ConnectionDoctor diagnosis={diagnosis} connection={log.connection} start={start} onConnected={onConnected}>
          {ways}
        </ConnectionDoctor>
      ) : (
        <ErrorNote failure={noteOf(diagnosis, start) ?? failure ?? UNKNOWN} said={said}>
          {ways}
        </ErrorNote>
      )}
      <NewestUnmatchedNote log={log} methods={HANDSHAKE_METHODS} />
      {pid !== undefined && (
        <StrayOutput log={log} isLive={false} quoted={said} onConnected={recorded ? undefined : onConnected} />
      )}
      <StartFacts log={log} />
      {!recorded && <DirectHelp start={start} failure={failure} />}
      {pid !== undefined && <StderrTail log={log} />}
    </div>
  );
}

/** The diagnosis as a note. The browser's own failures of a direct connection have their own words. */
function noteOf(diagnosis: Diagnosis | undefined, start: StartEvent | undefined): Failure | undefined {
  if (!diagnosis || (start && start.transport !== 'stdio' && start.via === 'direct')) return undefined;
  const { code, what, advice } = diagnosis;
  return { code, message: what, advice };
}

/** The URL or command that was started, and its process. */
function StartFacts({ log }: { readonly log: Log }) {
  const { state, exit, start, pid } = useLogState(log, (all) => all.connection);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {start && start.transport !== 'stdio' && (
        <>
          <dt className="text-muted">URL</dt>
          <dd className="font-mono text-wire break-all">{visibleText(start.url)}</dd>
        </>
      )}
      {start?.transport === 'stdio' && (
        <>
          <dt className="text-muted">Command</dt>
          <dd className="font-mono text-wire break-all">{visibleText([start.command, ...start.args].join(' '))}</dd>
          <dt className="text-muted">Working directory</dt>
          <dd className="font-mono text-wire break-all">{visibleText(start.cwd)}</dd>
        </>
      )}
      {state === 'handshake-failed' && pid !== undefined && (
        <>
          <dt className="text-muted">Process</dt>
          <dd>running until you disconnect</dd>
        </>
      )}
      {exit && (
        <>
          <dt className="text-muted">Process</dt>
          <dd>
            {exitText(exit)}
            {exit.byUs && ', stopped by mcp-inspect'}
          </dd>
        </>
      )}
    </dl>
  );
}

/** Failures that response headers of the server would fix. */
const BY_HEADERS = /^(?:cors-|session-hidden$)/;

/** Help for a failed direct connection: the missing response headers, or the proxy, which needs none. */
export function DirectHelp({
  start,
  failure,
}: {
  readonly start: StartEvent | undefined;
  readonly failure: Failure | undefined;
}) {
  const { status } = useClient();
  if (start === undefined || start.transport === 'stdio' || start.via !== 'direct') return null;
  const answer = () => requiredCorsHeaders(window.location.origin, start.headerNames);
  return (
    <>
      {status === 'none' && (
        <TerminalCommand target={{ transport: start.transport, url: start.url }}>
          The proxy needs no CORS headers. To use it, run this in a terminal:
        </TerminalCommand>
      )}
      {failure && BY_HEADERS.test(failure.code) && (
        <section aria-label="Required response headers" className="flex flex-col gap-1">
          <div className="flex items-end justify-between gap-2">
            <h3 className="text-muted">Headers the server must send, including in preflight (OPTIONS) responses</h3>
            <CopyButton label="Copy headers" text={answer} />
          </div>
          <pre className="rounded border border-line bg-surface p-2 font-mono text-wire break-words whitespace-pre-wrap">
            {visibleText(answer())}
          </pre>
        </section>
      )}
    </>
  );
}

/** Failures caused by the browser, which the proxy avoids. */
const BY_BROWSER = /^(?:cors-|session-hidden|mixed-content|local-network-denied|redirected-elsewhere)/;

/** Connects to the same server through the proxy. It is the main button when the browser caused the failure. */
export function ViaProxyButton({
  failure,
  onPress,
}: {
  readonly failure: Failure | undefined;
  readonly onPress: (() => void) | undefined;
}) {
  return (
    onPress && (
      <Button variant={failure && BY_BROWSER.test(failure.code) ? 'primary' : 'plain'} onClick={onPress}>
        Connect via proxy
      </Button>
    )
  );
}
