import type { Clock } from '@/lib/wire/clock';
import type { Direction } from '@/lib/wire/frame';
import type { HoldDecision, InterceptRule } from '@/lib/wire/intercept';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';

/** The content of a response, as JSON text. */
export type AnswerContent = { readonly result: string } | { readonly error: string };

/** Returns the answer that a recording has to a request; undefined if it has none. `params` is JSON text. */
export type AnswerFrom = (method: string, params: string | undefined) => AnswerContent | undefined;

/** Somebody who has rules: a page, or a file. Compared by identity. */
export interface RuleOwner {
  /** Name of the rules' file, for the log. Absent for a page. */
  readonly file?: string;
  /** Begins to answer as a recording did, from its first answers on. Absent: the owner has no recordings. */
  openAnswers?(file: string): AnswerFrom | undefined;
}

/** The rules of an owner, and its overlay as text. */
export interface RuleSet {
  readonly owner: RuleOwner;
  readonly rules: readonly InterceptRule[];
  readonly overlay?: string;
  /** Names of the tools that the overlay of a file changes. */
  readonly overlaid?: readonly string[];
}

/**
 * The effects of a {@link MessageInterceptor}. `route` is the value that the message came with: where it has to go on,
 * such as a stream. An answer, or progress, has the route of its request.
 */
export interface InterceptorDeps<R> {
  readonly clock: Clock;
  /** Passes a message on to its receiver, and logs it on `protocol`. `bytes` have no line feed at the end. */
  deliver(direction: Direction, bytes: Uint8Array, route: R): void;
  /** Logs a request on `protocol` that its receiver does not get. */
  logWithheld(direction: Direction, bytes: Uint8Array, route: R): void;
  /** Logs a message on `intercept`, as its sender sent it. */
  logOriginal(direction: Direction, bytes: Uint8Array, route: R): void;
  /** Logs an event. */
  log(event: LifecycleEvent): void;
  /** Ends the stream of a message that was dropped. */
  cut(direction: Direction, route: R, message: CutStreamMessage): void;
  /** Returns the method of a request in this direction that passed before there were rules. */
  methodOf?(direction: Direction, id: RequestId): string | undefined;
  /** The number of messages that wait for a person has changed. */
  onHeldChange?(count: number): void;
  /** There are no rules, no overlay and no waiting messages any more. */
  onIdle?(): void;
  /**
   * Passes a notification of mcp-inspect on to the client, and logs it on `protocol`. It belongs to the stream of the
   * client's request `stream`, if that is given. Absent: the client is not notified of changes of the overlay.
   */
  announce?(bytes: Uint8Array, stream: RequestId | undefined): void;
  /** Another overlay is in force. */
  onOverlayChange?(): void;
}

/** A message whose stream is cut. */
export interface CutStreamMessage {
  /** The requests in it. */
  readonly requests: readonly RequestId[];
  /** The requests that it answers. */
  readonly answers: readonly RequestId[];
}

/** Stands between the two sides of a connection, and applies rules to their messages. */
export interface MessageInterceptor<R = undefined> {
  /** True without rules, overlay and waiting messages: then messages need not be shown to it. */
  readonly isIdle: boolean;
  /** Replaces the rules and the overlay of an owner. Throws a Failure `bad-rule` or `bad-overlay`. */
  setRuleSet(set: RuleSet): void;
  /** Removes the rules and the overlay of an owner, and passes on the messages that its rules hold. */
  removeOwner(owner: RuleOwner): void;
  /** Called with each message. If it is `taken`, the interceptor passes on what is left of it. */
  onMessage(direction: Direction, bytes: Uint8Array, route: R): 'pass' | 'taken';
  /** True while a response to this request waits. */
  holdsAnswerTo(direction: Direction, id: RequestId): boolean;
  /** Returns a message that waits. Throws a Failure if it waits no more. */
  read(hold: number): Uint8Array;
  /** Decides about it. Throws a Failure if it waits no more. */
  decide(hold: number, decision: HoldDecision): void;
  /** Drops the messages of a direction that wait, because their receiver has gone. */
  end(direction: Direction): void;
}

/** Loads the code of interceptors. */
export type LoadInterceptor = () => Promise<{
  readonly Interceptor: new (deps: InterceptorDeps<undefined>) => MessageInterceptor;
}>;
