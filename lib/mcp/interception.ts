import { LOAD_INTERCEPTOR } from '@/features/interceptor';
import { ConnectionError, CUT, type HttpFailure, TAKEN, type Transport } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Direction } from '@/lib/wire/frame';
import type { Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import type { LogTap } from './log-tap';
import type { CutStreamMessage, InterceptorDeps, MessageInterceptor, RuleOwner, RuleSet } from './message-interceptor';

/** A live connection, as far as interception needs it. */
export interface InterceptedHost {
  readonly clock: Clock;
  readonly tap: LogTap;
  transport(): Transport;
  /** Adds an event to the log and returns its seq. */
  logEvent(event: LifecycleEvent): number;
  /** Passes a message of the server to the engine. */
  receive(text: string): void;
  /** Returns the method of a request of the client that waits for its answer. */
  methodOf(id: RequestId): string | undefined;
  /** Settles requests that get no answer. */
  onUnanswered(id: RequestId, why: HttpFailure): void;
  /** Reads the list of tools again, because it looks different now. */
  readTools(): void;
  /** Ends the connection. */
  fail(failure: Failure): void;
  /** Stops all timeouts of the client while messages wait for a person. */
  holdTimeouts(held: boolean): void;
}

const decoder = new TextDecoder();

/** Shows the messages of a live connection to an interceptor while there are rules. Costs nothing without rules. */
export class LiveInterception {
  readonly #host: InterceptedHost;
  #interceptor: MessageInterceptor | undefined;
  /** The seq of the frame that stands for the message that is being sent. */
  #sent: number | undefined;
  #sending = false;
  /** The stream of the message that has just arrived is cut. */
  #cutNow = false;
  #arriving = false;

  constructor(host: InterceptedHost) {
    this.#host = host;
  }

  /** The interceptor, while it has rules or messages that wait. */
  get interceptor(): MessageInterceptor | undefined {
    return this.#interceptor;
  }

  /**
   * Replaces the rules and the overlay of an owner. Does nothing if they are not wanted any more once the code is
   * loaded. Rejects with a Failure `bad-rule`, `bad-overlay`.
   */
  async setRules(set: RuleSet, isWanted: () => boolean): Promise<void> {
    if (!this.#interceptor && set.rules.length === 0 && set.overlay === undefined) return;
    const code = await LOAD_INTERCEPTOR?.();
    if (!code) throw new ConnectionError(NO_INTERCEPTION);
    if (!isWanted()) return;
    const interceptor = this.#interceptor ?? new code.Interceptor(this.#deps());
    interceptor.setRuleSet(set);
    if (interceptor.isIdle) return;
    this.#interceptor = interceptor;
    this.#host.tap.onArrival = (source, start, end) => this.#arrive(source.subarray(start, end));
  }

  /** Removes the rules of an owner, and passes on what they hold. */
  removeOwner(owner: RuleOwner): void {
    this.#interceptor?.removeOwner(owner);
  }

  /** Sends a message, unless a rule takes it. Returns the seq of its frame, or of the event that says why it waits. */
  send(bytes: Uint8Array, pass: () => number): number {
    if (!this.#interceptor) return pass();
    const outer = this.#sent;
    const wasSending = this.#sending;
    this.#sent = undefined;
    this.#sending = true;
    try {
      if (this.#interceptor.onMessage('to-server', bytes, undefined) === 'pass') return pass();
      return this.#sent ?? 0;
    } finally {
      this.#sent = outer;
      this.#sending = wasSending;
    }
  }

  /** True while a response to our request waits. */
  holdsAnswerTo(id: RequestId): boolean {
    return this.#interceptor?.holdsAnswerTo('to-client', id) ?? false;
  }

  /** Drops the messages that wait, because the connection has ended. */
  end(): void {
    this.#interceptor?.end('to-server');
    this.#interceptor?.end('to-client');
    this.#detach();
  }

  #detach(): void {
    this.#interceptor = undefined;
    this.#host.tap.onArrival = undefined;
  }

  /** Shows a message of the server to the rules. Returns undefined if it passes, otherwise {@link TAKEN} or CUT. */
  #arrive(bytes: Uint8Array): number | undefined {
    const interceptor = this.#interceptor;
    if (!interceptor) return undefined;
    this.#arriving = true;
    this.#cutNow = false;
    try {
      if (interceptor.onMessage('to-client', bytes, undefined) === 'pass') return undefined;
      return this.#cutNow ? CUT : TAKEN;
    } finally {
      this.#arriving = false;
    }
  }

  #deps(): InterceptorDeps<undefined> {
    const { clock, tap } = this.#host;
    const append = (channel: 'protocol' | 'intercept', direction: Direction, bytes: Uint8Array): number =>
      tap.append(channel, direction, bytes);
    return {
      clock,
      deliver: (direction, bytes) => {
        if (direction === 'to-server') this.#sendOn(bytes);
        else {
          append('protocol', direction, bytes);
          // An answer must not come before its sender knows the id of the request.
          if (this.#sending) void Promise.resolve().then(() => this.#deliver(bytes));
          else this.#deliver(bytes);
        }
      },
      logWithheld: (direction, bytes) => {
        const seq = append('protocol', direction, bytes);
        if (direction === 'to-server') this.#sent = seq;
      },
      logOriginal: (direction, bytes) => void append('intercept', direction, bytes),
      log: (event) => {
        const seq = this.#host.logEvent(event);
        this.#sent ??= seq;
      },
      cut: (direction, _route, message) => this.#cut(direction, message),
      methodOf: (direction, id) => (direction === 'to-server' ? this.#host.methodOf(id) : undefined),
      onHeldChange: (count) => this.#host.holdTimeouts(count > 0),
      onIdle: () => this.#detach(),
      onOverlayChange: () => this.#host.readTools(),
    };
  }

  /** Delivers a message to the client, in order with those that arrived before. */
  #deliver(bytes: Uint8Array): void {
    const transport = this.#host.transport();
    if (transport.receive) transport.receive(bytes);
    else this.#host.receive(decoder.decode(bytes));
  }

  /** Sends a message that waited, or another one in its place. */
  #sendOn(bytes: Uint8Array): void {
    try {
      this.#sent = this.#host.transport().sendRaw(bytes, true);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      // The server has gone meanwhile. The log still needs the message.
      this.#sent = this.#host.tap.append('protocol', 'to-server', bytes);
    }
  }

  /** Over HTTP, only the stream of the message ends. A process has one stream, so the connection ends. */
  #cut(direction: Direction, { requests, answers }: CutStreamMessage): void {
    const transport = this.#host.transport();
    if (!transport.hasManyStreams) this.#host.fail(STREAM_CUT);
    else if (direction === 'to-client' && this.#arriving) this.#cutNow = true;
    else for (const id of direction === 'to-server' ? requests : answers) this.#host.onUnanswered(id, STREAM_CUT);
  }
}

const NO_INTERCEPTION: Failure = {
  code: 'no-interception',
  message: 'This mcp-inspect has no rules for messages.',
  advice: 'Install mcp-inspect again.',
};

const STREAM_CUT: Failure = {
  code: 'stream-cut',
  message: 'A rule cut the stream.',
  advice: 'Remove the rule to go on.',
};
