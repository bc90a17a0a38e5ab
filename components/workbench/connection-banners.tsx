import { useMemo } from 'react';
import { connectionEntries, runLabel } from '@/components/exchange/connection-labels';
import { exitText } from '@/components/log/lifecycle-sentences';
import { panelOf } from '@/components/panels/registry';
import { Button, CopyButton } from '@/components/ui/button';
import { codeWhenIdle } from '@/components/ui/lazy-when-idle';
import { ErrorNote, Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { SignInLink } from '@/components/untrusted/links';
import { type ClientStatus, useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { formatBytes, formatClock } from '@/lib/wire/format';
import { type ConnectionActions, useCommand } from './connection-commands';
import { isLive } from './connection-state';
import { closedReason } from './labels';
import { showStderr } from './show-stderr';

const useDoctor = codeWhenIdle(() => import('@/lib/doctor/diagnose'));

/** Asks the user to sign in: where and for which scopes. Nothing opens without a click. */
export function SignInBanner({ connection, log }: { readonly connection: string; readonly log: Log }) {
  const { connections } = useConnections();
  const url = connections.find(({ id }) => id === connection)?.signInUrl;
  const step = useLogState(log, (state) => state.connection.authorization);
  const { run, pending, failure } = useCommand();
  if (url === undefined) return null;
  const host = hostOf(url);
  const issuer = step?.phase === 'needed' ? hostOf(step.issuer) : host;
  const scopes = step?.phase === 'needed' ? step.scopes : [];
  return (
    <section
      aria-label="Sign in"
      className="mx-auto mt-4 mb-1 flex w-full max-w-[760px] min-w-0 shrink-0 flex-col gap-2 border-l-2 border-accent bg-accent/6 px-3 py-2"
    >
      <h2 role="status" className="font-medium">
        This server requires you to sign in
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-muted">At</dt>
        <dd className="font-mono text-wire break-all">
          {visibleText(host)}
          {issuer !== host && <span className="font-sans text-muted"> on behalf of {visibleText(issuer)}</span>}
        </dd>
        <dt className="text-muted">Scopes</dt>
        <dd className="break-words">
          {scopes.length === 0 ? (
            'none requested'
          ) : (
            <code className="font-mono text-wire">{visibleText(scopes.join(' '))}</code>
          )}
        </dd>
        <dt className="text-muted">Address</dt>
        <dd className="min-w-0">
          <code className="font-mono text-wire break-all">{visibleText(url)}</code>{' '}
          <CopyButton text={() => url} label="Copy" />
        </dd>
      </dl>
      <div className="flex flex-wrap items-center gap-2">
        <SignInLink address={url} />
        <Button disabled={pending} onClick={() => void run({ type: 'cancel-sign-in', connection })}>
          Cancel
        </Button>
        <span className="text-muted">Sign-in opens in a new tab. This page continues when you are done.</span>
      </div>
      {failure && <ErrorNote failure={failure} />}
    </section>
  );
}

/** Returns a URL's host and port, or the text itself if it is not a URL. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns a connection as a run, and the newest run of its entry. undefined if it is the newest itself. */
function useOlderRun(connection: string) {
  const { connections } = useConnections();
  const entry = connectionEntries(connections).find(({ older }) => older.some(({ id }) => id === connection));
  const run = entry?.older.find(({ id }) => id === connection);
  return run && entry && { run, newest: entry.newest };
}

/** Says that this run is not the newest of its entry, and links to that. */
export function OlderRunNote({
  connection,
  onShow,
}: {
  readonly connection: string;
  readonly onShow: (connection: string) => void;
}) {
  const shown = useOlderRun(connection);
  if (!shown) return null;
  const newest = runLabel(shown.newest);
  return (
    <p className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-b border-line px-3 text-muted">
      This is {runLabel(shown.run)}.{shown.run.trial === undefined && ` The newest is ${newest}.`}
      <Button size="small" variant="ghost" onClick={() => onShow(shown.newest.id)}>
        Show {newest}
      </Button>
    </p>
  );
}

/** Shown without a handshake, or after a failed one: the user writes the messages. */
export function NoHandshakeBanner({ log }: { readonly log: Log }) {
  const { state, start, failure } = useLogState(log, (all) => all.connection);
  const { id } = panelOf(useLocation().panel);
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
              <Sentence text={failure?.message ?? 'The handshake failed.'} />
            </span>{' '}
            You can still send raw messages.
          </>
        ) : (
          <>
            <span className="font-medium">Connected without a handshake.</span> mcp-inspect sends nothing on its own.
          </>
        )}
      </p>
      {id !== 'raw' && (
        <Button size="small" onClick={() => navigate({ panel: 'raw', item: undefined })}>
          Write a message
        </Button>
      )}
    </div>
  );
}

