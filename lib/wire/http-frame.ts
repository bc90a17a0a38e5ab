import type { CorsProbeFrame } from './cors-probe';
import type { RequestId } from './message';
import type { SocketFrame } from './socket-frame';

/** Header fields as they are on the wire, in order, repeated ones repeated. Secret values are {@link MASK}. */
export type ShownHeaders = readonly (readonly [name: string, value: string])[];

/** Stands for a value that is not shown. */
export const MASK = '•••';

/**
 * What happens on HTTP around messages: the JSON of a frame on the `http` channel. `exchange` numbers the requests of one
 * connection from 1. A message's own bytes are a `protocol` frame, and the `http` frame right before it (`request`, `body`
 * or `sse`) says on which exchange it travelled. A redirect is another `response` and `request` of the same exchange.
 */
export type HttpFrame =
  | {
      readonly kind: 'request';
      readonly exchange: number;
      readonly method: 'GET' | 'POST' | 'DELETE';
      readonly url: string;
      readonly headers: ShownHeaders;
      /** Length of the body. */
      readonly bytes: number;
      /**
       * Why it carries no message. `authorization`: it is about who we are (OAuth); its bodies are `body` frames,
       * without secrets. `reconnect`: an attempt to reach a server that went away.
       */
      readonly about?: 'authorization' | 'reconnect';
    }
  /** A socket was opened for it, or could not be: between `request` and `response`. */
  | SocketFrame
  | {
      readonly kind: 'response';
      readonly exchange: number;
      /** 0: a redirect, seen by a page, which is told no more of it. */
      readonly status: number;
      readonly headers: ShownHeaders;
      /** A page sees only the headers that the server exposes (Access-Control-Expose-Headers); there may be more. */
      readonly partial?: true;
    }
  | CorsProbeFrame
  /**
   * A whole body that is not an event stream, or one of ours that is not a message. `text` holds up to
   * `LIMITS.httpTextBytes` of a body that is not a protocol frame: text, or the JSON of a refusal that is not a
   * message.
   */
  | { readonly kind: 'body'; readonly exchange: number; readonly bytes: number; readonly text?: string }
  /** Something of an event stream. `data` is there only if it is not a message: those are protocol frames. */
  | {
      readonly kind: 'sse';
      readonly exchange: number;
      readonly event?: string;
      readonly id?: string;
      /** Milliseconds. */
      readonly retry?: number;
      readonly comment?: string;
      readonly data?: string;
    }
  /**
   * An exchange ended otherwise than by a body: `server` ended its stream, `client` closed it, or it `failed`.
   * `unanswered` are ids of our requests that nothing can answer any more, `cancelled` those that we gave up by closing.
   */
  | {
      readonly kind: 'end';
      readonly exchange: number;
      readonly by: 'server' | 'client' | 'failure';
      /** Of the failure, as in a `Failure`. */
      readonly code?: string;
      readonly message?: string;
      readonly unanswered?: readonly RequestId[];
      readonly cancelled?: readonly RequestId[];
      /** The server is still unreachable; milliseconds until the next attempt. */
      readonly retryMs?: number;
    };
