import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { TextOrJson } from '@/components/untrusted/text-or-json';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/location';
import { type BytesState, useFrameBytes } from '@/lib/hooks/log';
import { headerOf } from '@/lib/store/exchanges/http-exchanges';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { rowLabel } from '@/lib/store/rows/row-text';
import { describeCorsProbe } from '@/lib/wire/cors';
import { countOf, formatBytes, formatDuration } from '@/lib/wire/format';
import { type HttpFrame, MASK, readHttpFrame } from '@/lib/wire/http-frame';
import { rowStatus } from '../labels';
import { HttpHeaders, MaskedValue, SocketFacts } from './http-headers';

interface HttpViewProps {
  readonly log: Log;
  readonly row: Row;
  readonly onSelect: (seq: number) => void;
}

/** The HTTP tab: an HTTP frame itself, or the request and response that carried a message. */
export function HttpView({ log, row, onSelect }: HttpViewProps) {
  const exchange = log.httpExchange(row.exchange);
  const heads = [exchange?.requests.at(-1), exchange?.responses.at(-1)].filter((seq) => seq !== undefined);
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      {row.http ? (
        <HttpFrameView key={row.seq} log={log} row={row} onSelect={onSelect} />
      ) : (
        <>
          <CarriedBy log={log} row={row} onSelect={onSelect} />
          <div className="flex min-w-0 flex-col gap-3 p-2">
            {exchange && <HttpExchangeFrames log={log} number={exchange.number} at={row.seq} onSelect={onSelect} />}
            {heads.map((seq) => (
              <HttpFrameHead key={seq} log={log} row={log.row(seq - 1)} />
            ))}
          </div>
        </>
      )}
    </div>
  );
}

/** Links a message to the HTTP request, response or stream event that carried it. */
function CarriedBy({ log, row, onSelect }: HttpViewProps) {
  const exchange = log.httpExchange(row.exchange);
  const request = exchange?.requests.at(-1);
  if (!exchange || request === undefined) return null;
  const carrier = readHttpFrame(log.text(row.seq - 2));
  const { what } = log.row(request - 1).http ?? { what: 'HTTP' };
  const response = row.direction === 'to-client' ? exchange.responses.at(-1) : undefined;
  return (
    <p className="flex shrink-0 flex-wrap gap-x-3 border-b border-line px-2 py-1 text-muted">
      <span>
        {row.direction === 'to-server' ? 'Sent in' : 'Received in'} HTTP exchange {exchange.number}:{' '}
        <Link seq={request} words={what} onSelect={onSelect} />
      </span>
      {response !== undefined && <Link seq={response} words={`${exchange.statuses.at(-1)}`} onSelect={onSelect} />}
      {carrier?.kind === 'sse' && (
        <Link
          seq={row.seq - 1}
          words={carrier.id === undefined ? 'stream event' : `event id ${carrier.id.slice(0, 100)}`}
          onSelect={onSelect}
        />
      )}
    </p>
  );
}

function Link({ seq, words, onSelect }: { seq: number; words: string; onSelect: (seq: number) => void }) {
  return (
    <button type="button" onClick={() => onSelect(seq)} className="text-link">
      <bdi>{visibleText(words)}</bdi> #{seq}
    </button>
  );
}

/** Most messages to list; the filter finds the others. */
const MAX_MESSAGES = 12;