/** Shown when a live connection is no longer recorded, because writing failed or mcp-inspect is not responding. */
export function NotRecordedBanner({ log }: { readonly log: Log }) {
  const { status, isRecorded } = useClient();
  const failed = useLogState(log, (state) => state.connection.recordingFailed);
  const outlives = useLogState(log, ({ connection: { start, state } }) => isDirect(start) && isLive(state));
  const sentence = failed ?? (outlives && isRecorded(log.connection) ? SENTENCES[status] : undefined);
  if (sentence === undefined) return null;
  return (
    <p role="status" className="shrink-0 border-b border-line bg-warn/10 px-3 py-1 break-words text-warn">
      <span aria-hidden="true">! </span>
      <Sentence text={sentence} /> The connection still works, and you can still share what this page shows.
    </p>
  );
}

/** Sentences for a direct connection whose recorder, mcp-inspect, does not respond. */
const SENTENCES: { readonly [S in ClientStatus]?: string } = {
  lost: 'mcp-inspect is not responding, so this connection is not being recorded. If mcp-inspect comes back soon, it fills the gap.',
  refused: 'mcp-inspect was restarted, so this connection is no longer recorded.',
};

function isDirect(start: object | undefined): boolean {
  return start !== undefined && 'via' in start && start.via === 'direct';
}

/** Shown when the server of an open connection can't be reached: since when, why, and when mcp-inspect tries again. */
export function UnreachableBanner({
  connection,
  log,
  live,
}: {
  readonly connection: string;
  readonly log: Log;
  /** False for a recording or a past moment, where nothing can be retried. */
  readonly live: boolean;
}) {
  const isOpen = useLogState(log, (state) => state.connection.state === 'open');
  const unreachable = useLogState(log, (state) => state.connection.unreachable);
  const newest = useLogState(log, (state) => state.http.attempt);
  const { navigate } = useLocation();
  const { run, pending, failure } = useCommand();
  if (!isOpen || unreachable === undefined) return null;
  const attempt = newest !== undefined && newest.seq > unreachable.seq ? newest : unreachable;
  const trying = attempt.retryMs === undefined;
  return (
    <section
      aria-label="Server unreachable"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn/10 px-3 py-1"
    >
      <p className="min-w-0 flex-1 basis-96 break-words">
        <span role="status" className="font-medium text-warn">
          <span aria-hidden="true">! </span>
          Unreachable since {clockAt(log, unreachable.seq, 0)}.
        </span>{' '}
        <Sentence text={attempt.message ?? unreachable.message} />{' '}
        {live && (
          <span className="tabular text-muted">
            {trying ? 'Trying now…' : `Next attempt at ${clockAt(log, attempt.seq, attempt.retryMs)}.`}
          </span>
        )}
      </p>
      <span className="flex flex-wrap gap-x-2 gap-y-1">
        <Button size="small" variant="ghost" onClick={() => navigate({ frame: unreachable.seq })}>
          Show in the log
        </Button>
        {live && (
          <Button size="small" disabled={pending || trying} onClick={() => void run({ type: 'retry', connection })}>
            Retry now
          </Button>
        )}
      </span>
      {failure && failure.code !== 'reachable' && <ErrorNote failure={failure} />}
    </section>
  );
}

/** Returns the time of day `ms` after frame `seq`. */
function clockAt(log: Log, seq: number, ms: number): string {
  const start = Date.parse(log.state.connection.start?.at ?? '');
  return formatClock(start + log.columns.time(seq - 1) / 1000 + ms);
}

