import { readHttpFrame } from '@/lib/wire/http-frame';
import { HARMLESS_ENDS, type HttpExchange } from '../exchanges/http-exchanges';
import { httpLabel } from './http-label';
import { previewLine } from './labels';
import type { HttpRow } from './row';
import { statusSeverity } from './severity';

/** What the row of the http frame `seq` shows. `text` is the frame's; `exchange` the one it is part of. */
export function httpRow(seq: number, text: string, exchange: HttpExchange | undefined): HttpRow {
  const frame = readHttpFrame(text);
  if (!frame) return { ...NOTHING, what: previewLine(text) };
  const { what, about } = httpLabel(frame);
  const status = statusOf(seq, exchange);
  const expected = exchange?.expected ?? false;
  return {
    kind: frame.kind,
    what: previewLine(what),
    about: about === undefined ? undefined : previewLine(about),
    status,
    bad: status === undefined || expected ? undefined : statusSeverity(status, exchange?.method),
    bytes: 'bytes' in frame && frame.bytes > 0 ? frame.bytes : undefined,
    over: exchange !== undefined && (exchange.ends.at(-1) ?? 0) > (exchange.requests.at(-1) ?? 0),
    expected: expected && (frame.kind === 'response' || (frame.kind === 'end' && !EXPLAINED.has(frame.code))),
  };
}

/** Ends whose words say that nothing failed. */
const EXPLAINED: ReadonlySet<string | undefined> = new Set([...HARMLESS_ENDS, 'session-lost']);

const NOTHING = {
  kind: undefined,
  about: undefined,
  status: undefined,
  bad: undefined,
  bytes: undefined,
  over: false,
  expected: false,
};

/** The status of HTTP that the http frame `seq` shows: a response's own, and a request's once its answer came. */
export function statusOf(seq: number, exchange: HttpExchange | undefined): number | undefined {
  if (!exchange) return undefined;
  const place = exchange.requests.includes(seq) ? exchange.requests.indexOf(seq) : exchange.responses.indexOf(seq);
  return place < 0 ? undefined : exchange.statuses[place];
}

/**
 * The frames between which the duration of http frame `seq` is measured: of a request to the end of all it asked for, of
 * what comes back from the request. undefined while that is not known, and for events, which have none.
 */
export function httpSpan(seq: number, exchange: HttpExchange): readonly [from: number, to: number] | undefined {
  const { requests, responses, ends } = exchange;
  const place = requests.indexOf(seq);
  if (place >= 0) {
    const answer = responses[place];
    const last = ends.at(-1);
    // What ended an earlier try is not the end of this one.
    const over = last !== undefined && last > seq ? last : exchange.streams ? undefined : answer;
    const end = place === requests.length - 1 ? over : answer;
    return end === undefined ? undefined : [seq, end];
  }
  const request = requests[responses.indexOf(seq)] ?? (seq === ends.at(-1) ? requests.at(-1) : undefined);
  return request === undefined ? undefined : [request, seq];
}
