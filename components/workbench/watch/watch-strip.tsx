import { useEffect, useState } from 'react';
import { useProblemChanges } from '@/components/compare/problem-changes';
import { changePieces, hasReadLists, type RunChanges, useRunChanges } from '@/components/compare/run-changes';
import { runLabel } from '@/components/exchange/connection-labels';
import { Elapsed } from '@/components/exchange/elapsed';
import { RUNS_PANELS } from '@/components/panels/registry';
import { Button, CopyButton } from '@/components/ui/button';
import { Sentence, Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { WATCH_PIECES } from '@/features/watch-pieces';
import { useConnections } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLog, useLogState } from '@/lib/hooks/log';
import { useIsLostAnswerShown } from '@/lib/hooks/shown-questions';
import { carryView } from '@/lib/hooks/watch';
import type { Log } from '@/lib/store/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import type { WatchFailure, WatchState } from '@/lib/wire/watch';
import { useCommand } from '../connection-commands';
import { showStderr } from '../show-stderr';

interface WatchStripProps {
  /** The connection that the page shows. */
  readonly connection: string;
  readonly watch: WatchState;
}

/** Re-run on save in one line above the panel: what it does now, and what the newest save changed. */
export function WatchStrip({ connection, watch }: WatchStripProps) {
  const { good = connection, before } = watch;
  const [was, is] = [useLog(before ?? good), useLog(good)];
  const wasRead = useLogState(was, hasReadLists);
  const isRead = useLogState(is, hasReadLists);
  useFollow(connection, good, isRead);
  const changes = useRunChanges(was, is, was !== is && wasRead && isRead);
  return <Strip {...{ connection, watch }} compared={was === is ? undefined : { was, is, changes }} />;
}

/** Milliseconds after which a run is shown even if it has not sent all its lists. */
const PATIENCE_MS = 2000;

/**
 * Shows each run that opens in place of the one before, or of a later one that failed. Not while a message is open, nor
 * while an answer is shown that was not sent, and not if somebody compares runs or looks at an older one.
 */
