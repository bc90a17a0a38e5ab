import { type ReactNode, useMemo } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { logsOfCall } from '@/lib/filter/saved-filters';
import { navigate } from '@/lib/hooks/location';
import { useLogSize } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import { type InsideCall, insideCall, type PlacedSpan } from '@/lib/store/telemetry/inside-call';
import type { SpanIndex } from '@/lib/store/telemetry/span-index';
import { subjectOf } from '@/lib/store/telemetry/unit-details';
import { countOf, formatDuration } from '@/lib/wire/format';
import { SpanWaterfall } from './span-waterfall';

/** Most characters of a name in a sentence. */
const NAME_CHARS = 60;

/** The spans and log records of a call: which part was slowest, and a waterfall. */
export default function InsideServer({
  log,
  index,
  request,
  at,
}: {
  readonly log: Log;
  readonly index: SpanIndex;
  /** seq of a request of the call. */
  readonly request: number;
  /** Frame of the span in view. */
  readonly at?: number;
}) {
  const size = useLogSize(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the index is read again when the log has grown
  const call = useMemo(() => insideCall(log, index, request), [log, index, request, size]);
  if (call.spans.length === 0 && call.logs.length === 0) return null;
  const { what, about } = rowLabel(log.row(call.requests[0]! - 1));
  const title = visibleText([what, about].filter(Boolean).join(' ').slice(0, 200));
  return (
    <section aria-label="Inside the server" className="@container flex min-w-0 flex-col gap-1">
      <div className="flex min-h-6 min-w-0 flex-wrap items-baseline gap-x-3">
        <h3 className="shrink-0 font-medium">Inside the server</h3>
        <Slowest log={log} call={call} />
        <Counts call={call} />
      </div>
      {call.spans.length > 0 && (
        <>
          <SpanWaterfall log={log} call={call} title={title} at={at} />
          <Notes call={call} />
        </>
      )}
    </section>
  );
}

/** Names the slowest part, and links to it. */
function Slowest({ log, call: { slowest, sentAt, endedAt } }: { readonly log: Log; readonly call: InsideCall }) {
  if (!slowest) return null;
  const whole = endedAt === undefined ? undefined : endedAt - sentAt;
  const share = whole ? ` (${Math.min(100, Math.round((slowest.us / whole) * 100))}%)` : '';
  if ('outside' in slowest) {
    return (
      <span className="text-muted">
        Mostly outside of spans: <span className="tabular">{formatDuration(slowest.us) + share}</span>
      </span>
    );
  }
  const { span, us } = slowest;
  const subject = log.hasBytes(span.seq) ? subjectOf(log.bytes(span.seq - 1)) : undefined;
  return (
    <span className="flex max-w-full min-w-0 items-baseline gap-x-1.5 text-muted">
      <span className="shrink-0">Slowest part:</span>
      <button type="button" className="min-w-0 truncate text-link" onClick={() => navigate({ frame: span.seq })}>
        <bdi className="font-mono text-wire">{visibleText(shortened(span.name)) || '(no name)'}</bdi>
        {subject !== undefined && <bdi className="ml-1.5 font-mono text-wire">{visibleText(shortened(subject))}</bdi>}
      </button>
      <span className="tabular shrink-0">{formatDuration(us) + share}</span>
    </span>
  );
}

function Counts({ call: { requests, spans, left, logs } }: { readonly call: InsideCall }) {
  const failed = spans.filter(({ span }) => span.failed).length;
  const services = new Set(spans.map(({ span }) => span.service).filter((service) => service !== '')).size;
  const parts: ReactNode[] = [
    spans.length > 0 && countOf(spans.length + left, 'span'),
    services > 1 && countOf(services, 'service'),
    failed > 0 && <span className="text-error">{failed} failed</span>,
    logs.length > 0 && (
      <button type="button" className="text-link" onClick={() => navigate({ filter: logsOfCall(requests[0]!) })}>
        {countOf(logs.length, 'log record')}
      </button>
    ),
  ].filter(Boolean);
  return (
    <span className="ml-auto flex shrink-0 gap-x-2 text-small text-muted">
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
        <span key={at}>{part}</span>
      ))}
    </span>
  );
}

/** Says what is not certain about the waterfall. */
function Notes({ call: { spans, left, moved } }: { readonly call: InsideCall }) {
  const tops = spans.filter(({ depth }) => depth === 0);
  const has = (test: (top: PlacedSpan) => boolean) => tops.some(test);
  const notes = [
    has(({ by }) => by === 'time') &&
      'By time: the span names no trace of this call, which was the only one in flight when it started.',
    has(({ lacksParent, by }) => lacksParent && by === 'trace') &&
      'No parent: the span above it has not arrived. It belongs to the newest request of its trace.',
    ...[...moved].map(
      ([service, us]) =>
        `The clock of ${shortened(service) || 'a service'} is ${formatDuration(Math.abs(us))} ${us < 0 ? 'ahead' : 'behind'}, so its bars are moved.`,
    ),
    left > 0 && `${countOf(left, 'more span')} left out. Filter the log to see them.`,
  ].filter((note) => note !== false);
  return notes.map((note) => (
    <p key={note} className="text-small break-words text-muted">
      {visibleText(note)}
    </p>
  ));
}

function shortened(name: string): string {
  return name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS)}…` : name;
}
