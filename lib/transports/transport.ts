import type { AuthStep } from '@/lib/wire/auth-step';
import type { Channel, Direction } from '@/lib/wire/frame';
import type { Era, Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import type { RequestId, RpcError } from '@/lib/wire/message';

/** Returned in place of a seq: the message must not be delivered. Somebody else may do so later. */
export const TAKEN = 0;
/** Returned in place of a seq: the message must not be delivered, and its stream is to end as if it broke. */
export const CUT = -1;

/** Receives everything from a transport. Each connection has one sink, which outlives a respawn of the server. */
export interface TransportSink {
  /**
   * The tap: appends `source[start, end)` to the log and returns its seq. Called below every parser, before the bytes
   * are read. `source` is not changed before `onChunkEnd`. Returns {@link TAKEN} or {@link CUT} for a message of the
   * server that a rule took.
   */
  appendFrame(
    channel: Channel,
    direction: Direction,
    source: Uint8Array,
    start: number,
    end: number,
    flags: number,
  ): number;
  /**
   * The tap for a flood: appends each line of `source[start, end)` without its line feed, with which the last one ends
   * too. The same as `appendFrame` for each line. Absent, or false: use that.
   */
  appendLines?(channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number): boolean;
  /**
   * The frames of a chunk are all appended. After that nobody needs its memory. Absent: somebody may keep views of
   * chunks.
   */
  onChunkEnd?(): void;
  /** Appends a lifecycle frame. */
  logEvent(event: LifecycleEvent): void;
  /** Receives one message that may concern the engine, as text. Not called for over-long lines. */
  onMessage(text: string): void;
  /** The server is gone, and all its output was delivered. Called exactly once after a successful `open`. */
  onEnd(end: TransportEnd): void;
}

/** How a server ended. */
export interface TransportEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The failure of a server that is not a process of ours. */
  readonly failure?: Failure;
}

/** Why HTTP brought no ordinary answer to one of our requests. */
export interface HttpFailure extends Failure {
  /** Absent: there was no HTTP response at all. */
  readonly status?: number;
  /** The JSON-RPC error in the body of the refusal. */
  readonly error?: RpcError;
}

/** Masked fields of an http frame with their values. A field is the index of a header, or the URL. */
export type MaskedFields = readonly (readonly [field: number | 'url', value: string])[];

/** Receives everything from a transport over HTTP, where single requests can fail. */
export interface HttpSink extends TransportSink {
  /** Returns the number of the next exchange of this connection, from 1. */
  nextExchange(): number;
  /** Receives the masked values of the http frame `seq` that the user may reveal. Not for the log. */
  onMasked?(seq: number, fields: MaskedFields): void;
  /**
   * Receives secrets before the frames in which they are masked. Nothing written from this log may contain them. Not
   * for the log.
   */
  onSecrets?(values: readonly string[]): void;
  /** True while our request with this id waits for its answer. */
  awaits(id: RequestId): boolean;
  /** This request will not be answered by a message. Called after its frames. */
  onUnanswered(id: RequestId, why: HttpFailure): void;
  /** The server has forgotten the session and now accepts only `initialize`. `reason`: one sentence. */
  onSessionLost(reason: string): void;
  /**
   * A request got no HTTP response, or only that of a gateway that could not reach the server. Called before
   * `onUnanswered`.
   */
  onUnreachable?(why: Failure): void;
  /** A response broke off or a stream can't be reopened, so the server may have restarted. */
  onPossibleRestart?(): void;
  /** An HTTP response began. */
  onReached?(): void;
  /** True from a loss of the connection until it has recovered. */
  mayHaveRestarted?(): boolean;
  /**
   * A person has to sign in at this URL, which holds a secret. undefined: the sign-in is over. No request can be
   * answered meanwhile, so timeouts stop.
   */
  onSignIn?(url: string | undefined): void;
}

/** Carries bytes to and from one server, from its start to its end. */
export interface Transport {
  /**
   * Starts the server. `withinMs`: milliseconds to wait for what the server has to send first, instead of the
   * transport's own limit. Rejects with a {@link ConnectionError}.
   */
  open(withinMs?: number): Promise<void>;
  /** Sends one message and returns its frame's seq. Throws ConnectionError `not-connected` after the end. */
  send(text: string): number;
  /** Sends exact bytes, with a line feed added if `terminate`. Returns and throws like {@link send}. */
  sendRaw(bytes: Uint8Array, terminate: boolean): number;
  /** Ends the server by the kill ladder, each step a lifecycle frame. Resolves after `onEnd`. Idempotent. */
  close(): Promise<void>;
  /** Called when the handshake has settled the version. Over HTTP, the version goes into a header. */
  setProtocolVersion?(version: string, era: Era): void;
  /**
   * Resolves when the server has processed `notifications/initialized` and its own messages can arrive, or after
   * `withinMs`. Over HTTP other messages could overtake the notification. Never rejects.
   */
  whenInitialized?(withinMs: number): Promise<void>;
  /** Cancels a request by means of the transport. False: a notification has to be sent. */
  cancel?(id: RequestId): boolean;
  /**
   * Tries once whether a server that went away is back, and reopens its stream if it offered one. The sink gets the
   * result. `retryMs` is for the log: the time until the next attempt. Never rejects.
   */
  reconnect?(retryMs: number): Promise<void>;
  /** Stops waiting for a person to sign in. Returns false if no sign-in is pending. */
  cancelSignIn?(): boolean;
  /** Runs one step of authorization alone, even after the end. undefined: this transport signs in nowhere. */
  runAuthStep?(step: AuthStep, signal: AbortSignal): Promise<void> | undefined;
  /** Delivers a message that was logged before, after those that arrived before it. Absent: the sink can be called. */
  receive?(bytes: Uint8Array): void;
  /**
   * Sends what only some hosts send, see HOST_REQUEST. Resolves when the answers are logged; never rejects. Absent: no
   * host sends anything else here.
   */
  sendAsHosts?(signal: AbortSignal): Promise<void>;
  /** True if a single stream can end while the connection goes on. */
  readonly hasManyStreams?: true;
}

/** An error to throw that is a {@link Failure}. */
export class ConnectionError extends Error implements Failure {
  readonly code: string;
  readonly advice: string;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ConnectionError';
    this.code = failure.code;
    this.advice = failure.advice;
  }
}

/** The server refused the request, and would refuse it again. */
export class RefusedError extends ConnectionError implements HttpFailure {
  readonly status: number;

  constructor(status: number, failure: Failure) {
    super(failure);
    this.status = status;
  }
}