function useFollow(connection: string, good: string, isRead: boolean): void {
  const { connection: wanted, frame, filter, compare, navigate } = useLocation();
  const { connections } = useConnections();
  /** The newest run that opened when this view began, or when it last went on. */
  const [from, setFrom] = useState(good);
  const [waited, setWaited] = useState<string>();
  const runOf = (id: string) => connections.find((one) => one.id === id)?.run ?? 1;
  const isOlder = connection !== from && runOf(connection) <= runOf(from);
  if (from !== good && (connection === good || isOlder)) setFrom(good);
  const isBusy = useIsLostAnswerShown(connection) || frame !== undefined || compare !== undefined;
  const follows = from !== good && connection !== good && !isOlder && !isBusy;
  useEffect(() => {
    // Without an address, the page would show the newest run as soon as it starts.
    if (wanted === undefined) navigate({ connection, filter }, { replace: true });
  }, [wanted, connection, filter, navigate]);
  useEffect(() => {
    if (!follows || isRead) return;
    const timer = setTimeout(() => setWaited(good), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [follows, isRead, good]);
  const isReady = isRead || waited === good;
  useEffect(() => {
    if (!follows || !isReady) return;
    carryView(connection, good);
    // The server is the same, so the panel and the filter still apply.
    navigate({ connection: good, filter }, { replace: true });
  }, [follows, isReady, connection, good, filter, navigate]);
}

interface Compared {
  readonly was: Log;
  readonly is: Log;
  /** undefined until both have sent their lists. */
  readonly changes: RunChanges | undefined;
}

function Strip({ connection, watch, compared }: WatchStripProps & { readonly compared: Compared | undefined }) {
  const { connections } = useConnections();
  const { navigate } = useLocation();
  const { run, pending, failure: refusal } = useCommand();
  const { failure, good, limit } = watch;
  const summaryOf = (id: string | undefined) => connections.find((one) => one.id === id);
  const newest = summaryOf(good);
  const isBroken = failure !== undefined && watch.phase === 'watching';
  const show = (id: string) => navigate({ connection: id, frame: undefined });
  return (
    <section
      aria-label="Re-run on save"
      className={`flex min-h-8 shrink-0 flex-col border-b border-line ${isBroken ? 'bg-error/8' : ''}`}
    >
      <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1">
        <div role="status" className="flex min-w-0 flex-1 basis-80 flex-wrap items-center gap-x-2">
          {isBroken ? (
            <Broken failure={failure} watch={watch} isShown={failure.run === connection} />
          ) : (
            <Working watch={watch} newest={newest} compared={compared} />
          )}
        </div>
        <span className="flex flex-wrap items-center gap-x-1 gap-y-1">
          {isBroken && failure.run !== undefined && failure.run !== connection && (
            <Button size="small" onClick={() => show(failure.run!)}>
              Show {runLabel(summaryOf(failure.run) ?? {})}
            </Button>
          )}
          {newest && connection !== good && (
            <Button size="small" onClick={() => show(newest.id)}>
              Show {runLabel(newest)}
            </Button>
          )}
          {isBroken && failure.what === 'build' && <OutputButton connection={connection} />}
          {compared?.changes && !isBroken && (
            <Button
              size="small"
              variant="ghost"
              onClick={() => {
                const { was, is } = compared;
                navigate({
                  connection: is.connection,
                  panel: RUNS_PANELS[0]?.id,
                  item: undefined,
                  compare: was.connection,
                });
              }}
            >
              What changed
            </Button>
          )}
          <Button
            size="small"
            variant="ghost"
            disabled={pending}
            onClick={() => void run({ type: 'watch', connection, on: false })}
          >
            Stop watching
          </Button>
        </span>
      </div>
      {refusal && (
        <p role="alert" className="px-3 pb-1 text-error">
          × <Sentence text={`${refusal.message} ${refusal.advice}`} />
        </p>
      )}
      {limit !== undefined && (
        <p className="px-3 pb-1 text-warn">
          <span aria-hidden="true">! </span>
          <Sentence text={limit} />
        </p>
      )}
    </section>
  );
}

const PHASES = {
  looking: 'Looking for source files…',
  building: 'Building…',
  waiting: 'Waiting until the server answers…',
  restarting: 'Restarting…',
  pins: 'Running pins…',
} as const;

/** The state while nothing is wrong. */
function Working({
  watch,
  newest,
  compared,
}: {
  readonly watch: WatchState;
  readonly newest: ConnectionSummary | undefined;
  readonly compared: Compared | undefined;
}) {
  const { phase, saved, files, tookMs, where } = watch;
  if (phase !== 'watching') {
    return (
      <>
        <Spinner />
        <span className="font-medium">{PHASES[phase]}</span>{' '}
        {saved && (
          <span className="tabular min-w-0 truncate text-muted">
            <SavedFile saved={saved} />{' '}
            <Elapsed key={saved.at} since={Date.parse(saved.at) * 1000} now={() => Date.now() * 1000} />
          </span>
        )}
      </>
    );
  }
  if (!saved) {
    return (
      <>
        <Dot />
        <span>
          Watching {countOf(files, 'file')} <span className="text-muted">in</span>{' '}
          <bdi title={visibleText(where)} className="font-mono text-wire">
            {visibleText(lastPart(where))}
          </bdi>
        </span>{' '}
        <span className="text-muted">Save one to restart the server</span>
      </>
    );
  }
  return (
    <>
      <Dot />
      {newest && <span className="font-medium">{runLabel(newest)}</span>}{' '}
      <span className="tabular min-w-0 truncate text-muted">
        <SavedFile saved={saved} />
        {tookMs !== undefined && ` · ${formatDuration(tookMs * 1000)}`}
      </span>{' '}
      {compared && <ChangePieces {...compared} />}{' '}
      {compared &&
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        WATCH_PIECES.map((Pieces, index) => <Pieces key={index} log={compared.is} />)}
    </>
  );
}

/** The changes of the newest run in a few words. */
function ChangePieces({ was, is, changes }: Compared) {
  const problems = useProblemChanges(was, is);
  if (!changes) return null;
  const breaking = changes.filter((change) => change.breaking !== undefined).length;
  const pieces = [
    ...(changes.length === 0 ? ['no change in its lists'] : changePieces(changes)),
    ...(problems.fresh.length > 0 ? [`${countOf(problems.fresh.length, 'new problem')}`] : []),
    ...(problems.gone.length > 0 ? [`${countOf(problems.gone.length, 'problem')} gone`] : []),
  ];
  return (
    <span data-run={is.connection} className="tabular min-w-0">
      {pieces.join(' · ')}
      {breaking > 0 && <span className="text-error"> · {formatCount(breaking)} breaking</span>}
    </span>
  );
}

function SavedFile({ saved: { file, more } }: { readonly saved: NonNullable<WatchState['saved']> }) {
  if (file === '') return 'The server came back';
  return (
    <>
      <bdi className="font-mono text-wire">{visibleText(file)}</bdi>
      {more > 0 && ` and ${formatCount(more)} more`}
    </>
  );
}

/** A save that led to no running server: why, and where. The page keeps showing the last run. */
function Broken({
  failure,
  watch,
  isShown,
}: {
  readonly failure: WatchFailure;
  readonly watch: WatchState;
  /** The page shows the run that failed, and so the reason. */
  readonly isShown: boolean;
}) {
  const { message, advice, line, place } = failure;
  return (
    <>
      <span className="min-w-0 break-words">
        <span className="font-medium text-error">
          <span aria-hidden="true">× </span>
          <Sentence text={message} />
        </span>{' '}
        {isShown ? (
          'Save a fix to start it again.'
        ) : line === undefined ? (
          <Sentence text={advice} />
        ) : (
          <bdi className="font-mono text-wire">{visibleText(line)}</bdi>
        )}
      </span>
      {place !== undefined && (
        <span className="inline-flex max-w-full min-w-0 items-center gap-1">
          <bdi title={visibleText(place)} className="min-w-0 truncate font-mono text-wire text-muted">
            {visibleText(lastPart(place))}
          </bdi>
          <CopyButton label="Copy file:line" text={() => place} />
        </span>
      )}
      {watch.good !== undefined && failure.what === 'server' && !isShown && (
        <span className="text-muted">The last run stays here until a save fixes it.</span>
      )}
    </>
  );
}

/** Shows the lines that the build printed. */
function OutputButton({ connection }: { readonly connection: string }) {
  const log = useLog(connection);
  return (
    <Button size="small" variant="ghost" onClick={() => showStderr(log)}>
      Show its output
    </Button>
  );
}

function Dot() {
  return <span aria-hidden="true" className="inline-block size-2 shrink-0 rounded-full bg-ok" />;
}

/** The last part of a path, which says most. */
function lastPart(path: string): string {
  return path.replace(/^.*[/\\](?=[^/\\]+[/\\]?$)/, '');
}
