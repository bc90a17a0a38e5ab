import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { Segmented } from '@/components/ui/button';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { Spinner, TextNotLoaded } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { LongText } from '@/components/untrusted/long-text';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useInterceptions } from '@/lib/hooks/interceptions';
import { useLocation } from '@/lib/hooks/location';
import { useFrameBytes } from '@/lib/hooks/log';
import { useLogClock } from '@/lib/hooks/log-clock';
import type { JsonSource } from '@/lib/json/source';
import type { InvalidResult } from '@/lib/problems/invalid-result';
import type { Log } from '@/lib/store/log';
import { formatBytes, formatDuration } from '@/lib/wire/format';
import { CallButtons, CallNotes } from './call-actions';
import { Elapsed } from './elapsed';
import { ErrorResponseView } from './error-response';
import { ExchangeLinks } from './frame-link';
import { holdsRequest } from './holds-request';
import { CallErrorView, useCallError } from './moment/call-error';
import { useOutput } from './moment/output';
import { errorTexts, InvalidResultNote, OutcomeWord, useOutcome } from './outcome';
import { ProgressView } from './progress-view';
import { TaskStatus } from './task-status';
import { UnmatchedNote } from './unmatched-note';
import type { Request } from './use-request';

const CallMoment = lazyWhenIdle(() => import('./moment/call-moment').then((file) => file.CallMoment));
const EarlierResult = lazyWhenIdle(() => import('./earlier-result').then((file) => file.EarlierResult));
const HeldNote = lazy(() => import('./held-note'));

