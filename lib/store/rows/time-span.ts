import type { Log } from '../log';
import type { Row, Status } from './row';

/** A stretch of time in microseconds since the connection began. `to` is undefined while it goes on. */
export interface TimeInterval {
  readonly from: number;
  readonly to: number | undefined;
}

/** One request of a span. */
export interface TimeSpanPart extends TimeInterval {
  readonly status: Status | undefined;
}

/**
 * What a row shows on a time axis. A request is its parts: itself, its retries, the polls of its task. Any frame of it shows the
 * `whole`, and of the parts its own.
 */
export interface TimeSpan {
  /** From the first to the last of what belongs together; undefined for a frame that stands alone. */
  readonly whole: TimeInterval | undefined;
  readonly parts: readonly TimeSpanPart[];
  /** What the server asked meanwhile. */
  readonly asked: readonly TimeSpanPart[];
  /** When notifications about it came. */
  readonly ticks: readonly number[];
  /** When the frame itself was seen, where that is no part. */
  readonly at: number | undefined;
}

/** Members of a request that are looked at: the newest. */
const MOST = 256;

/** The span of a row's frame. Costs no more than 256 members. */
export function timeSpanOf(log: Log, row: Row): TimeSpan {
  const owner = log.relations.ownerOf(row.seq);
  const around = owner === undefined ? undefined : wholeOf(log, log.row(owner - 1));
  if (row.kind === 'request') {
    return owner === undefined ? requestSpan(log, row) : { ...NOTHING, whole: around, parts: [partOf(row)] };
  }
  if (around) return { ...NOTHING, whole: around, at: row.time };
  if (row.kind === 'batch' && row.status !== undefined) return { ...NOTHING, parts: [partOf(row)] };
  if (row.kind === 'http' && row.http?.kind === 'request') return { ...NOTHING, parts: [httpPart(row)] };
  const { durationUs, time } = row;
  const whole = durationUs === undefined ? undefined : { from: time - durationUs, to: time };
  return { ...NOTHING, whole, at: time };
}

const NOTHING = { whole: undefined, parts: [], asked: [], ticks: [], at: undefined };

function requestSpan(log: Log, row: Row): TimeSpan {
  const parts: TimeSpanPart[] = [partOf(row)];
  const asked: TimeSpanPart[] = [];
  const ticks: number[] = [];
  for (const seq of log.relations.membersOf(row.seq, MOST)) {
    const member = log.row(seq - 1);
    if (member.kind !== 'request') ticks.push(member.time);
    else (member.direction === 'to-server' ? parts : asked).push(partOf(member));
  }
  return { whole: parts.length > 1 ? around(parts) : undefined, parts, asked, ticks, at: undefined };
}

function wholeOf(log: Log, root: Row): TimeInterval {
  return around(requestSpan(log, root).parts);
}

function around(parts: readonly TimeSpanPart[]): TimeInterval {
  const open = parts.some(({ to }) => to === undefined);
  return { from: parts[0]!.from, to: open ? undefined : Math.max(...parts.map(({ to }) => to!)) };
}

function partOf({ time, durationUs, givenUpAt, status }: Row): TimeSpanPart {
  const to = durationUs === undefined ? givenUpAt : time + durationUs;
  // Without an id it gets no answer, so there is nothing to wait for.
  return { from: time, to: to ?? (status === 'pending' ? undefined : time), status };
}

function httpPart({ time, durationUs, http }: Row): TimeSpanPart {
  const open = durationUs === undefined && http?.over !== true;
  return { from: time, to: open ? undefined : time + (durationUs ?? 0), status: http?.bad ? 'error' : undefined };
}
