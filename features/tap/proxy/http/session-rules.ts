import { Interceptor } from '@/features/intercept/lib/interceptor';
import { Overlay } from '@/features/intercept/lib/overlay';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import { systemClock } from '@/lib/wire/clock';
import type { Direction } from '@/lib/wire/frame';
import type { HoldDecision, Interception, InterceptRule } from '@/lib/wire/intercept';
import type { RequestId } from '@/lib/wire/message';
import { ParamHeaders } from '@/lib/wire/repeated-headers';
import type { RuledSession } from '../control-requests';
import type { FirstMessage } from '../session-files';
import type { ExchangeFeed } from './exchange-feed';
import type { HostResponse } from './host-response';

/** A message that mcp-inspect made: the answer of a rule, or progress. Absent: the message itself. */
export type Made = 'answer' | 'progress' | undefined;

/** The fate of a message. `dropped`: nobody answers it. */
export type Fate = 'passed' | 'answered' | 'dropped' | 'cut';

/** The exchange that a message is on. */
export interface ExchangeRoute {
  readonly host: HostResponse;
  toServer(bytes: Uint8Array): void;
  /** Returns false, and does nothing, if the host can't get it. `log` is called directly before it is sent. */
  toClient(bytes: Uint8Array, made: Made, log: () => void): boolean;
  /** Called with the fate of the message; `passed` and `answered` come before the last message is sent. */
  settle(fate: Fate): void;
  /** Breaks the exchange off. */
  cut(): void;
}

const decoder = new TextDecoder();

/** The rules in one session of an HTTP tap. */
export class SessionRules implements RuledSession {
  readonly #interceptor: Interceptor<ExchangeRoute>;
  /** The headers that repeat arguments (2026-07-28). */
  readonly tools = new ParamHeaders();
  readonly #onChange: () => void;
  /** The newest event about a message. The effects that follow it belong to it. */
  #about: Interception | undefined;
  /** A message with copies is passed on several times. */
  readonly #settled = new WeakSet<ExchangeRoute>();

  /** `announce` sends the host a notification. `onChange` is called when rules have come or gone. */
  constructor(
    session: string,
    log: ExchangeFeed | undefined,
    announce: (bytes: Uint8Array, stream: RequestId | undefined) => void,
    onChange: () => void,
  ) {
    this.#onChange = onChange;
    const tell = (channel: 'protocol' | 'intercept', direction: Direction, bytes: Uint8Array): void =>
      log?.logMessage({ session, channel, direction }, bytes);
    this.#interceptor = new Interceptor<ExchangeRoute>({
      clock: systemClock,
      deliver: (direction, bytes, route) => {
        const made = this.#madeIn(direction);
        if (direction === 'to-server') route.toServer(bytes);
        else route.toClient(bytes, made, () => tell('protocol', direction, bytes));
        if (!made) this.#settle(route, 'passed');
      },
      logWithheld: (direction, bytes, route) => {
        tell('protocol', direction, bytes);
        this.#settle(route, this.#fate());
      },
      logOriginal: (direction, bytes, route) => {
        tell('intercept', direction, bytes);
        if (this.#about?.withheld) this.#settle(route, this.#fate());
      },
      log: (event) => {
        if (event.event === 'intercepted') this.#about = event;
        log?.logEvent(session, event);
      },
      cut: (_direction, route) => route.cut(),
      announce: (bytes, stream) => {
        tell('protocol', 'to-client', bytes);
        announce(bytes, stream);
      },
      onIdle: onChange,
    });
  }

  /** False without rules and waiting messages. */
  get isActive(): boolean {
    return !this.#interceptor.isIdle;
  }

  #settle(route: ExchangeRoute, fate: Fate): void {
    if (this.#settled.has(route)) return;
    this.#settled.add(route);
    route.settle(fate);
  }

  #madeIn(direction: Direction): Made {
    if (this.#about?.did === 'progress') return 'progress';
    return this.#about && this.#about.direction !== direction ? 'answer' : undefined;
  }

  #fate(): Fate {
    const { did } = this.#about ?? {};
    return did === 'drop' ? 'dropped' : did === 'cut' ? 'cut' : 'answered';
  }

  /** Reads the messages that passed before there were rules, requests before their responses. */
  readEarlier(messages: readonly FirstMessage[]): void {
    for (const { direction, bytes } of messages) {
      if (direction === 'to-server') this.#interceptor.readEarlier(direction, bytes);
    }
    for (const { direction, bytes } of messages) {
      if (direction !== 'to-client') continue;
      this.#interceptor.readEarlier(direction, bytes);
      this.learnTools(bytes);
    }
  }

  /** Learns which headers calls need, from a message of the server as it sent it. */
  learnTools(message: Uint8Array): void {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
    if (bytes.includes('"inputSchema"')) this.tools.learnTools(decoder.decode(message));
  }

  /** Shows a message to the rules. `pass`: nothing concerns it. */
  onMessage(direction: Direction, bytes: Uint8Array, route: ExchangeRoute): 'pass' | 'taken' {
    try {
      return this.#interceptor.onMessage(direction, bytes, route);
    } catch {
      // A fault of ours must not end the session.
      return 'pass';
    }
  }

  setRules(owner: RuleOwner, rules: readonly InterceptRule[]): void {
    this.#interceptor.setRules(owner, rules);
    this.#onChange();
  }

  setOverlay(owner: RuleOwner, overlay: string): void {
    this.#interceptor.setOverlay(owner, new Overlay(overlay));
    this.#onChange();
  }

  /** Removes the rules and the overlay of an owner, and passes on what they hold. */
  removeOwner(owner: RuleOwner): void {
    this.#interceptor.removeOwner(owner);
    this.#onChange();
  }

  read(hold: number): Uint8Array {
    return this.#interceptor.read(hold);
  }

  decide(hold: number, decision: HoldDecision): void {
    this.#interceptor.decide(hold, decision);
  }

  /** The host has left an exchange, or all: what waits there is dropped. */
  end(host?: HostResponse): void {
    const isEnded = host && ((route: ExchangeRoute): boolean => route.host === host);
    this.#interceptor.end('to-server', isEnded);
    this.#interceptor.end('to-client', isEnded);
  }
}
