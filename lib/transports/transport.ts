import type { RequestId, RpcError } from '@/lib/json/value';
import type { Channel, Direction } from '@/lib/wire/frame';
import type { Era, Failure, LifecycleEvent } from '@/lib/wire/lifecycle';

/** Where a transport reports to. One sink per connection; it outlives a respawn of the transport. */
export interface TransportSink {
  /**
   * The tap: appends `source[start, end)` to the log and returns its seq. Called below every parser, before anything looks
   * at the bytes; nobody writes to `source` afterwards.
   */
  frame(channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number, flags: number): number;
  /** Appends a lifecycle frame. */
  lifecycle(event: LifecycleEvent): void;
  /** One line of the protocol channel that the engine may have to act on, as text. Never called for over-long lines. */
  message(text: string): void;
  /** The server is gone: everything it printed has been delivered. Called exactly once after a successful `open`. */
  ended(end: TransportEnd): void;
}

/** How a server went. */
export interface TransportEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** What went wrong with a server that is no process of ours. */
  readonly failure?: Failure;
}

/** Why HTTP brings no ordinary answer to a request of ours. */
export interface HttpFailure extends Failure {
  /** Absent: no HTTP answer came at all. */
  readonly status?: number;
  /** What the body of a refusal said, if it was a JSON-RPC error. */
  readonly error?: RpcError;
}

/** Masked fields of an http frame with their values: by place among the headers, or the URL. */
export type MaskedFields = readonly (readonly [field: number | 'url', value: string])[];

/** Where a transport over HTTP reports to: there, requests can fail one by one. */
export interface HttpSink extends TransportSink {
  /** Number of the next exchange of this connection, from 1. */
  nextExchange(): number;
  /** Masked in the http frame `seq`, but not from the person who asks to see it. Not for the log. */
  onMasked?(seq: number, fields: MaskedFields): void;
  /**
   * Values that are masked in the next frames: what is written from this log must not have them anywhere. Not for the log, and
   * called before those frames.
   */
  onSecrets?(values: readonly string[]): void;
  /** True while this request of ours waits for its answer. */
  awaits(id: RequestId): boolean;
  /** No answer to this request can come as a message any more. Called after its frames. */
  onUnanswered(id: RequestId, why: HttpFailure): void;
  /** The server has forgotten the session; it takes a new `initialize`, and nothing else. `reason`: one sentence. */
  onSessionLost(reason: string): void;
  /** A request got no HTTP answer at all, or a gateway's that stands for none. Called before `unanswered`. */
  onUnreachable?(why: Failure): void;
  /** The server may have restarted: an answer broke off, or a stream can't be opened again. */
  onPossibleRestart?(): void;
  /** An HTTP answer began. */
  onReached?(): void;
  /** True from a loss of the connection until the server has shown that it still knows us. */
  mayHaveRestarted?(): boolean;
  /**
   * A person has to sign in at this URL, which holds the secret of that one sign-in; undefined: nobody is waited for any
   * more. Meanwhile no request can be answered, so no silence counts.
   */
  onSignIn?(url: string | undefined): void;
}

/** How bytes reach one server. Made by the registry from a config; used for one server life. */
export interface Transport {
  /** Starts it. Rejects with a {@link ConnectionError} when nothing could be started. */
  open(): Promise<void>;
  /** Sends one message and returns the seq of its frame. After the end it is a ConnectionError `not-connected`. */
  send(text: string): number;
  /** Sends these exact bytes; a line feed is added if `terminate`. */
  sendRaw(bytes: Uint8Array, terminate: boolean): number;
  /** Ends the server by the ladder, each rung a lifecycle frame. Resolves after `ended`. Idempotent. */
  close(): Promise<void>;
  /** The handshake agreed on this: some transports say it beside each message. */
  setProtocolVersion?(version: string, era: Era): void;
  /**
   * Resolves once the server has taken `notifications/initialized`, and what it says unasked can be heard: where each message
   * travels by itself, others might overtake that one, and be answered by a server that does not know its client yet. Waited
   * for no longer than `withinMs`; never rejects.
   */
  whenInitialized?(withinMs: number): Promise<void>;
  /** Tells the server by the transport's own means that this request is given up. False: a notification has to. */
  cancel?(id: RequestId): boolean;
  /**
   * Asks once whether a server that went away is back, and opens its stream again if it offered one. The sink learns
   * the answer. `retryMs` is for the log: when we ask again if it is not. Never rejects.
   */
  reconnect?(retryMs: number): Promise<void>;
  /** Gives up waiting for a person who is to sign in. False: nobody is waited for. */
  cancelSignIn?(): boolean;
}

/** A {@link Failure} to throw. */
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

/** The server will not let us in, whatever we send again. */
export class RefusedError extends ConnectionError implements HttpFailure {
  readonly status: number;

  constructor(status: number, failure: Failure) {
    super(failure);
    this.status = status;
  }
}
