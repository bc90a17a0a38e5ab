import type { Era } from '@/lib/wire/lifecycle';
import type { ResumableStream } from './resumable-streams';

/**
 * The messages of a client and a server, ready to be replayed or compared: the client’s in order, each with its
 * consequences. All texts are JSON exactly as recorded. `seq` is a frame number, `time` microseconds since the
 * beginning. `exchange` is the HTTP exchange, or the one whose stream it resumed; 0: none.
 */
export interface RecordedTraffic {
  readonly era: Era;
  /** The negotiated version; undefined if the recording does not say. */
  readonly version: string | undefined;
  /** The first `initialize` (legacy) or `server/discover` (modern) with a result. */
  readonly handshake: RecordedCall | undefined;
  /** Requests and notifications of the client, in order. The client’s answers are with the server’s requests. */
  readonly sent: readonly ClientMessage[];
  /** Messages of the server before the client’s first message. */
  readonly before: readonly ServerEvent[];
  /** Resumable event streams by exchange. */
  readonly streams: ReadonlyMap<number, ResumableStream>;
}

/** A message of the client that can have consequences. */
export type ClientMessage = RecordedCall | RecordedNotification;

interface Recorded {
  readonly seq: number;
  readonly time: number;
  readonly exchange: number;
}

/** A request of the client. */
export interface RecordedCall extends Recorded {
  readonly kind: 'call';
  /** True if it was sent in a batch (2025-03-26). */
  readonly batch: boolean;
  readonly id: string;
  readonly method: string;
  /** Name of a tool or prompt, a uri, or a log level. */
  readonly name: string | undefined;
  readonly params: string | undefined;
  readonly progressToken: string | undefined;
  /** The first answer, even after a cancellation. */
  readonly answer: RecordedAnswer | undefined;
  /** Why there is no answer; undefined if there is one. */
  readonly unanswered: Unanswered | undefined;
  /** Events that belong to the call, up to the answer, in order. */
  readonly during: readonly ServerEvent[];
  /** Events after the answer that no open call could have caused. */
  readonly after: readonly ServerEvent[];
  /** seq of the request whose `input_required` this one continues (2026-07-28). */
  readonly continues: number | undefined;
}

/** A notification of the client. */
export interface RecordedNotification extends Recorded {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: string | undefined;
  readonly after: readonly ServerEvent[];
}

/** The text of a `result` or `error` member. `status`: of the HTTP response. */
export interface RecordedAnswer extends Recorded {
  readonly kind: 'result' | 'error';
  readonly text: string;
  readonly status: number | undefined;
}

/**
 * Why a call has no answer. `open`: the recording ends first. `lost`: the server went away, or the HTTP response has no
 * answer. `status` and `body` are of that response; `body` only if it is not JSON.
 */
export interface Unanswered {
  readonly why: 'cancelled' | 'timeout' | 'lost' | 'open';
  readonly status?: number;
  readonly body?: string;
  /** The frame that showed the reason, and its time in microseconds; absent for `open`. */
  readonly since?: { readonly seq: number; readonly time: number };
}

/** A message of the server that is not an answer. */
export type ServerEvent = ServerNotification | RecordedServerRequest;

export interface ServerNotification extends Recorded {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: string | undefined;
  /** seq of the subscription on whose stream it came (2026-07-28), whatever its cause. */
  readonly stream: number | undefined;
}

/** A request of the server, with the client’s answer. */
export interface RecordedServerRequest extends Recorded {
  readonly kind: 'request';
  readonly id: string;
  readonly method: string;
  readonly params: string | undefined;
  readonly answer: RecordedAnswer | undefined;
}

/**
 * Lists everything the server sent except answers: first the messages before the client’s first one, then those of each
 * client message.
 */
export function* eventsOf({ before, sent }: RecordedTraffic): Generator<ServerEvent> {
  yield* before;
  for (const message of sent) {
    if (message.kind === 'call') yield* message.during;
    yield* message.after;
  }
}
