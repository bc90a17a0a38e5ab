import type { Era } from '@/lib/wire/lifecycle';
import type { ResumableStream } from './resumable-streams';

/**
 * A session as it can be gone through again: what the client said, in order, each with what came of it. All texts are JSON, exactly
 * as recorded; `seq` is the frame's number, `time` microseconds since the beginning, `exchange` the HTTP exchange it travelled on, or whose
 * stream that went on with (0: none).
 */
export interface RecordedTraffic {
  readonly era: Era;
  /** The version agreed on; undefined if the recording doesn't say. */
  readonly version: string | undefined;
  /** The first `initialize` (legacy) or `server/discover` (modern) that was answered with a result. */
  readonly handshake: RecordedCall | undefined;
  /** Requests and notifications of the client, in order. Answers to the server's questions are with the questions. */
  readonly sent: readonly ClientMessage[];
  /** What the server said before the client said anything. */
  readonly before: readonly ServerEvent[];
  /** Its event streams that could be gone on with, by exchange. */
  readonly streams: ReadonlyMap<number, ResumableStream>;
}

/** What begins something: a server may send more as a consequence. */
export type ClientMessage = RecordedCall | RecordedNotification;

interface Recorded {
  readonly seq: number;
  readonly time: number;
  readonly exchange: number;
}

/** A request of the client. */
export interface RecordedCall extends Recorded {
  readonly kind: 'call';
  /** Its frame was a batch (2025-03-26). */
  readonly batch: boolean;
  readonly id: string;
  readonly method: string;
  /** A tool's or prompt's name, a uri, a level. */
  readonly name: string | undefined;
  readonly params: string | undefined;
  readonly progressToken: string | undefined;
  /** The first answer that came, even if it came after a cancellation. */
  readonly answer: RecordedAnswer | undefined;
  /** Why there is no answer; undefined if there is one. */
  readonly unanswered: Unanswered | undefined;
  /** What belongs to it, up to the answer, in order. */
  readonly during: readonly ServerEvent[];
  /** What came later, while no request was under way that could have caused it. */
  readonly after: readonly ServerEvent[];
  /** seq of the request whose `input_required` this one goes on with (2026-07-28). */
  readonly continues: number | undefined;
}

/** A notification of the client. */
export interface RecordedNotification extends Recorded {
  readonly kind: 'notice';
  readonly method: string;
  readonly params: string | undefined;
  readonly after: readonly ServerEvent[];
}

/** The text of a `result` or an `error` member. `status`: of the HTTP response, over HTTP. */
export interface RecordedAnswer extends Recorded {
  readonly kind: 'result' | 'error';
  readonly text: string;
  readonly status: number | undefined;
}

/** `open`: the recording ends before an answer. `lost`: the server went, or HTTP brought none: then with status and body, if it is no JSON. */
export interface Unanswered {
  readonly why: 'cancelled' | 'timeout' | 'lost' | 'open';
  readonly status?: number;
  readonly body?: string;
  /** The frame by which that was known, and when, in µs; absent for `open`. */
  readonly since?: { readonly seq: number; readonly time: number };
}

/** What the server sends besides answers. */
export type ServerEvent = ServerNotification | ServerRequest;

export interface ServerNotification extends Recorded {
  readonly kind: 'notice';
  readonly method: string;
  readonly params: string | undefined;
  /** seq of the `subscriptions/listen` on whose stream it came (2026-07-28), whatever caused it. */
  readonly stream: number | undefined;
}

/** A request of the server, and what the client answered. */
export interface ServerRequest extends Recorded {
  readonly kind: 'question';
  readonly id: string;
  readonly method: string;
  readonly params: string | undefined;
  readonly answer: RecordedAnswer | undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly ServerEvent[] ? ServerEvent[] : T[K] };

/** The parts of a session while it is read. */
export type OpenCall = Writable<RecordedCall>;
export type OpenNotification = Writable<RecordedNotification>;
export type OpenServerRequest = Writable<ServerRequest>;

/** Everything that the server said besides answers: what came before anything, then by what it belongs to. */
export function eventsOf({ before, sent }: RecordedTraffic): readonly ServerEvent[] {
  return [
    ...before,
    ...sent.flatMap((message) => [...(message.kind === 'call' ? message.during : []), ...message.after]),
  ];
}
