import { useEffect, useMemo, useRef, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import InsideServer from '@/components/exchange/inside/inside-server';
import { Badge } from '@/components/ui/badge';
import { classNames } from '@/components/ui/class-names';
import { EmptyState, Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useLocation } from '@/lib/hooks/location';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import type { InsideCall } from '@/lib/store/telemetry/inside-call';
import type { SpanIndex } from '@/lib/store/telemetry/span-index';
import { type TelemetryOverview, telemetryOverview } from '@/lib/store/telemetry/telemetry-overview';
import { countOf, formatDuration } from '@/lib/wire/format';
import { Recipe } from './recipe';
import { SpanNameTable } from './span-name-table';

/** Columns of a call: arrow, number, name, slowest part, spans and duration. A phone has no room for two of them. */
const CALL_COLUMNS =
  'grid min-h-7 w-full grid-cols-[12px_3.5em_minmax(0,5fr)_minmax(0,4fr)_6em_5em] items-baseline gap-x-3 px-2 py-1 text-left hover:bg-text/4 @max-[640px]:grid-cols-[12px_3.5em_minmax(0,1fr)_5em]';

/** Shortest time between two overviews in ms, because each reads all spans. */
const OVERVIEW_MS = 500;
/** Most services and metrics that are named. */
const NAMED = 50;
const LABEL_CHARS = 200;

/** Shows the server's OpenTelemetry: calls with their spans, and the slowest parts. Without any, says how to get it. */
export function TelemetryPanel({ log }: { readonly log: Log }) {
  const some = useLogState(log, ({ telemetry }) => telemetry > 0);
  const index = useSpanIndex(log);
  if (!some) return <Recipe log={log} />;
  if (!index) return <EmptyState title="Reading telemetry">{<Spinner label="Reading telemetry" />}</EmptyState>;
  return <Overview log={log} index={index} />;
}

function Overview({ log, index }: { readonly log: Log; readonly index: SpanIndex }) {
  const size = useThrottled(useLogSize(log), OVERVIEW_MS);
  const { navigate } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the index is read again when the log has grown
  const overview = useMemo(() => telemetryOverview(log, index), [log, index, size]);
  const { spans, services, names, metrics } = overview;
  const logged = useLogState(log, ({ logMessages }) => logMessages);
  const named = services.slice(0, NAMED).join(', ') + (services.length > NAMED ? ', …' : '');
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
        <p className="tabular">
          {[countOf(spans, 'span'), metrics.length > 0 && countOf(metrics.length, 'metric')]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {named !== '' && <p className="min-w-0 truncate text-muted">from {visibleText(named)}</p>}
        <span className="ml-auto flex flex-wrap gap-x-3">
          {logged > 0 && (
            <button type="button" className="text-link" onClick={() => navigate({ panel: 'logs', item: undefined })}>
              Logs
            </button>
          )}
          <button type="button" className="text-link" onClick={() => navigate({ filter: 'channel:otel' })}>
            Filter the log
          </button>
        </span>
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-auto p-3">
        <Calls log={log} index={index} overview={overview} />
        <SpanNameTable names={names} />
        <Strays log={log} overview={overview} />
        {metrics.length > 0 && (
          <section aria-label="Metrics" className="min-w-0">
            <h2 className="mb-1 font-medium">Metrics</h2>
            <ul className="flex flex-wrap gap-x-4 gap-y-1">
              {metrics.slice(-NAMED).map((seq) => (
                <li key={seq} className="flex min-w-0 items-baseline gap-2">
                  <bdi className="min-w-0 truncate font-mono text-wire">
                    {visibleText((log.columns.name(seq - 1) ?? '').slice(0, LABEL_CHARS))}
                  </bdi>
                  <FrameLink seq={seq} label="Newest of the metric" short />
                </li>
              ))}
            </ul>
          </section>
        )}
        {index.forgotten > 0 && (
          <p className="text-muted">
            {countOf(index.forgotten, 'old unit')} of telemetry can be seen in the log only, because there are too many.
          </p>
        )}
      </div>
    </div>
  );
}

/** The newest calls with spans. One of them is open, with its waterfall. */
function Calls({
  log,
  index,
  overview: { calls, olderCalls },
}: {
  readonly log: Log;
  readonly index: SpanIndex;
  readonly overview: TelemetryOverview;
}) {
  const { item, navigate } = useLocation();
  if (calls.length === 0) return null;
  return (
    <section aria-label="Calls" className="min-w-0">
      <h2 className="mb-1 font-medium">Calls</h2>
      <ul className="border border-line">
        {calls.map((call) => {
          const request = String(call.requests[0]);
          const open = item === request;
          return (
            <li key={request} className="border-b border-line last:border-b-0">
              <CallRow
                log={log}
                call={call}
                open={open}
                onToggle={() => navigate({ item: open ? undefined : request }, { replace: true })}
              />
              {open && (
                <div className="px-3 pb-3">
                  <InsideServer log={log} index={index} request={call.requests[0]!} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {olderCalls > 0 && <p className="mt-1 text-muted">{countOf(olderCalls, 'older call')} in the log</p>}
    </section>
  );
}

function CallRow({
  log,
  call: { requests, sentAt, endedAt, spans, left, slowest },
  open,
  onToggle,
}: {
  readonly log: Log;
  readonly call: InsideCall;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const { what, about } = rowLabel(log.row(requests[0]! - 1));
  const failed = spans.filter(({ span }) => span.failed).length;
  const slow =
    slowest && ('span' in slowest ? visibleText(slowest.span.name.slice(0, LABEL_CHARS)) : 'outside of spans');
  return (
    <button type="button" aria-expanded={open} onClick={onToggle} className={CALL_COLUMNS}>
      <span aria-hidden="true" className="text-muted">
        {open ? '▾' : '▸'}
      </span>
      <span className="tabular text-right text-muted">#{requests[0]}</span>
      <span className="flex min-w-0 items-baseline gap-x-2 font-mono text-wire">
        <span className="truncate">
          {visibleText(what.slice(0, LABEL_CHARS))}{' '}
          {about !== undefined && <bdi className="text-muted">{visibleText(about.slice(0, LABEL_CHARS))}</bdi>}
        </span>
        {failed > 0 && <Badge tone="error">{failed} failed</Badge>}
      </span>
      <span className="flex min-w-0 items-baseline gap-x-2 text-muted @max-[640px]:hidden">
        {slowest && (
          <>
            <span className="shrink-0">slowest</span>
            <bdi className="truncate">{slow}</bdi>
            <span className="tabular shrink-0">{formatDuration(slowest.us)}</span>
          </>
        )}
      </span>
      <span className="tabular text-right text-muted @max-[640px]:hidden">{countOf(spans.length + left, 'span')}</span>
      <span className="tabular text-right">
        {endedAt === undefined ? 'in flight' : formatDuration(endedAt - sentAt)}
      </span>
    </button>
  );
}

/** The topmost spans that belong to no call, such as those of the server's start. */
function Strays({
  log,
  overview: { strays, moreStrays },
}: {
  readonly log: Log;
  readonly overview: TelemetryOverview;
}) {
  if (strays.length === 0) return null;
  return (
    <section aria-label="Outside of calls" className="min-w-0">
      <h2 className="mb-1 font-medium">Outside of calls</h2>
      <p className="mb-1 max-w-[80ch] text-muted">
        These spans name no trace of a request, and none or several were in flight when they started.
      </p>
      <ul className="border border-line">
        {strays.map(({ seq, name, service, us, failed }) => (
          <li
            key={seq}
            className="flex min-h-6 min-w-0 items-baseline gap-x-3 border-b border-line px-2 last:border-b-0"
          >
            <FrameLink seq={seq} label={`Span in frame of ${log.connection}`} short />
            <bdi className={classNames('min-w-0 flex-1 truncate font-mono text-wire', failed && 'text-error')}>
              {visibleText(name.slice(0, LABEL_CHARS))}
            </bdi>
            <bdi className="max-w-[30%] truncate text-muted">{visibleText(service.slice(0, LABEL_CHARS))}</bdi>
            <span className="tabular w-16 shrink-0 text-right">{formatDuration(us)}</span>
          </li>
        ))}
      </ul>
      {moreStrays > 0 && <p className="mt-1 text-muted">{countOf(moreStrays, 'older span')} in the log</p>}
    </section>
  );
}

/** Returns a value that changes at most each `ms` ms. */
function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    if (shown === value) return;
    const timer = setTimeout(
      () => {
        changedAt.current = performance.now();
        setShown(value);
      },
      Math.max(0, changedAt.current + ms - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [value, shown, ms]);
  return shown;
}
