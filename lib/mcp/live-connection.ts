import { ConnectionError, type HttpSink, type Transport, type TransportEnd } from '@/lib/transports/transport';
import { momentOn } from '@/lib/wire/clock';
import { type ConnectionState, canSend, type Failure, type LifecycleEvent, stateAfter } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import { asFailure, DISCONNECTED, mayPass, notOpen, SESSIONS_LOST } from './connection-failures';
import { Engine, type RequestHandle } from './engine';
import { type FollowedOptions, FollowedRequests } from './followed-requests';
import { type Negotiated, type RememberedEra, serverKey } from './handshake';
import { Inventory } from './inventory';
import type { CloseReason, LiveConfig, LiveHost, TransportKind } from './live-host';
import { PROBING } from './probing';
import { Reachability, type Unreachable } from './reachability';
import { DEAF } from './side-sink';
import { Tap } from './tap';

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
    this.#beganAt = (host.began ?? momentOn(host.clock)).at;
    this.#remembered = stillKnown(config, this.#beganAt);
    this.#tap = new Tap(host);
    this.#engine = new Engine(
      {
        send: (text) => this.#transport.send(text),
        lifecycle: (event) => this.event(event),
        clock: host.clock,
        respawn: () => this.#respawn(),
        probing: () => PROBING[this.#kind],
        fallBack: () => (this.#kind === 'auto' && this.#state === 'starting' ? this.#fallBack() : undefined),
        negotiated: (version, era) => this.#transport.negotiated?.(version, era),
        introduced: async (withinMs) => {
          await this.#transport.introduced?.(withinMs);
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
        event: (event) => {
          this.event(event);
          host.changed?.();
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
        if (this.#config.inventory) this.#inventory.start(negotiated);
      } else this.#host.changed?.();
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
    return this.#engine.notify(method, params);
  }

  /** Sends a message that the user wrote, as soon as the server runs. Throws ConnectionError. */
  send(text: string): number {
    this.#engine.noteSent(text);
    return this.#transport.send(text);
  }

  /** Sends exact text, whatever it is, as soon as the server runs. Throws ConnectionError. */
  sendRaw(text: string, terminate: boolean): number {
    this.#engine.noteSent(text);
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
  abandonSignIn(): boolean {
    return this.#transport.abandonSignIn?.() ?? false;
  }

  /** Ends the server by the ladder. Resolves when it is gone; idempotent. */
  async close(reason: CloseReason): Promise<void> {
    this.#ending ??= this.#end({ event: 'closing', reason }, { event: 'closed' });
    await this.#ending;
  }

  /** Writes what happened into the log. */
  event(event: LifecycleEvent): void {
    const bytes = new TextEncoder().encode(JSON.stringify(event));
    this.#tap.frame('lifecycle', 'to-client', bytes, 0, bytes.length, 0);
    if (event.event === 'era-forgotten') this.#remembered = undefined;
    const state = stateAfter(this.#state, event);
    if (state === this.#state) return;
    this.#state = state;
    this.#host.changed?.();
  }

  /** For HTTP beside the connection: its exchanges are numbered and in the log like others, and mean nothing to the engine. */
  sideSink(): HttpSink {
    return { ...this.#tapped(), ...DEAF };
  }

  #requireOpen(): void {
    if (!canSend(this.#state)) throw new ConnectionError(notOpen(this.#state));
  }

  #newTransport(): Transport {
    const transport = this.#host.openTransport(this.#kind, {
      ...this.#tapped(),
      message: (text) => {
        this.#host.message?.(text);
        this.#engine.receive(text);
      },
      ended: (end) => {
        if (this.#transport === transport) this.#serverEnded(end);
      },
      awaits: (id) => this.#engine.awaits(id) || (this.#host.awaits?.(id) ?? false),
      unanswered: (id, why) => {
        this.#engine.unanswered(id, why);
        this.#host.unanswered?.(id, why);
      },
      sessionLost: (reason) => this.#sessionLost(reason),
      unreachable: (why) => {
        if (this.#state === 'open' && transport.reconnect) this.#reachability?.failed(why);
      },
      doubtful: () => {
        if (this.#state === 'open' && transport.reconnect) this.#reachability?.doubtful();
      },
      reached: () => this.#reachability?.reached(),
      mayHaveRestarted: () => this.#reachability?.lost ?? false,
      signIn: (url) => {
        this.#signInUrl = url;
        this.#engine.hold('sign-in', url !== undefined);
        this.#host.changed?.();
      },
    });
    return transport;
  }

  /** What of a sink is about the log. */
  #tapped(): Pick<HttpSink, 'frame' | 'lifecycle' | 'nextExchange' | 'masked' | 'secrets'> {
    return {
      frame: this.#tap.frame.bind(this.#tap),
      lifecycle: (event) => this.event(event),
      nextExchange: () => ++this.#exchanges,
      masked: (seq, fields) => this.#host.masked?.(seq, fields),
      secrets: (values) => this.#host.secrets?.(values),
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
    this.#engine.forgotten();
    const now = this.#host.clock.now();
    // A server that restarts may do so as often as it likes.
    const young = this.#reachability?.lost !== true && now - this.#sessionBegan < LIMITS.recoveredMs;
    if (young) this.#sessionsLost.push(now);
    const recent = this.#sessionsLost.filter((at) => now - at < LIMITS.sessionsLostMs);
    void (young && recent.length > LIMITS.sessionsLost ? this.#fail(SESSIONS_LOST) : this.#renew());
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
    this.#host.changed?.();
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
    this.#host.eraFound?.(this.#remembered);
  }

  /** Fails, or keeps a transport that still works open for messages that are written by hand. */
  async #handshakeFailed(failure: Failure): Promise<void> {
    if (this.#state === 'starting') this.#remember(undefined);
    // Going over to HTTP+SSE closed the first transport.
    const fellBack = this.#kind === 'sse' && this.#config.kind !== 'sse';
    const lives = this.#state === 'starting' && this.#failure === undefined && !fellBack;
    if (!lives || !this.#config.keepsUnopened || !LEAVES_TRANSPORT.has(failure.code)) return this.#fail(failure);
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
    this.#host.grown?.();
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
  return age >= 0 && age < LIMITS.eraKeptMs ? remembered : undefined;
}