/** Links to the frames of an HTTP exchange: requests, responses, how it ended, and the messages it carried. */
function HttpExchangeFrames({
  log,
  number,
  at,
  onSelect,
}: {
  readonly log: Log;
  readonly number: number;
  /** seq of the frame in view, which is not a link. */
  readonly at: number;
  readonly onSelect: (seq: number) => void;
}) {
  const exchange = log.httpExchange(number);
  if (!exchange) return null;
  const { requests, responses, ends, messages } = exchange;
  const frames = [...requests, ...responses, ...ends];
  return (
    <section aria-label={`HTTP exchange ${number}`} className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3">
        <h3 className="font-medium">HTTP exchange {number}</h3>
        <button
          type="button"
          className="text-link"
          onClick={() => navigate({ filter: `exchange:${number}`, http: true })}
        >
          Show all frames
        </button>
      </div>
      <ol className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 font-mono text-wire">
        {[...frames, ...messages.slice(0, MAX_MESSAGES)]
          .sort((a, b) => a - b)
          .map((seq) => (
            <Line key={seq} log={log} seq={seq} here={seq === at} onSelect={onSelect} />
          ))}
      </ol>
      {messages.length > MAX_MESSAGES && (
        <p className="text-muted">and {countOf(messages.length - MAX_MESSAGES, 'more message')}</p>
      )}
    </section>
  );
}

function Line({
  log,
  seq,
  here,
  onSelect,
}: {
  readonly log: Log;
  readonly seq: number;
  readonly here: boolean;
  readonly onSelect: (seq: number) => void;
}) {
  const row = log.row(seq - 1);
  const { what, about } = rowLabel(row);
  const status = rowStatus(row);
  return (
    <li className="col-span-2 grid grid-cols-subgrid">
      {here ? (
        <span className="text-muted">#{seq}</span>
      ) : (
        <button type="button" className="tabular text-left text-link" onClick={() => onSelect(seq)}>
          #{seq}
        </button>
      )}
      <span className={here ? 'truncate font-medium' : 'truncate'}>
        {visibleText(what.slice(0, 200))}{' '}
        {status && row.http?.kind === 'response' && <span className={status.colour}>{status.words} </span>}
        {about !== undefined && <bdi className="text-muted">{visibleText(about.slice(0, 200))}</bdi>}
        {row.durationUs !== undefined && row.direction === 'to-client' && (
          <span className="tabular ml-2 text-muted">{formatDuration(row.durationUs)}</span>
        )}
      </span>
    </li>
  );
}

/** Largest message to show together with its headers, in bytes. */
const MAX_SHOWN_BYTES = 200_000;

const NONE: readonly number[] = [];

/** Shown instead of a message, by the state of its bytes. */
const WHERE = {
  here: 'select it to see it',
  coming: 'loading',
  gone: 'no longer available',
} as const satisfies Record<BytesState, string>;

interface FrameProps {
  readonly log: Log;
  readonly row: Row;
}

/** An HTTP frame: its exchange, its headers and its body. */
export function HttpFrameView({ log, row, onSelect }: FrameProps & { readonly onSelect: (seq: number) => void }) {
  const frame = readHttpFrame(log.text(row.seq - 1));
  return (
    <div className="flex min-w-0 flex-col gap-3 p-2">
      {row.exchange !== undefined && (
        <HttpExchangeFrames log={log} number={row.exchange} at={row.seq} onSelect={onSelect} />
      )}
      {frame ? (
        <Content log={log} row={row} frame={frame} />
      ) : (
        <TextOrJson text={log.text(row.seq - 1)} heading={<Heading>Frame</Heading>} />
      )}
      <Message log={log} row={row} />
    </div>
  );
}

/** The request or status line of an HTTP frame, with its header fields. */
function HttpFrameHead({ log, row }: FrameProps) {
  const frame = readHttpFrame(log.text(row.seq - 1));
  switch (frame?.kind) {
    case 'request':
      return (
        <>
          <p className="font-mono text-wire break-all">
            <span className="font-medium">{frame.method}</span> <UntrustedText text={frame.url} limit={2000} />{' '}
            <CopyButton text={() => frame.url} label="Copy URL" />
            {frame.url.includes(MASK) && (
              <MaskedValue connection={log.connection} seq={row.seq} field="url" what="URL" />
            )}
          </p>
          <HttpHeaders title="Request headers" connection={log.connection} seq={row.seq} headers={frame.headers} />
        </>
      );
    case 'response':
      return (
        <>
          <p className="font-mono text-wire">
            HTTP {frame.status} <UntrustedText text={headerOf(frame.headers, 'content-type') ?? ''} limit={200} />
          </p>
          {frame.partial && (
            <p className="text-muted">
              There may be more: a page sees only headers named in Access-Control-Expose-Headers.
            </p>
          )}
          <HttpHeaders title="Response headers" connection={log.connection} seq={row.seq} headers={frame.headers} />
        </>
      );
    default:
      return null;
  }
}