/** A further view of the results: a tab, which stays while calls are made. */
interface FurtherView {
  /** The name of the panel in the address that leads to it. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

/** Element id of the region, for links to it. */
export const RESULT_ID = 'result';

const NONE: readonly never[] = [];

interface ResultRegionProps {
  readonly request: Request;
  /** Shown before the first request. */
  readonly empty: ReactNode;
  /** Draws the question that a request waits for, if there is one. `seq` is that of the request. */
  readonly question?: (seq: number) => ReactNode;
  /** Draws a result. `invalid`: how it breaks its schema, which is said above. */
  readonly children: (result: JsonSource, invalid: InvalidResult | undefined) => ReactNode;
  /** The declarations of the server: a tab, so that they can be read beside the form. */
  readonly schema?: ReactNode;
  readonly views?: readonly FurtherView[];
}

/**
 * The newest request, or the one chosen in the log: outcome, duration, size, links to its two frames, the error that
 * made it fail, the result, and all that happened meanwhile.
 */
export function ResultRegion({ request, empty, question, children, schema, views: further = NONE }: ResultRegionProps) {
  const { log, exchange } = request;
  const { frame, panel } = useLocation();
  const [chosen, choose] = useState<{ readonly view: string; readonly at: number | undefined }>();
  const bytes = useFrameBytes(log, exchange?.responseSeq === undefined ? NONE : [exchange.responseSeq]);
  const { outcome, answer, invalid } = useOutcome(log, exchange);
  const views = [
    ...further.map(({ title }) => title),
    'Result',
    ...(answer ? ['Raw'] : []),
    ...(schema ? ['Schema'] : []),
  ];
  // Before an answer, one button shows and hides the schema.
  const listed = answer || further.length > 0 ? views : views.filter((one) => one !== 'Result');
  const newest = request.newest?.requestSeq;
  // A call that is made beside the schema shows its result.
  const kept = chosen?.view === 'Schema' && chosen.at !== newest ? undefined : chosen?.view;
  const wanted = chosen ? kept : further.find(({ id }) => id === panel)?.title;
  const view = views.find((one) => one === wanted) ?? 'Result';
  const aside = view === 'Schema' ? schema : further.find(({ title }) => title === view)?.body;
  const raw = view === 'Raw';
  const output = useOutput(log, exchange);
  const failed = outcome?.tone === 'error' || exchange?.status === 'timeout';
  const error = useCallError(log, exchange, output, failed, errorTexts(answer));
  const now = useLogClock(log);
  const { waiting } = useInterceptions(log);
  const held = request.readOnly ? undefined : waiting.findLast((one) => holdsRequest(one, request));
  const seqs = exchange ? [exchange.requestSeq, exchange.responseSeq ?? 0] : NONE;
  const done = new Set(seqs.flatMap((seq) => log.interceptions.of(seq) ?? []));
  const heldUs = exchange ? log.heldUs(exchange) : 0;
  return (
    <section id={RESULT_ID} aria-label="Result" tabIndex={-1} className="flex min-w-0 flex-col gap-2 outline-none">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2 whitespace-nowrap narrow:gap-x-1">
        <h3 className={listed.length > 1 ? 'sr-only' : 'mr-1 font-medium'}>Result</h3>
        {listed.length > (answer ? 1 : 0) && (
          <Segmented
            label="View of the result"
            names={listed}
            chosen={view}
            onChoose={(next) => choose({ view: next === view ? 'Result' : next, at: newest })}
          />
        )}
        {exchange && outcome && (
          <>
            <span role="status" className="max-w-3/5 shrink-0 truncate">
              <OutcomeWord outcome={outcome} />
            </span>
            {exchange.status === 'pending' && exchange.unmatchedSeq === undefined && <Spinner />}
            <div className="flex max-w-full flex-auto items-center gap-x-2 narrow:gap-x-1">
              <span className="tabular min-w-0 flex-auto truncate text-muted">
                {exchange.status === 'pending' && log === log.whole && (
                  <>
                    <Elapsed since={log.columns.time(exchange.requestSeq - 1)} now={now} /> ·{' '}
                  </>
                )}
                {exchange.durationUs !== undefined && `${formatDuration(exchange.durationUs)} · `}
                {heldUs > 0 && `${formatDuration(heldUs)} held · `}
                {answer && <span className="narrow:hidden">{formatBytes(answer.bytes)} · </span>}
                <ExchangeLinks request={exchange.requestSeq} response={exchange.responseSeq} isShort />
              </span>
              <CallButtons log={log} request={exchange.requestSeq} place="result" inPalette={frame === undefined} />
            </div>
          </>
        )}
      </div>
      {aside ?? (
        <>
          {(held || done.size > 0) && (
            <Suspense>
              <HeldNote held={held} done={[...done]} />
            </Suspense>
          )}
          {!exchange && !held && (
            <Suspense>
              <EarlierResult request={request} empty={request.readOnly ? notCalled(log) : empty}>
                {(result) => children(result, undefined)}
              </EarlierResult>
            </Suspense>
          )}
          <CallNotes log={log} request={exchange?.requestSeq} place="result" />
          {exchange !== request.newest && (
            <p className="text-muted">
              This call was chosen in the log.{' '}
              <button type="button" className="text-link" onClick={request.showNewest}>
                Show the newest call
              </button>
            </p>
          )}
          {error && <CallErrorView error={error} isAlone={output.isAlone} />}
          {outcome?.about !== undefined && <p className="break-words text-muted">{visibleText(outcome.about)}</p>}
          {invalid && <InvalidResultNote invalid={invalid} />}
          {exchange?.task && <TaskStatus request={request} />}
          {exchange && question?.(exchange.requestSeq)}
          <UnmatchedNote log={log} exchange={exchange} />
          {exchange?.status === 'pending' && exchange.progress && (
            <ProgressView log={log} progress={exchange.progress} />
          )}
          {bytes !== 'here' && <TextNotLoaded gone={bytes === 'gone'} />}
          {answer && exchange?.responseSeq !== undefined && (
            <RenderGuard key={exchange.responseSeq} fallback={<FrameText log={log} seq={exchange.responseSeq} />}>
              {log.row(exchange.responseSeq - 1).invalidUtf8 && (
                <p className="text-warn">
                  ! Invalid UTF-8 in the response. � stands for each invalid byte; see its frame.
                </p>
              )}
              {late(exchange.status) && <p className="text-warn">! This response arrived too late</p>}
              {raw && <FrameText log={log} seq={exchange.responseSeq} />}
              {!raw && answer.error !== undefined && <ErrorResponseView error={answer.error} />}
              {!raw && answer.result !== undefined && children(answer.result, invalid)}
              {!raw && answer.error === undefined && answer.result === undefined && (
                <>
                  <p className="text-warn">! The response has neither result nor error. Shown as sent.</p>
                  <JsonTree json={answer.message} />
                </>
              )}
            </RenderGuard>
          )}
          {exchange && (
            <Suspense>
              <CallMoment log={log} exchange={exchange} output={output} failed={failed} error={error?.seq} />
            </Suspense>
          )}
        </>
      )}
    </section>
  );
}

function notCalled(log: Log): string {
  return log === log.whole ? 'Not called in this recording' : 'Not called up to this moment';
}

/** The text of a frame, decoded once, when shown. */
function FrameText({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const text = useMemo(() => log.text(seq - 1), [log, seq]);
  return <LongText text={text} />;
}

function late(status: string | undefined): boolean {
  return status === 'cancelled' || status === 'timeout';
}

/** Most names in the summary. */
const MAX_NAMED = 8;

/** Members of a result without a view of their own, so that nothing is hidden. */
export function OtherMembers({ result, shown }: { readonly result: JsonSource; readonly shown: readonly string[] }) {
  const type = result.member('resultType')?.value;
  // An unfinished result has no view of its own, so all of its content is in these members.
  const open = type !== undefined && type !== 'complete';
  const { count, children } = result.children(MAX_NAMED, shown);
  if (count === 0) return null;
  return (
    <details open={open} className="border-t border-line pt-1">
      <summary className="text-muted">
        Other members: {visibleText(children.map(({ name }) => name?.slice(0, 40)).join(', '))}
        {count > MAX_NAMED && '…'}
      </summary>
      <JsonTree json={result} except={shown} />
    </details>
  );
}
