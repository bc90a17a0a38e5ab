import { METHOD } from '@/lib/wire/protocol-names';
import type { Log } from '../log';
import type { Row, RowStatus } from './row';

/** A time interval in microseconds since the connection started. `to` is undefined while it is open. */
export interface TimeInterval {
  readonly from: number;
  readonly to: number | undefined;
}

/** One request of a time span. */
export interface TimeSpanPart extends TimeInterval {
  readonly status: RowStatus | undefined;
}

/**
 * The time span of a row in the waterfall. A request has parts: itself, its retries and the polls of its task. A retry
 * or poll has the same `whole`, and only its own part.
 */
export interface TimeSpan {
  /** From the first to the last part; undefined for a single frame. */
  readonly whole: TimeInterval | undefined;
  readonly parts: readonly TimeSpanPart[];
  /** Requests from the server in the meantime. */
  readonly asked: readonly TimeSpanPart[];
  /** Times of its notifications. */
  readonly ticks: readonly number[];
  /** Time of the frame, if it is not a part. */
  readonly at: number | undefined;
}

/** Most members of a request that are read. Older members are left out. */
const MOST = 256;

/**
 * Returns the time span of a row. Reads at most `MOST` members. `wholes` keeps the spans of whole requests by seq, for
 * rows that are drawn together.
 */
export function timeSpanOf(log: Log, row: Row, wholes = new Map<number, TimeInterval>()): TimeSpan {
  const owner = log.relations.ownerOf(row.seq);
  const around = owner === undefined ? undefined : (wholes.get(owner) ?? wholeOf(log, log.row(owner - 1)));
  if (owner !== undefined && around) wholes.set(owner, around);
  if (row.kind === 'request') {
    return owner === undefined ? requestSpan(log, row) : { ...NOTHING, whole: around, parts: [partOf(log, row)] };
  }
  if (around) return { ...NOTHING, whole: around, at: row.time };
  if (row.kind === 'batch' && row.status !== undefined) return { ...NOTHING, parts: [partOf(log, row)] };
  if (row.kind === 'http' && row.http?.kind === 'request') return { ...NOTHING, parts: [httpPart(row)] };
  const { durationUs, time, peer, kind } = row;
  if (durationUs === undefined) return { ...NOTHING, at: time };
  const from = peer === undefined || kind === 'http' ? time - durationUs : log.columns.time(peer - 1);
  return { ...NOTHING, whole: { from, to: time }, at: time };
}

const NOTHING = { whole: undefined, parts: [], asked: [], ticks: [], at: undefined };

function requestSpan(log: Log, row: Row): TimeSpan {
  const parts: TimeSpanPart[] = [row.isTask ? callPart(log, row) : partOf(log, row)];
  const asked: TimeSpanPart[] = [];
  const ticks: number[] = [];
  for (const seq of log.relations.membersOf(row.seq, MOST)) {
    const member = log.row(seq - 1);
    if (member.kind !== 'request') ticks.push(member.time);
    else (member.direction === 'to-server' ? parts : asked).push(partOf(log, member));
  }
  const whole = row.isTask ? taskInterval(log, row) : parts.length > 1 ? around(parts) : undefined;
  return { whole, parts, asked, ticks, at: undefined };
}

function wholeOf(log: Log, root: Row): TimeInterval {
  return root.isTask ? taskInterval(log, root) : around(requestSpan(log, root).parts);
}

/** From the call to the end of its task. */
function taskInterval({ columns }: Log, { seq, time, status }: Row): TimeInterval {
  const end = columns.taskEnd(seq - 1);
  return { from: time, to: end !== undefined ? columns.time(end - 1) : status === 'pending' ? undefined : time };
}

function around(parts: readonly TimeSpanPart[]): TimeInterval {
  const open = parts.some(({ to }) => to === undefined);
  return { from: parts[0]!.from, to: open ? undefined : Math.max(...parts.map(({ to }) => to!)) };
}

/** The part of a call until its task was started. Polls and the result have their own parts. */
function callPart(log: Log, { time, peer, status }: Row): TimeSpanPart {
  return {
    from: time,
    to: peer === undefined ? time : log.columns.time(peer - 1),
    status: status === 'pending' ? 'ok' : status,
  };
}

function partOf(log: Log, row: Row): TimeSpanPart {
  const { time, peer, givenUpAt, status } = row;
  // A response that was held ends it when it was passed on, as its own row says.
  const to = peer === undefined ? givenUpAt : log.columns.time(peer - 1);
  return {
    from: time,
    // A request without an id gets no response, so it is not open.
    to: to ?? (status === 'pending' ? undefined : time),
    status: isQuietSubscription(row) ? undefined : status,
  };
}

/** True for a subscription that is open or that the client has ended: it is neither waited for nor a failure. */
export function isQuietSubscription({ method, status }: Partial<Pick<Row, 'method' | 'status'>>): boolean {
  return method === METHOD.listen && (status === 'pending' || status === 'cancelled');
}

function httpPart({ time, durationUs, http }: Row): TimeSpanPart {
  const open = durationUs === undefined && http?.ended !== true;
  return { from: time, to: open ? undefined : time + (durationUs ?? 0), status: http?.severity ? 'error' : undefined };
}
