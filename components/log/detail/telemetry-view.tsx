import { type ReactNode, useMemo } from 'react';
import InsideServer from '@/components/exchange/inside/inside-server';
import { Badge } from '@/components/ui/badge';
import { CopyButton } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { LongText } from '@/components/untrusted/long-text';
import { TextOrJson } from '@/components/untrusted/text-or-json';
import { useSpanIndex } from '@/lib/hooks/telemetry';
import { useLogTimes } from '@/lib/hooks/times';
import { JsonSource } from '@/lib/json/source';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import type { Cause, SpanIndex } from '@/lib/store/telemetry/span-index';
import {
  type LogDetails,
  type MetricDetails,
  type SpanDetails,
  type SpanEvent,
  type UnitDetails,
  unitDetails,
} from '@/lib/store/telemetry/unit-details';
import { formatCount, formatDuration } from '@/lib/wire/format';

/** Events and links of a span that are shown. */
const MOST_SHOWN = 50;
/** Most characters of a label. */
const LABEL_CHARS = 200;

interface ViewProps<Details> {
  readonly log: Log;
  readonly seq: number;
  readonly details: Details;
  readonly index: SpanIndex | undefined;
  readonly onSelect: (seq: number) => void;
}

/** A span, log record, metric or resource: its facts, attributes, and the call that caused it. */
export default function TelemetryView({
  log,
  seq,
  bytes,
  onSelect,
}: {
  readonly log: Log;
  readonly seq: number;
  readonly bytes: Uint8Array;
  readonly onSelect: (seq: number) => void;
}) {
  const details = useMemo(() => unitDetails(bytes), [bytes]);
  const index = useSpanIndex(log);
  if (!details) {
    return <p className="p-2 text-warn">! Not a valid unit of OpenTelemetry. See Pretty or Raw for what it has.</p>;
  }
  const props = { log, seq, index, onSelect };
  return (
    <div className="@container flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      {details.unit === 'span' && <SpanView {...props} details={details} />}
      {details.unit === 'log' && <LogView {...props} details={details} />}
      {details.unit === 'metric' && <MetricView {...props} details={details} />}
      {details.unit === 'resource' && <Attributes title="Resource attributes" json={details.attributesJson} />}
      <Resource log={log} details={details} index={index} onSelect={onSelect} />
    </div>
  );
}

function SpanView({ log, seq, details, index, onSelect }: ViewProps<SpanDetails>) {
  const { name, service, kind, status, statusMessage, traceId, spanId, parentId, dropped, events, links } = details;
  const times = useLogTimes(log);
  const span = index?.span(seq);
  const parent = span && index?.parentOf(span);
  const cause = index?.causeOf(seq);
  return (
    <>
      {status === 'error' && (
        <p className="min-w-0 border-l-2 border-error bg-error/6 px-3 py-1 break-words">
          <span className="font-medium text-error">× Failed</span>
          {statusMessage && <bdi className="ml-2">{visibleText(statusMessage.slice(0, 2000))}</bdi>}
        </p>
      )}
      <Facts>
        <Fact name="Name">
          <bdi className="font-mono text-wire">{visibleText(name)}</bdi>
        </Fact>
        <Fact name="Call">
          <CauseLink log={log} cause={cause} onSelect={onSelect} />
        </Fact>
        <Fact name="Service">{service && <bdi>{visibleText(service)}</bdi>}</Fact>
        <Fact name="Kind">{kind}</Fact>
        <Fact name="Time">
          {span && (
            <span className="tabular">
              {formatDuration(span.us)}, from {times.shown(span.from)}
            </span>
          )}
        </Fact>
        <Fact name="Trace id">
          <Id id={traceId} what="trace id" />
        </Fact>
        <Fact name="Span id">
          <Id id={spanId} what="span id" />
        </Fact>
        <Fact name="Parent id">
          {parentId && (
            <Id id={parentId} what="parent id">
              {parent ? (
                <button type="button" className="min-w-0 truncate text-link" onClick={() => onSelect(parent.seq)}>
                  <bdi>{visibleText(parent.name.slice(0, LABEL_CHARS))}</bdi> #{parent.seq}
                </button>
              ) : (
                <span className="text-muted">{cause?.by === 'parent' ? 'the request' : 'has not arrived'}</span>
              )}
            </Id>
          )}
        </Fact>
        <Fact name="Trace state">{details.traceState && visibleText(details.traceState.slice(0, LABEL_CHARS))}</Fact>
        <Fact name="Left out">{dropped.length > 0 && `${dropped.join(', ')}, by its sender`}</Fact>
      </Facts>
      <Attributes title="Attributes" json={details.attributesJson} />
      <List title="Events" items={events}>
        {(event, at) => <EventItem key={at} event={event} />}
      </List>
      <List title="Links" items={links}>
        {(link, at) => {
          const target = index?.spanOf(link.traceId, link.spanId);
          return (
            <li key={at} className="flex min-w-0 flex-col gap-1 border-t border-line py-1">
              <Id id={link.traceId} what="linked trace id" />
              <Id id={link.spanId} what="linked span id">
                {target && (
                  <button type="button" className="min-w-0 truncate text-link" onClick={() => onSelect(target.seq)}>
                    <bdi>{visibleText(target.name.slice(0, LABEL_CHARS))}</bdi> #{target.seq}
                  </button>
                )}
              </Id>
              <Tree json={link.attributesJson} />
            </li>
          );
        }}
      </List>
      {index && cause && <InsideServer log={log} index={index} request={cause.request} at={span?.seq} />}
    </>
  );
}

