import type { Channel, Direction } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { RequestId } from '@/lib/wire/message';
import type { InterceptedMessage } from '../exchanges/interceptions';
import type { PrintedObject } from '../exchanges/printed-objects';
import type { RowSeverity } from './severity';

/**
 * Kinds of frames. `junk`: bytes on the protocol channel that are not a JSON-RPC message, including empty lines and
 * parts of over-long lines. `error`: a response with an `error`. `http`: HTTP details. `note`: a note that a person
 * added. `other`: a frame of another channel, such as telemetry. The order is the column's encoding.
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
  'other',
] as const;
export type RowKind = (typeof KINDS)[number];

/**
 * Outcomes of requests. `tool-error`: a result with `isError: true`. `timeout`: the client stopped waiting. `lost`: the
 * server stopped before it answered. `refused`: an expected refusal, such as that of auto mode's probe. The order is
 * the column's encoding; 0 is none.
 */
export const ROW_STATUSES = [
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
export type RowStatus = Exclude<(typeof ROW_STATUSES)[number], undefined>;

/** The part of a row that only http frames have. */
export interface HttpRow {
  /** The event as a title. Server text. */
  readonly what: string;
  /** Details. Server text. */
  readonly about: string | undefined;
  /** undefined if the frame is unreadable. */
  readonly kind: HttpFrame['kind'] | undefined;
  /** HTTP status; for a request, that of its response. */
  readonly status: number | undefined;
  /** Severity of the status. */
  readonly severity: RowSeverity | undefined;
  /** Size of its body in bytes. */
  readonly bytes: number | undefined;
  /** True if its exchange has ended. */
  readonly ended: boolean;
  /** True if it belongs to an expected refusal. */
  readonly expectedRefusal: boolean;
}

/** One row of the message log: the facts about a frame that are known without reading its whole text. */
export interface Row {
  readonly seq: number;
  /** Microseconds since the connection started, measured at the tap. */
  readonly time: number;
  readonly direction: Direction;
  readonly channel: Channel;
  readonly kind: RowKind;
  /** A paired response has the method of its request. Telemetry has `span`, `log`, `metric` or `resource`. */
  readonly method: string | undefined;
  /**
   * Tool, prompt or uri; for a response, that of its request, or the server's name. For junk, stderr, lifecycle, http
   * and other frames, a short text. Server text.
   */
  readonly name: string | undefined;
  /** undefined if missing or of an invalid type. */
  readonly id: RequestId | null | undefined;
  /** Outcome of a request or a response. A result without a request has none. */
  readonly status: RowStatus | undefined;
  /** HTTP status of 300 or more that a request with status `lost` got instead of a response. */
  readonly refusedWith: number | undefined;
  /** Severity of a lifecycle or http frame. */
  readonly severity: RowSeverity | undefined;
  /** For http frames only. */
  readonly http: HttpRow | undefined;
  /** Number of its HTTP exchange. */
  readonly exchange: number | undefined;
  /**
   * Microseconds from request to response, on both rows, without the time for which a person held the response.
   * For http frames: from a request to the end of its exchange, or from the request to a response.
   */
  readonly durationUs: number | undefined;
  /** True for a call that started a task. Its status and duration are those of the task. */
  readonly isTask: boolean;
  /** When a request was given up, in microseconds since the connection started. */
  readonly givenUpAt: number | undefined;
  /** Size of the frame in bytes. */
  readonly bytes: number;
  /** seq of the matching request or response. For progress and cancelled notifications, the request they are about. */
  readonly peer: number | undefined;
  /**
   * For an unanswered request: seq of a frame that looks like its response but cannot be paired. For that frame: seq of
   * the request.
   */
  readonly unmatched: number | undefined;
  /** The printed object that contains this line. The row of its first line represents it. */
  readonly printed: PrintedObject | undefined;
  /** The equal notifications that fold into the row of the first of them. */
  readonly equals: { readonly first: number; readonly count: number } | undefined;
  /** True for a response whose request, `peer`, was already answered. */
  readonly isSecondAnswer: boolean;
  /** Set for the frames of a message that was intercepted, its events included. */
  readonly intercepted: InterceptedMessage | undefined;
  /** Bits of `FLAG` in `wire/frame`. */
  readonly flags: number;
  readonly invalidUtf8: boolean;
}
