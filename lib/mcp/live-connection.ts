import { type JsonObject, own, textOrJson } from '@/lib/json/value';
import {
  ConnectionError,
  type HttpFailure,
  type HttpSink,
  type Transport,
  type TransportEnd,
} from '@/lib/transports/transport';
import type { AuthStep } from '@/lib/wire/auth-step';
import type { Target } from '@/lib/wire/command';
import { declares } from '@/lib/wire/declares';
import type { Direction } from '@/lib/wire/frame';
import { type ConnectionState, canSend, type Failure, type LifecycleEvent, stateAfter } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import { type LogLevel, METHOD } from '@/lib/wire/protocol-names';
import { isTaskMethod } from '@/lib/wire/task';
import { newTrace } from '@/lib/wire/trace-context';
import type { ClientHandlers } from './answering';
import { ChosenLogLevel } from './chosen-log-level';
import { asFailure, DISCONNECTED, exitFailure, notOpen } from './connection-failures';
import { Engine, type EngineConfig, type PresentedClient, type RequestHandle } from './engine';
import { EraMemory } from './era-memory';
import { type FollowUpOptions, FollowUps } from './follow-ups';
import type { Negotiated, ProbeMode, RememberedEra } from './handshake';
import { LiveInterception } from './interception';
import { ServerLists } from './listing';
import { LogTap, type TapHost } from './log-tap';
import type { MessageInterceptor, RuleOwner, RuleSet } from './message-interceptor';
import { Reachability, type Unreachable } from './reachability';
import type { RequestOutcome } from './requests';
import { Sessions } from './sessions';
import { TaskFollower } from './tasks/task-follower';

const encoder = new TextEncoder();

/** How to reach a server. `auto`: Streamable HTTP, and HTTP+SSE if the server refuses that. */
export type TransportKind = Target['transport'];

/** Why a connection is being ended. */
export type CloseReason = Extract<LifecycleEvent, { event: 'closing' }>['reason'];

interface LiveConfig extends EngineConfig {
  readonly kind: TransportKind;
  /** Reads all lists of the server after the handshake, and again when they change. */
  readonly readsLists: boolean;
  /** Tries to reach a server at a URL again while the connection is open. Absent: requests fail at once. */
  readonly reconnects?: true;
  /** Keeps the transport open after a failed handshake, if it can, for hand-written messages. Absent: closes it. */
  readonly keepsTransportOpen?: true;
}

/** Receives the server's OpenTelemetry while the connection lasts. */
export interface TelemetryLink {
  /** Starts to receive, before the server starts. Each unit is a frame of channel `otel`. Never rejects. */
  open(append: (bytes: Uint8Array) => undefined, logEvent: (event: LifecycleEvent) => void): Promise<void>;
  /** Stops to receive, after what has arrived. Never rejects. */
  close(): Promise<void>;
}

/** The owner of a connection: the proxy's hub, a subcommand, or the page itself. */
export interface LiveHost extends TapHost {
  openTransport(kind: TransportKind, sink: HttpSink): Transport;
  /** Receives the server's telemetry. Absent: it is not received. */
  readonly telemetry?: TelemetryLink | undefined;
  /** The state, the transport or the negotiated facts changed. */
  onStateChange?(): void;
  /** Auto mode found the era of this server, or dropped it. Not called for a pinned version. */
  onEraFound?(remembered: RememberedEra | undefined): void;
  /** Called with each message before the engine acts on it. */
  onMessage?(text: string): void;
  /** True while a message sent as raw text waits for its answer. */
  awaits?(id: RequestId): boolean;
  /** A message sent as raw text will not be answered any more. */
  onUnanswered?(id: RequestId, why: HttpFailure): void;
}

/**
 * One live link to one server: the engine above, the transport below, and the tap (log-tap.ts) between them, which puts
 * every frame into the log. It also switches transports in auto mode and restarts a process that died on the probe.
 * {@link Sessions} replaces lost sessions, {@link Reachability} tries to reach a server again. Every failure becomes
 * frames.
 */