/** Shown when an open connection's newest HTTP request failed: nothing else would show that the server is gone. */
export function RequestsFailingBanner({ log }: { readonly log: Log }) {
  const isOpen = useLogState(log, (state) => state.connection.state === 'open');
  const failing = useLogState(log, (state) => state.http.failing);
  const isUnreachable = useLogState(log, (state) => state.connection.unreachable !== undefined);
  const { navigate } = useLocation();
  const doctor = useDoctor();
  const diagnosis = useMemo(() => failing && doctor?.diagnose(log, { ...failing, advice: '' }), [doctor, log, failing]);
  if (!isOpen || isUnreachable || failing === undefined) return null;
  const { what, advice } = diagnosis ?? { what: failing.message, advice: '' };
  return (
    <div
      role="status"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn/10 px-3 py-1"
    >
      <p className="min-w-0 flex-1 basis-96 break-words text-warn">
        <span aria-hidden="true">! </span>
        Requests are failing: <Sentence text={`${what} ${advice}`.trim()} /> This note goes away with the next response.
      </p>
      <Button size="small" variant="ghost" onClick={() => navigate({ frame: failing.seq })}>
        Show in the log
      </Button>
    </div>
  );
}

function keptText(closing: string | undefined): string {
  const without = closing === 'page-gone' ? ', without known secrets' : '';
  return `Its messages are kept${without}. A restart makes a new run.`;
}

/**
 * Shown above the panels of a connection that has ended: why, the stderr line that best explains a crash, and how to
 * start again.
 */
export function EndedBanner({
  log,
  recorded,
  actions: { restarting, restart, edit, viaProxy },
}: {
  readonly log: Log;
  /** A recording shows only how it failed, since there is nothing to restart. */
  readonly recorded: boolean;
  readonly actions: ConnectionActions;
}) {
  const { state, failure, closing, exit, spawnedSeq, lastLifecycleSeq } = useLogState(log, (all) => all.connection);
  const stderrBytes = useLogState(log, (all) => all.stderr.bytes);
  const { navigate } = useLocation();
  const isOlder = useOlderRun(log.connection) !== undefined;
  const { status } = useClient();
  const crashed = exit !== undefined && !exit.byUs;
  const doctor = useDoctor();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a log changes in place; the others say when
  const diagnosis = useMemo(
    () => (crashed ? doctor?.diagnose(log) : undefined),
    [doctor, log, crashed, failure, spawnedSeq, stderrBytes],
  );
  if (state !== 'closed' && state !== 'failed') return null;
  // The note about the newer run says enough.
  if ((closing === 'restart' || closing === 'no-viewer') && isOlder) return null;
  // So does the line at the top once mcp-inspect has quit.
  if (closing === 'shutdown' && (status === 'lost' || status === 'refused')) return null;
  const failed = state === 'failed';
  if (recorded && !failed) return null;
  return (
    <div
      role="status"
      className={`flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 ${failed ? 'bg-error/8' : 'bg-text/4'}`}
    >
      <p className="min-w-0 flex-1 basis-96 break-words">
        <span className={failed ? 'font-medium text-error' : 'font-medium'}>
          {failed && <span aria-hidden="true">× </span>}
          {diagnosis?.said && (
            <>
              “<bdi className="font-mono text-wire">{visibleText(diagnosis.said.text)}</bdi>”.{' '}
            </>
          )}
          {failure ? <Sentence text={diagnosis?.what ?? failure.message} /> : closedReason(closing)}
        </span>{' '}
        {exit &&
          !(diagnosis?.what ?? failure?.message)?.includes(exitText(exit)) &&
          `The server ${exitText(exit)}${exit.byUs ? ', stopped by mcp-inspect' : ''}. `}
        {!recorded && (failure ? <Sentence text={diagnosis?.advice ?? failure.advice} /> : keptText(closing))}
      </p>
      <span className="flex flex-wrap gap-x-2 gap-y-1">
        {stderrBytes > 0 && (
          <Button size="small" variant="ghost" onClick={() => showStderr(log)}>
            stderr ({formatBytes(stderrBytes)})
          </Button>
        )}
        <Button size="small" variant="ghost" onClick={() => navigate({ frame: lastLifecycleSeq })}>
          Show in the log
        </Button>
        {failed && viaProxy && !recorded && (
          <Button size="small" onClick={viaProxy}>
            Connect via proxy
          </Button>
        )}
        {!recorded && (
          <>
            <Button size="small" onClick={edit}>
              Edit and connect again
            </Button>
            <Button size="small" onClick={restart} disabled={restarting}>
              Restart
            </Button>
          </>
        )}
      </span>
    </div>
  );
}
