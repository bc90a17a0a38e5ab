import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/copy-button';
import { JsonTree } from '@/components/untrusted/json-tree';
import { TextOrJson } from '@/components/untrusted/text-or-json';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { type BytesState, useFrameBytes } from '@/lib/hooks/use-frame-bytes';
import { headerValue } from '@/lib/store/http-words';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { corsProbeWords } from '@/lib/wire/cors-probe';
import { formatBytes } from '@/lib/wire/format-bytes';
import { type HttpFrame, MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import { readHttpFrame } from '@/lib/wire/read-http-frame';
import { HttpHeaders } from './http-headers';
import { HttpPlace } from './http-place';
import { Secret } from './secret';
import { SocketFacts } from './socket-facts';

/** A longer message is not shown beside its headers, only by itself. */
const SHOWN_BYTES = 200_000;

const NONE: readonly number[] = [];

/** In the place of a message that is not shown. */
const WHERE = {
  here: 'select it to see it',
  coming: 'it is on its way',
  gone: 'it can not be had any more',
} as const satisfies Record<BytesState, string>;

interface Part {
  readonly log: Log;
  readonly row: Row;
}

/** An http frame as people read it: where it stands in its exchange, its headers, and what it carried. */
export function HttpDetail({ log, row, onSelect }: Part & { readonly onSelect: (seq: number) => void }) {
  const frame = readHttpFrame(log.text(row.seq - 1));
  return (
    <div className="flex min-w-0 flex-col gap-3 p-2">
      {row.exchange !== undefined && <HttpPlace log={log} number={row.exchange} at={row.seq} onSelect={onSelect} />}
      {frame ? (
        <Content log={log} row={row} frame={frame} />
      ) : (
        <TextOrJson text={log.text(row.seq - 1)} heading={<Heading>Frame</Heading>} />
      )}
      <Message log={log} row={row} />
    </div>
  );
}

/** The request or response line of an http frame with its header fields. */
export function HttpHead({ log, row }: Part) {
  const frame = readHttpFrame(log.text(row.seq - 1));
  switch (frame?.kind) {
    case 'request':
      return (
        <>
          <p className="font-mono text-wire break-all">
            <span className="font-medium">{frame.method}</span> <UntrustedText text={frame.url} limit={2000} />{' '}
            <CopyButton text={() => frame.url} label="Copy URL" />
            {frame.url.includes(MASK) && <Secret connection={log.connection} seq={row.seq} field="url" what="URL" />}
          </p>
          <Fields title="Request headers" log={log} row={row} headers={frame.headers} />
        </>
      );
    case 'response':
      return (
        <>
          <p className="font-mono text-wire">
            HTTP {frame.status} <UntrustedText text={headerValue(frame.headers, 'content-type') ?? ''} limit={200} />
          </p>
          {frame.partial && (
            <p className="text-muted">
              A page sees only what the server exposes by Access-Control-Expose-Headers; there may be more.
            </p>
          )}
          <Fields title="Response headers" log={log} row={row} headers={frame.headers} />
        </>
      );
    default:
      return null;
  }
}

function Content({ log, row, frame }: Part & { readonly frame: HttpFrame }) {
  switch (frame.kind) {
    case 'request':
      return (
        <>
          <HttpHead log={log} row={row} />
          <SentBody log={log} row={row} />
        </>
      );
    case 'response':
      return (
        <>
          <HttpHead log={log} row={row} />
          <BodyOf log={log} row={row} />
        </>
      );
    case 'socket':
      return <SocketFacts frame={frame} />;
    case 'cors-probe':
      return <p>CORS check: {corsProbeWords(frame)}.</p>;
    case 'body':
      return frame.text === undefined ? null : <TextOrJson text={frame.text} heading={<Heading>Body</Heading>} />;
    case 'sse':
      return <EventFacts frame={frame} />;
    case 'end':
      return (
        <p>
          {row.http?.what}
          {frame.message !== undefined && (
            <>
              : <UntrustedText text={frame.message} />
            </>
          )}
        </p>
      );
  }
}

function Fields({ title, log, row, headers }: Part & { readonly title: string; readonly headers: ShownHeaders }) {
  return <HttpHeaders title={title} connection={log.connection} seq={row.seq} headers={headers} />;
}

/** The fields of an event as the stream had them. */
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

/** A body of ours that is no message: its frame comes right behind the request. */
function SentBody({ log, row }: Part) {
  const next = row.seq < log.size ? log.row(row.seq) : undefined;
  const sent = next?.direction === 'to-server' && next.exchange === row.exchange && next.http?.kind === 'body';
  const frame = next && sent ? readHttpFrame(log.text(next.seq - 1)) : undefined;
  return next && frame ? <Content log={log} row={next} frame={frame} /> : null;
}

/** The body of a response, which is a frame of its own. */
function BodyOf({ log, row }: Part) {
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

/** The message right behind it, which is its body or its data. */
function Message({ log, row }: Part) {
  const next = row.seq < log.size ? log.row(row.seq) : undefined;
  const isCarried = next?.channel === 'protocol' && next.exchange !== undefined && next.exchange === row.exchange;
  const isShown = isCarried && next.bytes <= SHOWN_BYTES;
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