export class LiveConnection {
  readonly #config: LiveConfig;
  readonly #host: LiveHost;
  readonly #tap: LogTap;
  readonly #interception: LiveInterception;
  readonly #engine: Engine;
  readonly #logs: ChosenLogLevel;
  readonly #followUps: FollowUps;
  readonly #tasks: TaskFollower;
  readonly #lists: ServerLists;
  readonly #reachability: Reachability | undefined;
  readonly #sessions: Sessions;
  #transport: Transport;
  /** The current transport. Auto mode may replace it while starting. */
  #kind: TransportKind;
  #signInUrl: string | undefined;
  readonly #era: EraMemory;
  #state: ConnectionState = 'starting';
  #negotiated: Negotiated | undefined;
  #handlers: ClientHandlers;
  #failure: ConnectionError | undefined;
  #stateReason: Failure | undefined;
  #ending: Promise<void> | undefined;
  /**
   * A refusal may mean that the server has forgotten the session, so the next 400 counts as that. Only without
   * {@link Reachability}, which asks by itself.
   */
  #doubtsSession = false;
  #spawned = false;
  #ended = false;

  constructor(config: LiveConfig, host: LiveHost) {
    const { kind, protocol, logLevel } = config;
    this.#config = config;
    this.#handlers = config.handlers ?? new Map();
    this.#host = host;
    this.#kind = kind;
    this.#tap = new LogTap(host);
    this.#era = new EraMemory(config, this.#tap.beganAt);
    this.#engine = new Engine(
      {
        send: (text) => this.#sendText(text),
        logEvent: (event) => this.event(event),
        clock: host.clock,
        respawn: () => this.#respawn(),
        probeMode: () => PROBE_MODES[this.#kind],
        fallBack: () => (this.#kind === 'auto' && this.#state === 'starting' ? this.#fallBack() : undefined),
        setProtocolVersion: (version, era) => this.#transport.setProtocolVersion?.(version, era),
        whenInitialized: async (withinMs) => {
          await this.#transport.whenInitialized?.(withinMs);
          if (this.#ending) throw this.#failure ?? new ConnectionError(DISCONNECTED);
        },
        isClosing: () => this.#ending !== undefined,
        cancel: (id) => this.#transport.cancel?.(id) ?? false,
      },
      { ...config, remembered: this.#era.remembered },
    );
    this.#logs = new ChosenLogLevel(this.#engine, logLevel, (event) => this.event(event));
    this.#followUps = new FollowUps({
      engine: this.#engine,
      handlers: this.#handlers,
      isOpen: () => canSend(this.#state),
      logEvent: (event) => this.event(event),
      renewed: async () => (await this.#sessions.renewal) ?? false,
      ...(!config.reconnects && { doubtsSession: () => this.#doubtsSession }),
    });
    this.#tasks = new TaskFollower({
      engine: this.#engine,
      clock: host.clock,
      handlers: () => this.#handlers,
      isOpen: () => canSend(this.#state),
      terms: () => this.#negotiated,
      logEvent: (event) => this.event(event),
    });
    this.#lists = new ServerLists(this.#engine, host.clock, () => this.#reachability?.lost !== true);
    // Recovering sends messages, which without a handshake is up to the user.
    if (config.reconnects && protocol !== 'none') {
      this.#reachability = new Reachability({
        clock: host.clock,
        logEvent: (event) => {
          this.event(event);
          host.onStateChange?.();
        },
        reconnect: async (retryMs) => this.#transport.reconnect?.(retryMs),
        recover: () => this.#sessions.recover(),
        onGiveUp: () => this.#sessions.giveUp(),
      });
    }
    this.#sessions = new Sessions({
      clock: host.clock,
      engine: this.#engine,
      lists: config.readsLists ? this.#lists : undefined,
      reachability: this.#reachability,
      isOpen: () => this.#state === 'open',
      onSession: (negotiated) => this.#beginSession(negotiated),
      logEvent: (event) => this.event(event),
      fail: (failure) => this.#fail(failure),
    });
    this.#interception = new LiveInterception({
      clock: host.clock,
      tap: this.#tap,
      transport: () => this.#transport,
      logEvent: (event) => this.#tap.appendEvent(event),
      receive: (text) => this.#receive(text),
      methodOf: (id) => this.#engine.methodOf(id),
      onUnanswered: (id, why) => this.#onUnanswered(id, why),
      readTools: () => this.#lists.readAgain('tools/list'),
      fail: (failure) => void this.#fail(failure),
      holdTimeouts: (held) => this.#engine.holdTimeouts('breakpoint', held),
    });
    this.#transport = this.#newTransport();
  }

  /** The transport in use; `auto` until the handshake has determined it. */
  get kind(): TransportKind {
    return this.#kind;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The era that auto mode found, which spares the next run of the same server the probe. */
  get remembered(): RememberedEra | undefined {
    return this.#era.remembered;
  }

  /** undefined until the handshake is done. */
  get negotiated(): Negotiated | undefined {
    return this.#negotiated;
  }

  /** The page where a person has to sign in now. Not in the log, because it holds a secret. */
  get signInUrl(): string | undefined {
    return this.#signInUrl;
  }

  /** Set while the server of an open connection can't be reached. */
  get unreachable(): Unreachable | undefined {
    return this.#reachability?.unreachable;
  }

  /** Why the state is `failed` or `handshake-failed`. */
  get stateReason(): Failure | undefined {
    return this.#stateReason;
  }

  /** Why the server is gone. undefined while it is not. */
  get failure(): ConnectionError | undefined {
    return this.#failure;
  }

  /** True for a command whose process has not started. */
  get neverStarted(): boolean {
    return this.#kind === 'stdio' && !this.#spawned;
  }

  /** True once the server and everything it started are gone for good. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Starts the server and performs the handshake. `start` becomes the log's first frame. Resolves with undefined for
   * the protocol `none`. Rejects with the failure, after logging it and ending the server or keeping it for raw
   * messages. `prepare` runs before the first message.
   */
  async open(start: LifecycleEvent, prepare?: () => Promise<void>): Promise<Negotiated | undefined> {
    this.event(start);
    try {
      await prepare?.();
      await this.#host.telemetry?.open(
        (bytes) => {
          this.#tap.append('otel', 'to-client', bytes);
          return undefined;
        },
        (event) => this.event(event),
      );
      await this.#transport.open(this.#config.handshakeMs);
      const negotiated = await this.#engine.handshake();
      // The connection was closed in the meantime.
      if (this.#state !== 'open') throw this.#failure ?? new ConnectionError(DISCONNECTED);
      if (this.#kind === 'auto') this.#kind = 'http';
      if (negotiated) {
        this.#beginSession(negotiated);
        this.#rememberEra(negotiated);
        if (this.#config.readsLists) this.#lists.start(negotiated);
      } else this.#host.onStateChange?.();
      return negotiated;
    } catch (error) {
      await this.#handshakeFailed(asFailure(error));
      throw error;
    }
  }

  /**
   * Sends a request, sends it again where {@link FollowUps} says so, and follows its task if `options` say so. `id` and
   * `seq` are those of the first request, the outcome is that of the last, or of its task. Throws ConnectionError, and
   * JsonTextError for params that are not JSON.
   */
  request(method: string, params: string | undefined, given: FollowUpOptions = {}): RequestHandle {
    this.#requireOpen();
    // Its follow-ups belong to the same trace.
    const options = this.#engine.isTraced ? { trace: newTrace(), ...given } : given;
    const sent = options.task ? this.#tasks.paramsFor(params, options.task) : params;
    const handle = this.#engine.sendRequest(method, sent, options);
    let latest = handle.id;
    const answer = this.#followUps.outcomeOf(handle, method, sent, {
      ...options,
      onAgain: (id, again) => {
        latest = id;
        options.onAgain?.(id, again);
      },
    });
    if (!options.followsTask || isTaskMethod(method)) return { ...handle, outcome: answer };
    return { ...handle, outcome: answer.then((outcome) => this.#tasks.outcomeOf(latest, outcome, options)) };
  }

  /** Returns the method of our request with this id, while it waits for its answer. */
  methodOf(id: RequestId): string | undefined {
    return this.#engine.methodOf(id);
  }

  /** Returns the id of our oldest request of this method that waits for its answer. */
  oldestOf(method: string): RequestId | undefined {
    return this.#engine.oldestOf(method);
  }

  /** See {@link Engine.onBrokenAnswer}. */
  onBrokenAnswer(id: RequestId, unusable: Failure): void {
    this.#engine.onBrokenAnswer(id, unusable);
  }

  /** Presents another client from the next message on. `relists`: reads every list again. */
  setClient(client: PresentedClient, relists: boolean): void {
    this.#engine.setClient(client);
    this.#handlers = client.handlers ?? new Map();
    this.#followUps.setHandlers(this.#handlers);
    if (relists) this.#lists.readAgain();
  }

  /** Stops all timeouts while the server's requests run as tasks, which wait for a person. */
  holdForTasks(held: boolean): void {
    this.#engine.holdTimeouts('task', held);
  }

  /** Follows a task that this connection did not start, from its description. Never rejects. */
  followTask(task: JsonObject, options: FollowUpOptions): Promise<RequestOutcome> {
    const isModern = this.#negotiated?.era === 'modern';
    const result = isModern ? { ...task, resultType: 'task' } : { task };
    return this.#tasks.outcomeOf(`task ${textOrJson(own(task, 'taskId'))}`, { kind: 'result', result }, options);
  }

  /** Sends a notification and returns its frame's seq. Throws like {@link request}. */
  notify(method: string, params: string | undefined): number {
    this.#requireOpen();
    return this.#engine.sendNotification(method, params);
  }

  /**
   * Replaces the rules of an owner. `isWanted` is asked once the code is loaded. Rejects with a Failure `bad-rule`, or
   * with a ConnectionError.
   */
  async setRules(set: RuleSet, isWanted: () => boolean = () => true): Promise<void> {
    if (this.#ending !== undefined) throw new ConnectionError(notOpen(this.#state));
    await this.#interception.setRules(set, () => this.#ending === undefined && isWanted());
  }

  /** Removes the rules of an owner, and passes on the messages that they hold. */
  removeRules(owner: RuleOwner): void {
    this.#interception.removeOwner(owner);
  }

  /** The interceptor of this connection, while it has rules or messages that wait. */
  get interceptor(): MessageInterceptor | undefined {
    return this.#interception.interceptor;
  }

  /** Sends a hand-written message once the server runs, and returns its frame's seq. Throws ConnectionError. */
  send(text: string): number {
    const seq = this.#sendText(text);
    this.#engine.reserveSentIds(text);
    return seq;
  }

  /** Sends exact text, valid or not, once the server runs, and returns its frame's seq. Throws ConnectionError. */
  sendRaw(text: string, terminate: boolean): number {
    const bytes = encoder.encode(text);
    const pass = (): number => this.#transport.sendRaw(bytes, terminate);
    const seq = terminate ? this.#interception.send(bytes, pass) : pass();
    this.#engine.reserveSentIds(text);
    return seq;
  }

  /**
   * Cancels a request, even one that was sent as raw text, or its task, and notifies the server. Throws
   * ConnectionError.
   */
  cancel(id: RequestId): void {
    if (this.#engine.cancel(id) || this.#followUps.stopRound(id, 'you cancelled the request')) return;
    if (this.#tasks.cancel(id)) return;
    if (this.#transport.cancel?.(id)) return;
    // The engine doesn't know it, so it was sent as raw text.
    this.notify(METHOD.cancelled, JSON.stringify({ requestId: id, reason: 'Cancelled by the user' }));
  }

  /** The log level that the user chose; undefined for none. */
  get logLevel(): LogLevel | undefined {
    return this.#logs.level;
  }

  /**
   * Asks the server for log messages of this level and above: at once in a legacy session, with each request in a
   * modern one. undefined: the next modern requests ask for none. Throws ConnectionError.
   */
  setLogLevel(level: LogLevel | undefined): void {
    this.#requireOpen();
    this.#logs.choose(level, this.#negotiated?.era);
  }

  /** Resolves when a legacy server has answered the newest `logging/setLevel`. Never rejects. */
  get logLevelSet(): Promise<unknown> {
    return this.#logs.answered;
  }

  /** Tries to reach an unreachable server now. Throws ConnectionError if the server can be reached. */
  retry(): void {
    this.#requireOpen();
    this.#reachability?.retry();
  }

  /** Stops waiting for a person to sign in. Returns false if no sign-in is pending. */
  cancelSignIn(): boolean {
    return this.#transport.cancelSignIn?.() ?? false;
  }

  /** Runs one step of authorization alone, even after the end. Rejects with a ConnectionError. */
  async runAuthStep(step: AuthStep, signal: AbortSignal): Promise<void> {
    const running = this.#transport.runAuthStep?.(step, signal);
    if (!running) throw new ConnectionError(NO_AUTHORIZATION);
    await running;
  }

  /** Sends what only some hosts send, if the transport can. Resolves when the answers are logged. Never rejects. */
  async sendAsHosts(signal: AbortSignal): Promise<void> {
    if (!this.#transport.sendAsHosts) return;
    this.event({ event: 'look-further', where: 'host-requests' });
    await this.#transport.sendAsHosts(signal);
  }

  /** Ends the server by the kill ladder. Resolves when it is gone. Idempotent. */
  async close(reason: CloseReason): Promise<void> {
    this.#ending ??= this.#end({ event: 'closing', reason }, { event: 'closed' });
    await this.#ending;
  }

  /** Logs a message between an app and its host, which is the page. */
  logAppMessage(direction: Direction, text: string): void {
    this.#tap.appendAppMessage(direction, encoder.encode(text));
  }

  /** Logs a lifecycle event, and moves to the state that it leads to. */
  event(event: LifecycleEvent): void {
    this.#tap.appendEvent(event);
    if (event.event === 'era-forgotten') this.#era.forget();
    if (event.event === 'spawned') this.#spawned = true;
    const state = stateAfter(this.#state, event);
    if (state === this.#state) return;
    this.#state = state;
    this.#stateReason = reasonOf(event);
    this.#host.onStateChange?.();
  }

  /**
   * Returns a sink for further HTTP exchanges, which are numbered and logged like the others but don't reach the
   * engine.
   */
  logOnlySink(): HttpSink {
    return {
      ...this.#tap.sink((event) => this.event(event)),
      onMessage: () => {},
      onEnd: () => {},
      awaits: () => false,
      onUnanswered: () => {},
      onSessionLost: () => {},
    };
  }

  /** Sends one message of the engine, unless a rule takes it. */
  #sendText(text: string): number {
    const pass = (): number => this.#transport.send(text);
    return this.#interception.interceptor === undefined ? pass() : this.#interception.send(encoder.encode(text), pass);
  }

  #receive(text: string): void {
    this.#host.onMessage?.(text);
    this.#engine.receive(text);
  }

  #onUnanswered(id: RequestId, why: HttpFailure): void {
    this.#engine.onUnanswered(id, why);
    this.#host.onUnanswered?.(id, why);
  }

  #requireOpen(): void {
    if (!canSend(this.#state)) throw new ConnectionError(notOpen(this.#state));
  }

  #newTransport(): Transport {
    const { protocol } = this.#config;
    const transport = this.#host.openTransport(this.#kind, {
      ...this.#tap.sink((event) => this.event(event)),
      onMessage: (text) => this.#receive(text),
      onEnd: (end) => {
        if (this.#transport === transport) this.#serverEnded(end);
      },
      awaits: (id) =>
        (this.#engine.awaits(id) || (this.#host.awaits?.(id) ?? false)) && !this.#interception.holdsAnswerTo(id),
      onUnanswered: (id, why) => this.#onUnanswered(id, why),
      onSessionLost: (reason) => {
        if (protocol !== 'none') this.#sessions.onLost(reason);
      },
      onUnreachable: (why) => {
        if (this.#state === 'open' && transport.reconnect) this.#reachability?.onUnreachable(why);
      },
      onPossibleRestart: () => {
        if (this.#state !== 'open' || !transport.reconnect) return;
        if (this.#reachability) this.#reachability.onPossibleRestart();
        // Asking sends messages, which without a handshake is up to the user.
        else this.#doubtsSession = protocol !== 'none';
      },
      onReached: () => this.#reachability?.onReached(),
      mayHaveRestarted: () => this.#reachability?.lost ?? this.#doubtsSession,
      onSignIn: (url) => {
        this.#signInUrl = url;
        this.#engine.holdTimeouts('sign-in', url !== undefined);
        this.#host.onStateChange?.();
      },
    });
    return transport;
  }

  /**
   * Switches to HTTP+SSE in auto mode, because a server that refused Streamable HTTP may speak it. Rejects if the
   * server doesn't.
   */
  async #fallBack(): Promise<void> {
    this.#kind = 'sse';
    this.event({
      event: 'fallback',
      transport: 'sse',
      reason: 'The server refused initialize, as HTTP+SSE servers do.',
    });
    const old = this.#transport;
    this.#transport = this.#newTransport();
    await old.close();
    await this.#transport.open(this.#config.handshakeMs);
  }

  #beginSession(negotiated: Negotiated): void {
    this.#negotiated = negotiated;
    this.#doubtsSession = false;
    this.#sessions.onBegun(negotiated);
    if (declares(negotiated.capabilities, ['logging'])) this.#logs.askAgain(negotiated.era);
    this.#host.onStateChange?.();
  }

  /** Replaces a process that died on the probe, or that has a session of the other era. */
  async #respawn(): Promise<void> {
    const old = this.#transport;
    this.#transport = this.#newTransport();
    this.#failure = undefined;
    await old.close();
    await this.#transport.open(this.#config.handshakeMs);
  }

  /** Remembers the era that auto mode found. */
  #rememberEra(negotiated: Negotiated | undefined): void {
    if (this.#config.protocol !== 'auto' || this.#kind === 'sse') return;
    this.#era.onHandshake(negotiated);
    this.#host.onEraFound?.(this.#era.remembered);
  }

  /** Fails, or keeps a transport that still works open for hand-written messages. */
  async #handshakeFailed(failure: Failure): Promise<void> {
    if (this.#state === 'starting') this.#rememberEra(undefined);
    // The fallback to HTTP+SSE closed the first transport.
    const fellBack = this.#kind === 'sse' && this.#config.kind !== 'sse';
    const alive = this.#state === 'starting' && this.#failure === undefined && !fellBack;
    if (!alive || !this.#config.keepsTransportOpen || !KEEPS_TRANSPORT.has(failure.code)) return this.#fail(failure);
    if (this.#kind === 'auto') this.#kind = 'http';
    const { code, message, advice } = failure;
    this.event({ event: 'handshake-failed', code, message, advice });
  }

  /** Called when the server went away, by itself or because we closed it. */
  #serverEnded(end: TransportEnd): void {
    const failure = end.failure ?? exitFailure(this.#state, end) ?? DISCONNECTED;
    // Its end may be the consequence of an earlier failure, which says more.
    if (this.#ending === undefined || this.#failure === undefined) this.#failure = new ConnectionError(failure);
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

  /** Ends the connection, whatever the cause. `first` and `last` are logged before and after the server is closed. */
  async #end(first: LifecycleEvent, last?: LifecycleEvent): Promise<void> {
    this.event(first);
    this.#interception.end();
    this.#reachability?.stop();
    this.#lists.stop();
    this.#followUps.stop();
    this.#tasks.stop();
    await this.#transport.close();
    await this.#host.telemetry?.close();
    if (last) this.event(last);
    this.#ended = true;
    // Viewers of the log check `ended` when the log grows.
    this.#host.onGrown?.();
  }
}

function reasonOf(event: LifecycleEvent): Failure | undefined {
  if (event.event !== 'failed' && event.event !== 'handshake-failed') return undefined;
  const { code, message, advice } = event;
  return { code, message, advice };
}

/** How auto mode probes. HTTP+SSE belongs to the legacy era. */
const PROBE_MODES: { readonly [K in TransportKind]: ProbeMode } = {
  stdio: 'process',
  auto: 'http',
  http: 'http',
  sse: 'never',
};

/** Failures of a handshake after which the server can still be written to. */
const KEEPS_TRANSPORT: ReadonlySet<string> = new Set([
  'handshake-refused',
  'handshake-timeout',
  'handshake-cancelled',
  'version-unknown',
]);

const NO_AUTHORIZATION = {
  code: 'no-authorization',
  message: 'mcp-inspect does not sign in on this connection.',
  advice: 'Connect via proxy to a URL, without an Authorization header of your own.',
};
