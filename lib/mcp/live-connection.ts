import type { RequestId } from '@/lib/json/value';
import {
  ConnectionError,
  type HttpFailure,
  type HttpSink,
  type Transport,
  type TransportEnd,
} from '@/lib/transports/transport';
import { type Clock, type Moment, momentNow } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import type { Channel, Direction } from '@/lib/wire/frame';
import { type ConnectionState, canSend, type Failure, type LifecycleEvent, stateAfter } from '@/lib/wire/lifecycle';
import {
  asFailure,
  DISCONNECTED,
  Engine,
  type EngineConfig,
  MAX_SESSIONS_LOST,
  mayPass,
  notOpen,
  type RequestHandle,
  SESSIONS_LOST,
  SESSIONS_LOST_MS,
} from './engine';
import { type FollowedOptions, FollowedRequests } from './follow-ups';
import { type Negotiated, type Probing, type RememberedEra, serverKey } from './handshake';
import { Inventory } from './listing';
import { RECOVERED_MS, Reachability, type Unreachable } from './reachability';

/**
 * How long the era of a server is remembered: one that was upgraded under the same name and version is probed again
 * after that.
 */
export const ERA_KEPT_MS = 24 * 60 * 60_000;

/** How a server is reached. `auto`: by the first of the HTTP transports that it speaks. */
export type TransportKind = Target['transport'];

/** Why a connection is being ended. */
export type CloseReason = Extract<LifecycleEvent, { event: 'closing' }>['reason'];

/** What kind of connection it is. */
export interface LiveConfig extends Omit<EngineConfig, 'logLevel'> {
  readonly kind: TransportKind;
  /** All lists of the server are read after the handshake, and again after changes, which are subscribed to. */
  readonly readsLists: boolean;
  /** Tries again to reach a server at a URL while the connection is open. Absent: requests fail at once. */
  readonly reconnects?: true;
  /** Keeps the transport open after a failed handshake, if it can, for hand-written messages. Absent: closes it. */
  readonly keepsTransportOpen?: true;
}

/** Where a connection lives: the proxy, the command line, or the page itself. */
export interface LiveHost extends TapHost {
  openTransport(kind: TransportKind, sink: HttpSink): Transport;
  /** State, transport or what was negotiated changed. */
  onStateChange?(): void;
  /** Called when auto mode found the era of this server or dropped it. Not called for a version that the user chose. */
  onEraFound?(remembered: RememberedEra | undefined): void;
  /** See {@link HttpSink.onMasked}. */
  onMasked?: HttpSink['onMasked'];
  /** See {@link HttpSink.onSecrets}. */
  onSecrets?: HttpSink['onSecrets'];
  /** How the end of a server's process is told. */
  exitFailure?(state: ConnectionState, end: TransportEnd): Failure;
  /** Sees each message before the engine acts on it. */
  onMessage?(text: string): void;
  /** True while an answer to a message that was sent as raw text is waited for. */
  awaits?(id: RequestId): boolean;
  /** No answer to such a message can come any more. */
  onUnanswered?(id: RequestId, why: HttpFailure): void;
}

/**
 * One live link to one server: the transport below, the engine above, and between them the tap. It goes over to another
 * transport where auto mode has to, starts a process again that died of the probe, renews lost sessions, and tries
 * servers again that can't be reached. Whatever goes wrong becomes frames.
 */
export class LiveConnection {
  readonly #config: LiveConfig;
  readonly #host: LiveHost;
  readonly #engine: Engine;
  readonly #requests: FollowedRequests;
  readonly #inventory: Inventory;
  readonly #tap: Tap;
  #transport: Transport;
  /** How the server is reached now; auto mode may change it while starting. */
  #kind: TransportKind;
  #exchanges = 0;
  #signInUrl: string | undefined;
  readonly #reachability: Reachability | undefined;
  /** When sessions were lost that had hardly begun, on the clock. */
  readonly #sessionsLost: number[] = [];
  /** When the newest session began, on the clock. */
  #sessionBegan = 0;
  /** Why the server has no session of ours, while that is so: opening one failed. */
  #withoutSession: ConnectionError | undefined;
  /** The newest handshake after a loss; false if it failed. */
  #renewal: Promise<boolean> | undefined;
  /** ISO 8601. */
  readonly #beganAt: string;
  /** The era of this server, for the next run; undefined while it is not known. */
  #remembered: RememberedEra | undefined;
  #state: ConnectionState = 'starting';
  #negotiated: Negotiated | undefined;
  #failure: ConnectionError | undefined;
  #ending: Promise<void> | undefined;
  #gone = false;