function Content({ log, row, frame }: FrameProps & { readonly frame: HttpFrame }) {
  switch (frame.kind) {
    case 'request':
      return (
        <>
          <HttpFrameHead log={log} row={row} />
          <SentBody log={log} row={row} />
        </>
      );
    case 'response':
      return (
        <>
          <HttpFrameHead log={log} row={row} />
          <BodyOf log={log} row={row} />
        </>
      );
    case 'socket':
      return <SocketFacts frame={frame} />;
    case 'cors-probe':
      return <p>CORS check: {visibleText(describeCorsProbe(frame))}.</p>;
    case 'body':
      return frame.text === undefined ? null : <TextOrJson text={frame.text} heading={<Heading>Body</Heading>} />;
    case 'sse':
      return <EventFacts frame={frame} />;
    case 'end':
      return (
        <p>
          {visibleText(row.http?.what ?? '')}
          {frame.message !== undefined && (
            <>
              : <UntrustedText text={frame.message} />
            </>
          )}
        </p>
      );
  }
}

/** The fields of a stream event. */
function EventFacts({ frame }: { readonly frame: Extract<HttpFrame, { kind: 'sse' }> }) {
  const { event, id, retry, comment, data } = frame;
  const fields = [
    ['event', event],
    ['id', id],
    ['retry', retry === undefined ? undefined : `${retry} ms`],
    ['comment', comment],
    ['data', data],
  ] as const;
  return (
    <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-2 font-mono text-wire">
      {fields.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="break-all">{value === '' ? '(empty)' : <UntrustedText text={value} />}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A request body that is not a message. Its frame follows the request. */
function SentBody({ log, row }: FrameProps) {
  const next = row.seq < log.size ? log.row(row.seq) : undefined;
  const sent = next?.direction === 'to-server' && next.exchange === row.exchange && next.http?.kind === 'body';
  const frame = next && sent ? readHttpFrame(log.text(next.seq - 1)) : undefined;
  return next && frame ? <Content log={log} row={next} frame={frame} /> : null;
}

/** The body of a response, which is a separate frame. */
function BodyOf({ log, row }: FrameProps) {
  const end = log.httpExchange(row.exchange)?.ends[0];
  const body = end === undefined || end < row.seq ? undefined : log.row(end - 1);
  const frame = body?.http?.kind === 'body' ? readHttpFrame(log.text(body.seq - 1)) : undefined;
  if (!body || !frame) return null;
  return (
    <>
      <Content log={log} row={body} frame={frame} />
      <Message log={log} row={body} />
    </>
  );
}

/** The message in the next frame, which is the body or the event's data. */
function Message({ log, row }: FrameProps) {
  const next = row.seq < log.size ? log.row(row.seq) : undefined;
  const isCarried = next?.channel === 'protocol' && next.exchange !== undefined && next.exchange === row.exchange;
  const isShown = isCarried && next.bytes <= MAX_SHOWN_BYTES;
  const bytes = useFrameBytes(log, isShown ? [next.seq] : NONE);
  if (!isCarried) return null;
  const json = isShown ? log.json(next.seq - 1) : undefined;
  return (
    <section aria-label="Body" className="min-w-0">
      <Heading>{row.http?.kind === 'sse' ? 'Data' : 'Body'}</Heading>
      {json ? (
        <JsonTree json={json} />
      ) : (
        <p className="text-muted">
          Message #{next.seq}, {formatBytes(next.bytes)}: {WHERE[bytes]}.
        </p>
      )}
    </section>
  );
}

function Heading({ children }: { readonly children: ReactNode }) {
  return <h3 className="font-medium">{children}</h3>;
}
