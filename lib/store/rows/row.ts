import type { RequestId } from '@/lib/json/value';
import type { Channel, Direction } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { PrintedObject } from '../exchanges/printed-objects';
import type { HttpLabel } from './http-label';
import type { Severity } from './severity';

/**
 * What a frame is. `junk`: bytes on the protocol channel that are no JSON-RPC message (not JSON, JSON of another shape,
 * an empty line, a part of an over-long line). `error`: a response with an `error`. `http`: what happens around messages on
 * HTTP. `note`: what people said afterwards. Order is the column's encoding.
 */
export const KINDS = [
  'request',
  'response',
  'notification',
  'error',
  'batch',
  'junk',
  'stderr',
  'lifecycle',
  'http',
  'note',
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * How a request went. `tool-error`: a result with `isError: true`. `timeout`: we gave up waiting. `lost`: the server was
 * gone before it answered. `refused`: auto mode asked, and the refusal is what such a server answers: no failure. Order is the
 * column's encoding; 0 is none.
 */
export const STATUSES = [
  undefined,
  'pending',
  'ok',
  'error',
  'tool-error',
  'cancelled',
  'timeout',
  'lost',
  'refused',
] as const;
export type Status = Exclude<(typeof STATUSES)[number], undefined>;

/** What a row of an http frame shows. */
export interface HttpRow extends HttpLabel {
  /** undefined: it is none that can be read. */
  readonly kind: HttpFrame['kind'] | undefined;
  /** Of the answer: of a request once that came. */
  readonly status: number | undefined;
  /** How bad that status is. */
  readonly bad: Severity | undefined;
  /** Of the body that it has or tells of. */
  readonly bytes: number | undefined;
  /** Its exchange is over. */
  readonly over: boolean;
  /** It is about a refusal that was expected. */
  readonly expected: boolean;
}

/** One line of the message log: what can be known of a frame without looking at its whole text. */
export interface Row {
  readonly seq: number;
  /** Microseconds since the connection began, taken at the tap. */
  readonly time: number;
  readonly direction: Direction;
  readonly channel: Channel;
  readonly kind: Kind;
  /** Of an answer: the request's, once they are paired. */
  readonly method: string | undefined;
  /**
   * Tool, prompt, uri…; of an answer that of its request; of junk, stderr, lifecycle and http frames a short text (the start
   * of the first line that isn't blank, or what happened), to be shown as any text of a server.
   */
  readonly name: string | undefined;
  /** Of a log or progress notification whose bytes are here: what it says, to be shown as any text of a server. */
  readonly says: string | undefined;
  /** undefined: none, or one that is neither string, number nor null. */
  readonly id: RequestId | null | undefined;
  /** Of a request how it went; of an answer what it says. A result that answers no request has none. */
  readonly status: Status | undefined;
  /** Of a lifecycle or http frame: how bad it is. */
  readonly severity: Severity | undefined;
  /** Of an http frame. */
  readonly http: HttpRow | undefined;
  /** Number of the HTTP exchange that it is part of, or travelled on. */
  readonly exchange: number | undefined;
  /**
   * Request to answer, between the taps, in microseconds; on both halves. On HTTP, of a request to the end of its exchange,
   * of what comes back since the request.
   */
  readonly durationUs: number | undefined;
  /** Of a request that was given up: when, in microseconds since the connection began. */
  readonly givenUpAt: number | undefined;
  /** Length of the frame in bytes. */
  readonly bytes: number;
  /** seq of the other half: answer ⇄ request; of progress and cancelled notifications the request they are about. */
  readonly peer: number | undefined;
  /**
   * For a request without an answer: seq of a frame that looks like the answer but can't be paired with it. For such a
   * frame: seq of the request.
   */
  readonly unmatched: number | undefined;
  /** The object printed over several lines that it is a line of. The row of the first line stands for all of it. */
  readonly printed: PrintedObject | undefined;
  /** Of an answer: its request, `peer`, has had another one before. */
  readonly repeats: boolean;
  /** Bits of FLAG in wire/frame. */
  readonly flags: number;
  readonly invalidUtf8: boolean;
}