  constructor(config: LiveConfig, host: LiveHost) {
    const { kind, protocol, clientInfo, capabilities, handlers } = config;
    this.#config = config;
    this.#host = host;
    this.#kind = kind;
    this.#beganAt = (host.began ?? momentNow(host.clock)).at;
    this.#remembered = stillKnown(config, this.#beganAt);
    this.#tap = new Tap(host);
    this.#engine = new Engine(
      {
        send: (text) => this.#transport.send(text),
        logEvent: (event) => this.event(event),
        clock: host.clock,
        respawn: () => this.#respawn(),
        probing: () => PROBING[this.#kind],
        fallBack: () => (this.#kind === 'auto' && this.#state === 'starting' ? this.#fallBack() : undefined),
        setProtocolVersion: (version, era) => this.#transport.setProtocolVersion?.(version, era),
        whenInitialized: async (withinMs) => {
          await this.#transport.whenInitialized?.(withinMs);
          if (this.#ending) throw this.#failure ?? new ConnectionError(DISCONNECTED);
        },
        cancel: (id) => this.#transport.cancel?.(id) ?? false,
      },
      { protocol, clientInfo, capabilities, handlers, ...(this.#remembered && { remembered: this.#remembered }) },
    );
    this.#requests = new FollowedRequests({
      engine: this.#engine,
      handlers: handlers ?? new Map(),
      isOpen: () => canSend(this.#state),
      event: (event) => this.event(event),
      ...(config.reconnects && { renewed: async () => (await this.#renewal) ?? false }),
    });
    this.#inventory = new Inventory(this.#engine, host.clock, () => this.#reachability?.lost !== true);
    // Recovering sends messages, which without a handshake is for the person to do.
    if (config.reconnects && protocol !== 'none') {
      this.#reachability = new Reachability({
        clock: host.clock,
        logEvent: (event) => {
          this.event(event);
          host.onStateChange?.();
        },
        reconnect: async (retryMs) => this.#transport.reconnect?.(retryMs),
        recover: () => this.#recover(),
        gaveUp: () => {
          if (this.#withoutSession) void this.#fail(this.#withoutSession);
        },
      });
    }
    this.#transport = this.#newTransport();
  }

  /** `auto` until it is known which one it is. */
  get kind(): TransportKind {
    return this.#kind;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The era that auto mode found. It saves the next run of the same server the probe. */
  get remembered(): RememberedEra | undefined {
    return this.#remembered;
  }

  /** undefined until the handshake is done. */
  get negotiated(): Negotiated | undefined {
    return this.#negotiated;
  }

  /** Where a person has to sign in before anything else happens. It holds a secret, so it is not in the log. */
  get signInUrl(): string | undefined {
    return this.#signInUrl;
  }

  /** Set while the server of an open connection can't be reached. */
  get unreachable(): Unreachable | undefined {
    return this.#reachability?.unreachable;
  }

  /** Why the server is gone, once it is. */
  get failure(): ConnectionError | undefined {
    return this.#failure;
  }

  /** True once the server is gone for good, with everything it started. */
  get ended(): boolean {
    return this.#gone;
  }

  /**
   * Starts the server and shakes hands; `start` is the log's first frame. undefined: there was to be no handshake.
   * Rejects when that fails, after the failure is in the log and what was started is gone, or kept for messages written
   * by hand.
   */
  async open(start: LifecycleEvent): Promise<Negotiated | undefined> {
    this.event(start);
    try {
      await this.#transport.open();
      const negotiated = await this.#engine.handshake();
      // Closed in the meantime: what was agreed on is of no use any more.
      if (this.#state !== 'open') throw this.#failure ?? new ConnectionError(DISCONNECTED);
      if (this.#kind === 'auto') this.#kind = 'http';
      if (negotiated) {
        this.#negotiate(negotiated);
        this.#remember(negotiated);
        if (this.#config.readsLists) this.#inventory.start(negotiated);
      } else this.#host.onStateChange?.();
      return negotiated;
    } catch (error) {
      await this.#handshakeFailed(asFailure(error));
      throw error;
    }
  }

  /**
   * Sends a request, and again where the server says how; the handle is the first one's, the outcome the last one's. Throws
   * ConnectionError, and JsonTextError for params that are no JSON.
   */
  request(method: string, params: string | undefined, options: FollowedOptions = {}): RequestHandle {
    this.#requireOpen();
    return this.#requests.request(method, params, options);
  }

  /** Sends a notification and returns its frame. Throws like {@link request}. */
  notify(method: string, params: string | undefined): number {
    this.#requireOpen();
    return this.#engine.sendNotification(method, params);
  }

  /** Sends a message that the user wrote, as soon as the server runs. Throws ConnectionError. */
  send(text: string): number {
    this.#engine.reserveSentIds(text);
    return this.#transport.send(text);
  }

  /** Sends exact text, whatever it is, as soon as the server runs. Throws ConnectionError. */
  sendRaw(text: string, terminate: boolean): number {
    this.#engine.reserveSentIds(text);
    return this.#transport.sendRaw(new TextEncoder().encode(text), terminate);
  }

  /** Gives up a request of ours, or one sent as raw text, and tells the server, if that waits. Throws ConnectionError. */
  cancel(id: RequestId): void {
    if (this.#engine.cancel(id) || this.#requests.giveUp(id, 'you gave the request up')) return;
    if (this.#transport.cancel?.(id)) return;
    // Not the engine's: the user sent it as raw text.
    this.notify('notifications/cancelled', JSON.stringify({ requestId: id, reason: 'Cancelled by the user' }));
  }

  /** Tries at once to reach a server that can't be reached. Throws ConnectionError if it can. */
  retry(): void {
    this.#requireOpen();
    this.#reachability?.retry();
  }

  /** Gives up waiting for a person who is to sign in. False: nobody is waited for. */
  cancelSignIn(): boolean {
    return this.#transport.cancelSignIn?.() ?? false;
  }

  /** Ends the server by the ladder. Resolves when it is gone; idempotent. */
  async close(reason: CloseReason): Promise<void> {
    this.#ending ??= this.#end({ event: 'closing', reason }, { event: 'closed' });
    await this.#ending;
  }

  /** Writes what happened into the log. */
  event(event: LifecycleEvent): void {
    const bytes = new TextEncoder().encode(JSON.stringify(event));
    this.#tap.appendFrame('lifecycle', 'to-client', bytes, 0, bytes.length, 0);
    if (event.event === 'era-forgotten') this.#remembered = undefined;
    const state = stateAfter(this.#state, event);
    if (state === this.#state) return;
    this.#state = state;
    this.#host.onStateChange?.();
  }

  /** For HTTP beside the connection: its exchanges are numbered and in the log like others, and mean nothing to the engine. */
  logOnlySink(): HttpSink {
    return { ...this.#tapped(), ...DEAF };
  }

  #requireOpen(): void {
    if (!canSend(this.#state)) throw new ConnectionError(notOpen(this.#state));
  }

  #newTransport(): Transport {
    const transport = this.#host.openTransport(this.#kind, {
      ...this.#tapped(),
      message: (text) => {
        this.#host.onMessage?.(text);
        this.#engine.receive(text);
      },
      ended: (end) => {
        if (this.#transport === transport) this.#serverEnded(end);
      },
      awaits: (id) => this.#engine.awaits(id) || (this.#host.awaits?.(id) ?? false),
      onUnanswered: (id, why) => {
        this.#engine.onUnanswered(id, why);
        this.#host.onUnanswered?.(id, why);
      },
      onSessionLost: (reason) => this.#sessionLost(reason),
      onUnreachable: (why) => {
        if (this.#state === 'open' && transport.reconnect) this.#reachability?.failed(why);
      },
      onPossibleRestart: () => {
        if (this.#state === 'open' && transport.reconnect) this.#reachability?.doubtful();
      },
      onReached: () => this.#reachability?.reached(),
      mayHaveRestarted: () => this.#reachability?.lost ?? false,
      onSignIn: (url) => {
        this.#signInUrl = url;
        this.#engine.holdTimeouts('sign-in', url !== undefined);
        this.#host.onStateChange?.();
      },
    });
    return transport;
  }

  /** What of a sink is about the log. */
  #tapped(): Pick<HttpSink, 'frame' | 'lifecycle' | 'nextExchange' | 'onMasked' | 'onSecrets'> {
    return {
      frame: this.#tap.appendFrame.bind(this.#tap),
      lifecycle: (event) => this.event(event),
      nextExchange: () => ++this.#exchanges,
      onMasked: (seq, fields) => this.#host.onMasked?.(seq, fields),
      onSecrets: (values) => this.#host.onSecrets?.(values),
    };
  }

  /** Auto mode: what refused Streamable HTTP may speak HTTP+SSE. Rejects if it doesn't. */
  async #fallBack(): Promise<void> {
    this.#kind = 'sse';
    this.event({ event: 'fallback', transport: 'sse', reason: 'It refused initialize, as servers of HTTP+SSE do.' });
    const old = this.#transport;
    this.#transport = this.#newTransport();
    await old.close();
    await this.#transport.open();
  }

  /** A new handshake on the same connection, unless the server forgets us faster than we can introduce ourselves. */
  #sessionLost(reason: string): void {
    if (this.#state !== 'open' || this.#config.protocol === 'none') return;
    this.event({ event: 'session-lost', reason });
    this.#engine.onSessionLost();
    const now = this.#host.clock.now();
    // A server that restarts may do so as often as it likes.
    const young = this.#reachability?.lost !== true && now - this.#sessionBegan < RECOVERED_MS;
    if (young) this.#sessionsLost.push(now);
    const recent = this.#sessionsLost.filter((at) => now - at < SESSIONS_LOST_MS);
    void (young && recent.length > MAX_SESSIONS_LOST ? this.#fail(SESSIONS_LOST) : this.#renew());
  }

  /** Opens a new session, or none where there are none, and reads everything again. False if that failed. */
  #renew(): Promise<boolean> {
    this.#renewal = this.#handshakeAgain();
    return this.#renewal;
  }

  async #handshakeAgain(): Promise<boolean> {
    try {
      const negotiated = await this.#engine.renew();
      this.#negotiate(negotiated);
      this.#withoutSession = undefined;
      this.#reachability?.recovered();
      this.#inventory.start(negotiated);
      return true;
    } catch (error) {
      const failure = asFailure(error);
      if (this.#reachability === undefined || !mayPass(failure)) {
        await this.#fail(failure);
        return false;
      }
      this.#withoutSession = new ConnectionError(failure);
      this.#reachability.doubtful();
      return false;
    }
  }

  /**
   * The server answers again, or may have restarted. Sessions are asked for by a ping: if the server has forgotten
   * ours, the transport says so. The modern era has none, so what the server says of itself is simply read again.
   */
  async #recover(): Promise<boolean> {
    if (this.#state !== 'open') return true;
    if (this.#withoutSession || this.#negotiated?.era === 'modern') return this.#renew();
    try {
      const outcome = await this.#engine.request('ping').outcome;
      const http = outcome.kind === 'error' || outcome.kind === 'lost' ? outcome.http : undefined;
      if (http?.code === 'session-lost') return (await this.#renewal) ?? false;
      if (http !== undefined) return false;
    } catch (error) {
      if (error instanceof ConnectionError) return false;
      throw error;
    }
    this.#inventory.readAgain();
    return true;
  }

  #negotiate(negotiated: Negotiated): void {
    this.#negotiated = negotiated;
    this.#sessionBegan = this.#host.clock.now();
    this.#host.onStateChange?.();
  }

  /** A new process for the same connection: the last one died of the probe, or has begun a session of the other era. */
  async #respawn(): Promise<void> {
    const old = this.#transport;
    this.#transport = this.#newTransport();
    this.#failure = undefined;
    await old.close();
    await this.#transport.open();
  }

  /** Keeps what auto mode found out. A server that is another one than remembered is probed next time. */
  #remember(negotiated: Negotiated | undefined): void {
    if (this.#config.protocol !== 'auto' || this.#kind === 'sse') return;
    const before = this.#remembered;
    const server = negotiated && serverKey(negotiated);
    if (before?.era !== 'legacy') {
      this.#remembered = negotiated && { era: negotiated.era, server: serverKey(negotiated), at: this.#beganAt };
    } else if (before.server !== server) this.#remembered = undefined;
    this.#host.onEraFound?.(this.#remembered);
  }

  /** Fails, or keeps a transport that still works open for messages that are written by hand. */
  async #handshakeFailed(failure: Failure): Promise<void> {
    if (this.#state === 'starting') this.#remember(undefined);
    // Going over to HTTP+SSE closed the first transport.
    const fellBack = this.#kind === 'sse' && this.#config.kind !== 'sse';
    const lives = this.#state === 'starting' && this.#failure === undefined && !fellBack;
    if (!lives || !this.#config.keepsTransportOpen || !LEAVES_TRANSPORT.has(failure.code)) return this.#fail(failure);
    if (this.#kind === 'auto') this.#kind = 'http';
    const { code, message, advice } = failure;
    this.event({ event: 'handshake-failed', code, message, advice });
  }

  /** The server went, by itself or on our asking. */
  #serverEnded(end: TransportEnd): void {
    const failure = end.failure ?? this.#host.exitFailure?.(this.#state, end) ?? DISCONNECTED;
    this.#failure = new ConnectionError(failure);
    const respawns = this.#engine.end(this.#failure, this.#state === 'closing');
    // While starting, the handshake rejects with the same failure, and open() reports it.
    if (canSend(this.#state) && !respawns) void this.#fail(failure);
  }

  async #fail(failure: Failure): Promise<void> {
    const { code, message, advice } = failure;
    this.#failure ??= new ConnectionError(failure);
    this.#ending ??= this.#end({ event: 'failed', code, message, advice });
    await this.#ending;
  }

  /** The one way a connection ends; `first` says why, `last` that it is over. */
  async #end(first: LifecycleEvent, last?: LifecycleEvent): Promise<void> {
    this.event(first);
    this.#reachability?.stop();
    this.#inventory.stop();
    this.#requests.end();
    await this.#transport.close();
    if (last) this.event(last);
    this.#gone = true;
    // Whoever follows the log learns that nothing more comes by itself.
    this.#host.onGrown?.();
  }
}

/** Failures of a handshake after which the server can still be written to. */
const LEAVES_TRANSPORT: ReadonlySet<string> = new Set([
  'handshake-refused',
  'handshake-timeout',
  'handshake-cancelled',
  'version-unknown',
]);

/** Returns the remembered era in auto mode, unless it is too old. `now` is ISO 8601. */
function stillKnown({ protocol, remembered }: LiveConfig, now: string): RememberedEra | undefined {
  if (protocol !== 'auto' || remembered === undefined) return undefined;
  const age = Date.parse(now) - Date.parse(remembered.at);
  return age >= 0 && age < ERA_KEPT_MS ? remembered : undefined;
}

/** Where the tap writes to. */
export interface TapHost {
  readonly clock: Clock;
  /** When the connection began, if that is not now. */
  readonly began?: Moment;
  /**
   * The log: takes `source[start, end)`, seen at `time` µs since the connection began, and returns its seq. Nobody writes to
   * `source` afterwards. Runs for every frame.
   */
  append(
    channel: Channel,
    direction: Direction,
    flags: number,
    time: number,
    source: Uint8Array,
    start: number,
    end: number,
  ): number;
  /** The log has new frames. Called once for all that came in one piece. */
  onGrown?(): void;
}

/** What every frame of a connection passes, below every parser: gives it its time and puts it into the log. */
export class Tap {
  readonly #host: TapHost;
  readonly #zero: number;
  #inChunk = false;
  #time = 0;

  constructor(host: TapHost) {
    this.#host = host;
    this.#zero = host.began?.now ?? host.clock.now();
  }

  /** Takes one frame and returns its seq. Runs for every frame: keep it lean. */
  appendFrame(
    channel: Channel,
    direction: Direction,
    source: Uint8Array,
    start: number,
    end: number,
    flags: number,
  ): number {
    // What comes in one chunk came at one time; and reading the clock for each line would be felt in a flood.
    if (!this.#inChunk || direction === 'to-server') {
      this.#time = Math.round((this.#host.clock.now() - this.#zero) * 1000);
    }
    const seq = this.#host.append(channel, direction, flags, this.#time, source, start, end);
    if (!this.#inChunk) {
      this.#inChunk = true;
      // After the whole chunk, and before anything else.
      queueMicrotask(() => {
        this.#inChunk = false;
        this.#host.onGrown?.();
      });
    }
    return seq;
  }
}

/** How auto mode asks. HTTP+SSE belongs to the legacy era alone. */
const PROBING: { readonly [K in TransportKind]: Probing } = {
  stdio: 'process',
  auto: 'http',
  http: 'http',
  sse: 'never',
};

/** What is done with news of exchanges that nobody waits for: nothing. */
const DEAF: Pick<HttpSink, 'message' | 'ended' | 'awaits' | 'onUnanswered' | 'onSessionLost'> = {
  message: () => {},
  ended: () => {},
  awaits: () => false,
  onUnanswered: () => {},
  onSessionLost: () => {},
};