/** An event of a span. An exception shows where it was thrown. */
function EventItem({ event: { name, afterUs, exception, attributesJson } }: { readonly event: SpanEvent }) {
  return (
    <li className="flex min-w-0 flex-col gap-1 border-t border-line py-1">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <bdi className="min-w-0 font-mono text-wire break-words">{visibleText(name.slice(0, LABEL_CHARS))}</bdi>
        {afterUs !== undefined && (
          <span className="tabular text-muted" title="Since the start of the span">
            {afterUs < 0 ? '−' : '+'}
            {formatDuration(Math.abs(afterUs))}
          </span>
        )}
      </p>
      {exception && (
        <div className="max-h-80 min-w-0 overflow-auto border-l-2 border-error bg-error/6 px-3 py-1">
          <p className="break-words">{visibleText(exception.title.slice(0, 2000))}</p>
          {exception.stack !== undefined && <LongText text={exception.stack} />}
        </div>
      )}
      <Tree json={attributesJson} />
    </li>
  );
}

function LogView({ log, seq, details, index, onSelect }: ViewProps<LogDetails>) {
  const { severity, service, eventName, traceId, spanId, bodyJson, attributesJson } = details;
  const body = useMemo(() => JsonSource.parse(bodyJson), [bodyJson]);
  const span = index?.spanOf(traceId, spanId);
  const record = index?.record(seq);
  const times = useLogTimes(log);
  return (
    <>
      <Facts>
        <Fact name="Severity">{severity && visibleText(severity.slice(0, LABEL_CHARS))}</Fact>
        <Fact name="Call">
          <CauseLink log={log} cause={index?.causeOf(seq)} onSelect={onSelect} />
        </Fact>
        <Fact name="Service">{service && <bdi>{visibleText(service)}</bdi>}</Fact>
        <Fact name="Time">{record && <span className="tabular">{times.shown(record.from)}</span>}</Fact>
        <Fact name="Event">{eventName && visibleText(eventName.slice(0, LABEL_CHARS))}</Fact>
        <Fact name="Trace id">{traceId && <Id id={traceId} what="trace id" />}</Fact>
        <Fact name="Span id">
          {spanId && (
            <Id id={spanId} what="span id">
              {span && (
                <button type="button" className="min-w-0 truncate text-link" onClick={() => onSelect(span.seq)}>
                  <bdi>{visibleText(span.name.slice(0, LABEL_CHARS))}</bdi> #{span.seq}
                </button>
              )}
            </Id>
          )}
        </Fact>
      </Facts>
      <section aria-label="Body">
        {body?.kind === 'string' ? (
          <TextOrJson text={String(body.value)} heading={<h3 className="font-medium">Body</h3>} />
        ) : (
          body && (
            <>
              <h3 className="font-medium">Body</h3>
              <JsonTree json={body} />
            </>
          )
        )}
      </section>
      <Attributes title="Attributes" json={attributesJson} />
    </>
  );
}

function MetricView({ details }: ViewProps<MetricDetails>) {
  const { name, description, measuredIn, service, dataJson } = details;
  return (
    <>
      <Facts>
        <Fact name="Name">
          <bdi className="font-mono text-wire">{visibleText(name)}</bdi>
        </Fact>
        <Fact name="Description">{description && visibleText(description)}</Fact>
        <Fact name="Unit">{measuredIn && visibleText(measuredIn.slice(0, LABEL_CHARS))}</Fact>
        <Fact name="Service">{service && <bdi>{visibleText(service)}</bdi>}</Fact>
      </Facts>
      <Attributes title="Data" json={dataJson} />
    </>
  );
}

