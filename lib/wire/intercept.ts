import type { Direction } from './frame';
import { LIMITS } from './limits';
import type { RequestId } from './message';

/** Bounds of interception. */
export const INTERCEPT_LIMITS = {
  /** Bytes of a message. A larger one passes, and an event says so. */
  messageBytes: 4 * 1024 * 1024,
  /** Messages of one connection that wait, for a person or for a delay. Beyond that, the oldest is passed on. */
  held: 1000,
  /** Bytes of these messages, with the same effect. */
  heldBytes: 64 * 1024 * 1024,
  /** Rules of one owner. */
  rules: 100,
  /** Characters of a rule's name, and of what a message is about. */
  nameChars: 200,
  /** Characters of a rule's filter. */
  whenChars: 2000,
  /** Additional copies of one message. */
  copies: 100,
  /** Bytes of all copies of one message, since the receiver may not read. There is always one. */
  copyBytes: 16 * 1024 * 1024,
  /** Characters of an error's message. */
  errorChars: 10_000,
  /** Longest delay. */
  delayMs: LIMITS.timerMs,
} as const;

/**
 * What happens to a message in place of passing on. `hold` waits for a person. `error` and `result` answer a request
 * in place of its receiver, which never sees it; a response gets this content instead of its own. `answer-from` answers
 * a request as a recording answered the same request. `cut` drops the message and ends the stream that it is on.
 */
export type InterceptAction =
  | { readonly do: 'hold' }
  /** `ms` is in milliseconds. The messages after it don't wait. */
  | { readonly do: 'delay'; readonly ms: number }
  | { readonly do: 'drop' }
  /** Passes the message on, and `copies` more. Default 1. */
  | { readonly do: 'duplicate'; readonly copies?: number }
  /** Passes this text on instead. */
  | { readonly do: 'replace'; readonly text: string }
  /** `data` is JSON text. */
  | { readonly do: 'error'; readonly code: number; readonly message: string; readonly data?: string }
  /** `result` is JSON text. */
  | { readonly do: 'result'; readonly result: string }
  /** `file` is a path, relative to the file of the rules. A page can't give one. */
  | { readonly do: 'answer-from'; readonly file: string }
  | { readonly do: 'cut' };

/** A breakpoint, or a fault rule: which messages it takes, and what happens to them. The first that matches counts. */
export interface InterceptRule {
  /** Unique among the rules of its owner (a page, a file). Shown to people. */
  readonly name: string;
  /** Receiver of the messages. Absent: both. */
  readonly direction?: Direction;
  /** Filter of the log, with the keys that are known as a message passes. Absent or '': every message. */
  readonly when?: string;
  /** Skips this many matching messages first. Default 0. */
  readonly after?: number;
  /** Takes each nth matching message only. Default 1. */
  readonly every?: number;
  /** Takes at most this many messages. 1: once. Absent: no limit. */
  readonly times?: number;
  readonly action: InterceptAction;
}

/** A rule in force, as the log has it: without the texts that it sends. */
export interface ShownRule extends Omit<InterceptRule, 'action'> {
  readonly do: InterceptAction['do'];
  /** Name of the file that has the rule. Absent: a page has it. */
  readonly file?: string;
}

/** Kind of a passing message. `error`: a response with an error. `junk`: not JSON-RPC. */
export type PassingKind = 'request' | 'notification' | 'response' | 'error' | 'batch' | 'junk';

/** A message that waits. Its bytes are asked for separately: they may be large, and hold secrets. */
export interface HeldMessage {
  /** Number of the hold in its connection, from 1. */
  readonly hold: number;
  readonly rule: string;
  readonly direction: Direction;
  readonly kind: PassingKind;
  readonly method?: string;
  /** Tool, prompt or URI. A response has that of its request. At most `nameChars`. */
  readonly name?: string;
  readonly id?: RequestId;
  /** Length of the message. */
  readonly bytes: number;
  /** Set for a delay: the message is passed on after so many ms. Absent: it waits for a person. */
  readonly ms?: number;
}

/**
 * The side that made a request does not wait for its response any more, while the request or the response is held. It
 * has sent `notifications/cancelled`, with `reason`. At most `errorChars`.
 */
export interface GivenUpHold extends Pick<HeldMessage, 'hold' | 'direction' | 'kind' | 'method' | 'name' | 'id'> {
  readonly reason?: string;
}

/** A person's decision on a held message. `text` replaces it; it may be anything, valid or not. */
export type HoldDecision =
  | { readonly do: 'release'; readonly text?: string }
  | Extract<InterceptAction, { do: 'delay' | 'drop' | 'duplicate' | 'error' | 'result' | 'cut' }>;

/**
 * The treatment of a message. `release`: passed on as it was, after a hold. `delay`: likewise, after a delay. `pass`:
 * passed on as it was although a rule took it, for the reason in `why`. `progress`: the next message is a notification
 * of mcp-inspect, which keeps the sender of a held request waiting. `overlay`: an overlay changed the list of tools or
 * the name of a called tool, or refused a call of a tool that it hides.
 */
export type InterceptDid = Exclude<InterceptAction['do'], 'hold'> | 'release' | 'pass' | 'progress' | 'overlay';

/**
 * Why a message was not treated as its rule or a person said. `owner-gone`: the page that had the rule is gone, or it
 * has removed the rule. `client-left`: the client ended the HTTP exchange of the message. `not-recorded`: the recording
 * has no answer to this request.
 */
export type InterceptWhy =
  | 'too-large'
  | 'too-many'
  | 'owner-gone'
  | 'client-left'
  | 'connection-ended'
  | 'not-recorded';

/**
 * Tells how a message was treated. Directly after it come, in this order: the message as its sender sent it, on channel
 * `intercept`, unless channel `protocol` has the same bytes; the message on `protocol`, if its receiver got it or if it
 * is a request; copies; and the message that mcp-inspect made. HTTP frames may stand between them.
 */
export interface Interception {
  /** Absent if no rule took the message. */
  readonly rule?: string;
  readonly did: InterceptDid;
  readonly why?: InterceptWhy;
  /** The hold that ends. For `progress`, the hold that lasts. */
  readonly hold?: number;
  /** Direction of the message that was intercepted. */
  readonly direction: Direction;
  /** Absent for a message that was not read because of its size. */
  readonly kind?: PassingKind;
  /** A response has the method of its request. */
  readonly method?: string;
  /** As in {@link HeldMessage}. */
  readonly name?: string;
  readonly id?: RequestId;
  /** Milliseconds that the message waited. */
  readonly waitedMs?: number;
  /** Frames on `protocol` that follow and are this message or its copies. */
  readonly delivered: number;
  /** Set if a frame on `intercept` with the original bytes follows. */
  readonly original?: true;
  /** Set if the receiver did not get the message, in any form. */
  readonly withheld?: true;
  /** Set if a message follows that mcp-inspect made: an answer in the other direction, or progress. */
  readonly made?: true;
}