/** The process that sent a unit, and the library that made it. */
function Resource({ log, details, index, onSelect }: Omit<ViewProps<UnitDetails>, 'seq'>) {
  const seq = index?.resource(details.of);
  const json = useMemo(() => {
    const found = seq === undefined || !log.hasBytes(seq) ? undefined : unitDetails(log.bytes(seq - 1));
    return found?.unit === 'resource' ? found.attributesJson : undefined;
  }, [log, seq]);
  if (details.unit === 'resource') return null;
  return (
    <section aria-label="Resource and scope" className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline gap-x-3">
        <h3 className="font-medium">Resource and scope</h3>
        {seq !== undefined && (
          <button type="button" className="tabular text-link" onClick={() => onSelect(seq)}>
            #{seq}
          </button>
        )}
      </div>
      {details.scope && (
        <p className="break-words text-muted">Scope: {visibleText(details.scope.slice(0, LABEL_CHARS))}</p>
      )}
      {json === undefined ? <p className="text-muted">Its resource has not arrived</p> : <Tree json={json} />}
    </section>
  );
}

const BY: Readonly<Record<Cause['by'], string | undefined>> = {
  parent: undefined,
  trace: 'by trace',
  time: 'by time',
};
const WHY: Readonly<Record<Cause['by'], string>> = {
  parent: 'Below the span of the request',
  trace: 'The newest request of the same trace; the span above it has not arrived',
  time: 'It names no trace of a request, and this was the only one in flight',
};

/** The call that caused a unit, and how that is known. */
function CauseLink({
  log,
  cause,
  onSelect,
}: {
  readonly log: Log;
  readonly cause: Cause | undefined;
  readonly onSelect: (seq: number) => void;
}) {
  if (!cause || cause.request > log.size) return <span className="text-muted">no call is known</span>;
  const { what, about } = rowLabel(log.row(cause.request - 1));
  const label = visibleText([what, about].filter(Boolean).join(' ').slice(0, LABEL_CHARS));
  return (
    <span className="inline-flex max-w-full items-baseline gap-2">
      <button
        type="button"
        title="Open the call (o)"
        className="min-w-0 truncate text-link"
        onClick={() => onSelect(cause.request)}
      >
        <bdi>{label}</bdi> <span className="tabular">#{cause.request}</span>
      </button>
      {BY[cause.by] && <Badge title={WHY[cause.by]}>{BY[cause.by]}</Badge>}
    </span>
  );
}

function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="grid min-w-0 grid-cols-[88px_minmax(0,1fr)] gap-x-2 gap-y-1">{children}</dl>;
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === undefined || children === false || children === '') return null;
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

/** An id with a button that copies it. */
function Id({ id, what, children }: { readonly id: string; readonly what: string; readonly children?: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <span className="font-mono text-wire break-all">{id}</span>
      <CopyButton text={() => id} label="Copy" name={`Copy ${what}`} />
      {children}
    </span>
  );
}

function Attributes({ title, json }: { readonly title: string; readonly json: string }) {
  if (json === '{}') return null;
  return (
    <section aria-label={title} className="min-w-0">
      <div className="flex items-center">
        <h3 className="flex-1 font-medium">{title}</h3>
        <CopyButton text={() => json} label="Copy" name={`Copy ${title.toLowerCase()}`} />
      </div>
      <Tree json={json} />
    </section>
  );
}

function Tree({ json }: { readonly json: string }) {
  const source = useMemo(() => JsonSource.parse(json), [json]);
  return source && json !== '{}' ? <JsonTree json={source} /> : null;
}

function List<T>({
  title,
  items,
  children,
}: {
  readonly title: string;
  readonly items: readonly T[];
  readonly children: (item: T, at: number) => ReactNode;
}) {
  if (items.length === 0) return null;
  const left = items.length - MOST_SHOWN;
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="font-medium">
        {title} <span className="font-normal text-muted">{formatCount(items.length)}</span>
      </h3>
      <ul>{items.slice(0, MOST_SHOWN).map(children)}</ul>
      {left > 0 && <p className="text-muted">{formatCount(left)} more in Pretty</p>}
    </section>
  );
}
