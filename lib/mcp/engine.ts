import { partialItems, partialMembers, topLevelMembers } from '@/lib/json/members';
import { isJson, parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { METHODS } from '@/lib/protocol/methods';
import { ConnectionError, type HttpFailure } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import {
  type Era,
  type Failure,
  type LifecycleEvent,
  PROTOCOL_VERSIONS,
  type ProtocolChoice,
} from '@/lib/wire/lifecycle';
import { messageText, type RequestId } from '@/lib/wire/message';
import { type LogLevel, METHOD } from '@/lib/wire/protocol-names';
import { Answering, type ClientHandlers } from './answering';
import { type HandshakePort, type Negotiated, negotiate, type ProbeMode, type RememberedEra } from './handshake';
import { PROBE_ID } from './probe-id';
import {
  outcomeOf,
  type PendingRequest,
  PendingTable,
  planProbe,
  planRequest,
  RequestIds,
  type RequestOptions,
  type RequestOutcome,
  type RequestPlan,
  sentIdsIn,
  sentProgressToken,
  traceMeta,
} from './requests';
import { type ClientInfo, eraOf, modernMeta, NEWEST_LEGACY } from './versions';
import { WrongIds } from './wrong-ids';

/** The connection, as far as the engine needs it. */
export interface EngineHost {
  /** Sends one message and returns its frame's seq. Throws ConnectionError. */
  send(text: string): number;
  logEvent(event: LifecycleEvent): void;
  readonly clock: Clock;
  /**
   * Starts the server again: after {@link Engine.end} returned true, or to replace a process that still runs. Absent: a
   * server that exits on the probe is lost.
   */
  respawn?(): Promise<void>;
  /** How auto mode probes; `process` if absent. */
  probeMode?(): ProbeMode;
  /** Switches to HTTP+SSE during the handshake. Returns undefined if that is not an option. */
  fallBack?(): Promise<void> | undefined;
  /** Called when the handshake has settled the version, before the next message is sent. */
  setProtocolVersion?(version: string, era: Era): void;
  /**
   * Resolves when the server has processed `notifications/initialized`, or after `withinMs`. Rejects if the connection
   * ends. Absent: at once.
   */
  whenInitialized?(withinMs: number): Promise<void>;
  /** True once somebody closes the connection. Absent: it stays open. */
  isClosing?(): boolean;
  /** Cancels a request by means of the transport. False: a notification has to be sent. */
  cancel?(id: RequestId): boolean;
}

/** The client as the server sees it: how it introduces itself, and what it answers. */
export interface PresentedClient {
  readonly clientInfo: ClientInfo;
  /** Returns the client capabilities to declare in a version. */
  readonly capabilities: (version: string) => JsonObject;
  /** Handlers that answer requests from the server. `capabilities` should declare the same features. */
  readonly handlers?: ClientHandlers;
  /** Further members of `_meta` in each request. Those of the engine and of the request win. */
  readonly meta?: JsonObject;
  /** Timeouts of requests that name none. */
  readonly times?: Pick<RequestOptions, 'timeoutMs' | 'maxMs'>;
}

/** How the engine opens a connection, and as which client. */
export interface EngineConfig extends PresentedClient {
  readonly protocol: ProtocolChoice;
  /** The era that auto mode found for this server in an earlier run. */
  readonly remembered?: RememberedEra;
  /** See {@link Engine.setLogLevel}. */
  readonly logLevel?: LogLevel;
  /** A request ends soon after its answer came with another id. Absent: it waits for its timeout. */
  readonly endsOnWrongId?: true;
  /** Milliseconds to wait for each answer of the handshake. Absent: the usual times. */
  readonly handshakeMs?: number | undefined;
  /**
   * Each request carries a trace context in `_meta`, so that spans of the server can name it. Not with a pinned
   * version, where requests are exactly what the user asks for.
   */
  readonly traced?: boolean | undefined;
}

/** A request that was sent. */
export interface RequestHandle {
  readonly id: RequestId;
  /** Seq of the request's frame. */
  readonly seq: number;
  /** Never rejects. */
  readonly outcome: Promise<RequestOutcome>;
}

/** Reason to stop all timeouts: a person has to act before the server's answers can come. */
type Hold = 'sign-in' | 'question' | 'task' | 'breakpoint';

/**
 * The MCP client of one connection: handshake, ids, timeouts, era rules. JSON text in, JSON text out. It repairs
 * nothing, and ignores what it doesn't understand, which is in the log anyway. Requests may be sent before the
 * handshake, too.
 */
export class Engine {
  readonly #host: EngineHost;
  readonly #config: EngineConfig;
  #client: PresentedClient;
  readonly #pending: PendingTable;
  readonly #answering: Answering;
  readonly #holds = new Set<Hold>();
  readonly #listeners = new Map<string, (params: unknown) => void>();
  readonly #ids = new RequestIds();
  readonly #wrongIds: WrongIds | undefined;
  /** Undefined until the handshake has settled the version. */
  #version: string | undefined;
  #ended: ConnectionError | undefined;
  #respawns = false;
  #logLevel: LogLevel | undefined;

  constructor(host: EngineHost, config: EngineConfig) {
    this.#host = host;
    this.#config = config;
    this.#client = config;
    this.#logLevel = config.logLevel;
    this.#pending = new PendingTable(host.clock, (request, afterMs) => this.#onTimeout(request, afterMs));
    this.#wrongIds = config.endsOnWrongId && this.#findWrongIds();
    this.#answering = new Answering({
      // Waiting for a person during the handshake would block the handshake, and the page doesn't show the question
      // yet.
      handler: (method) => (this.#version === undefined ? undefined : this.#client.handlers?.get(method)),
      reply: (text) => this.#sendIfAlive(text),
      pendingCalls: () => this.#pending.all.filter(({ method }) => METHODS.get(method)?.asks).map(({ id }) => id),
      onBusy: (busy) => this.holdTimeouts('question', busy),
    });
  }

  /**
   * Opens the connection as the config's protocol says. Resolves with undefined for `none`. Rejects with a
   * {@link ConnectionError}. Call it once.
   */
  async handshake(): Promise<Negotiated | undefined> {
    const { protocol, remembered } = this.#config;
    if (protocol !== 'none') return negotiate(this.#handshakePort(), protocol, remembered);
    this.#host.logEvent({ event: 'open' });
    return undefined;
  }

  /** Opens a new session in the negotiated version, after the server lost the old one. Rejects like the handshake. */
  renew(): Promise<Negotiated> {
    const known = PROTOCOL_VERSIONS.find((version) => version === this.#version);
    return negotiate(this.#handshakePort(), known ?? NEWEST_LEGACY);
  }

  /** Presents another client from the next message on. */
  setClient(client: PresentedClient): void {
    this.#client = client;
  }

  #findWrongIds(): WrongIds {
    return new WrongIds({
      clock: this.#host.clock,
      pending: () => this.#pending.all,
      isUsed: (id) => (typeof id === 'number' ? this.#ids.isUsed(id) : id === PROBE_ID),
      giveUp: ({ id }, unusable) => {
        this.#pending.settle(id, { kind: 'lost', unusable });
        this.#answering.onCallEnded(id, true);
      },
    });
  }

  /** Requests carry a trace context. */
  get isTraced(): boolean {
    return this.#config.traced === true && this.#config.protocol === 'auto';
  }

  /** Without a handshake the user writes every message, including answers and cancellations. */
  get #isManual(): boolean {
    return this.#config.protocol === 'none';
  }

  #handshakePort(): HandshakePort {
    return {
      clock: this.#host.clock,
      clientInfo: this.#client.clientInfo,
      answerMs: this.#config.handshakeMs,
      capabilities: this.#client.capabilities,
      sendRequest: async (method, params, timeoutMs) => {
        const text = params === undefined ? undefined : JSON.stringify(params);
        return this.sendRequest(method, text, { timeoutMs }).outcome;
      },
      probe: async (version, timeoutMs) => this.#start(planProbe(this.#metaFor(version), timeoutMs)).outcome,
      abandon: (method) => {
        const left = this.#pending.all.filter((request) => request.method === method);
        for (const { id } of left) this.#pending.settle(id, { kind: 'cancelled' });
      },
      sendNotification: (method) => this.sendNotification(method),
      whenInitialized: async (withinMs) => {
        await this.#host.whenInitialized?.(withinMs);
        if (this.#ended !== undefined) throw this.#ended;
      },
      setVersion: (version) => {
        this.#version = version;
        this.#host.setProtocolVersion?.(version, eraOf(version));
      },
      probeMode: () => this.#host.probeMode?.() ?? 'process',
      fallBack: () => this.#host.fallBack?.(),
      isClosing: () => this.#host.isClosing?.() ?? false,
      endReason: () => this.#ended ?? new ConnectionError(NOT_CONNECTED),
      canRespawn: () => this.#respawns,
      respawn: async () => {
        this.#respawns = false;
        this.#ended = undefined;
        await this.#host.respawn?.();
      },
      logEvent: (event) => this.#host.logEvent(event),
    };
  }

  /**
   * Sends a request, see {@link planRequest}. Throws {@link ConnectionError} when nothing can be sent, and
   * JsonTextError `params-not-json`.
   */
  sendRequest(method: string, params?: string, options: RequestOptions = {}): RequestHandle {
    const ours = this.#metaFor(this.#version);
    const meta = this.isTraced ? { ...traceMeta(method, options.trace), ...ours } : ours;
    return this.#start(planRequest(this.#ids.next(), method, params, meta, options, this.#client.times));
  }

  /** Sends a notification and returns its frame's seq. Throws like {@link Engine.sendRequest}. */
  sendNotification(method: string, params?: string): number {
    const seq = this.#send(messageText(method, undefined, params));
    this.#wrongIds?.onNotificationSent();
    return seq;
  }

  /**
   * Cancels a request: the server is notified, the outcome is `cancelled`, and a later answer is only logged. Returns
   * false if no request is pending under this id, or if it must not be cancelled (`initialize`).
   */
  cancel(id: RequestId, reason = 'Cancelled by the user'): boolean {
    const request = this.#pending.get(id);
    if (request === undefined || request.cancellation === 'never') return false;
    this.#pending.remove(id);
    this.#notifyCancelled(request, reason);
    request.settle({ kind: 'cancelled' });
    this.#answering.onCallEnded(id, false);
    return true;
  }

  /** True while our request with this id waits for its answer. */
  awaits(id: RequestId): boolean {
    return this.#pending.get(id) !== undefined;
  }

  /** Returns the id of our oldest request of this method that waits for its answer. */
  oldestOf(method: string): RequestId | undefined {
    return this.#pending.all.find((request) => request.method === method)?.id;
  }

  /** Returns the method of our request with this id, while it waits for its answer. */
  methodOf(id: RequestId): string | undefined {
    return this.#pending.get(id)?.method;
  }

  /**
   * Settles a request to which HTTP brought no ordinary answer. Its outcome is `lost`, or an error if the refusal held
   * one.
   */
  onUnanswered(id: RequestId, http: HttpFailure): void {
    const { error } = http;
    this.#pending.settle(id, error === undefined ? { kind: 'lost', http } : { kind: 'error', error, http });
    this.#answering.onCallEnded(id, error !== undefined);
  }

  /** Ends a request soon, with `endsOnWrongId`, because text that is not a message looks like the answer to it. */
  onBrokenAnswer(id: RequestId, unusable: Failure): void {
    this.#wrongIds?.onBrokenAnswer(id, unusable);
  }

  /** Reserves the ids in a text that the user sends past the engine, and drops the questions that it answers. */
  reserveSentIds(text: string): void {
    const { integers, answered } = sentIdsIn(text);
    for (const integer of integers) this.#ids.reserve(integer);
    for (const id of answered) this.#answering.drop(id);
  }

  /**
   * Sets the log level that each modern request asks for from now on (2026-07-28, logging). undefined: the server must
   * not log.
   */
  setLogLevel(level: LogLevel | undefined): void {
    this.#logLevel = level;
  }

  /** Stops all timeouts while `held`, because a person has to act before any answer can come. */
  holdTimeouts(why: Hold, held: boolean): void {
    if (held) this.#holds.add(why);
    else this.#holds.delete(why);
    if (this.#holds.size > 0) this.#pending.hold();
    else this.#pending.release();
  }

  /** Called when the server has forgotten the session, and with it the questions that it asked. */
  onSessionLost(): void {
    this.#answering.dropAll();
  }

  /** Refuses the server's open questions that name this task, which was cancelled or given up. */
  dropQuestionsOf(taskId: string): void {
    this.#answering.onTaskEnded(taskId);
  }

  /** Calls `run` with the params of each notification of this method. One listener per method; not for progress. */
  onNotification(method: string, run: (params: unknown) => void): void {
    this.#listeners.set(method, run);
  }

  /**
   * Acts on one message or batch from the server. Never throws: invalid JSON, wrong shapes, unexpected answers and
   * answers that are too large are ignored.
   */
  receive(text: string): void {
    let parsed: unknown;
    try {
      parsed = parseBounded(text);
    } catch (error) {
      if (error instanceof RangeError) this.#receiveTooLarge(text, error.message);
      return;
    }
    if (Array.isArray(parsed)) for (const message of parsed) this.#receiveMessage(message, text);
    else this.#receiveMessage(parsed, text, text);
  }

  /** Refuses a request that is too large to be parsed. Messages of a batch are read one by one. */
  #receiveTooLarge(text: string, why: string): void {
    for (const item of partialItems(text).items) if (item.startsWith('{')) this.receive(item);
    if (!text.startsWith('{') || !this.#answersRequests) return;
    const members = partialMembers(text);
    const id = members.get('id') ?? '';
    if (members.has('method') && /^["\d-]/.test(id) && isJson(id))
      this.#answering.refuse(id, `The request is too large: ${why}`);
  }

  /** `received`: the text with the message. `text`: that of the message, unless it came in a batch. */
  #receiveMessage(message: unknown, received: string, text?: string): void {
    if (!isObject(message)) return;
    const method = own(message, 'method');
    const id = own(message, 'id');
    const isId = typeof id === 'string' || typeof id === 'number';
    if (typeof method === 'string') {
      const params = own(message, 'params');
      if (id === undefined) this.#receiveNotification(method, params);
      else if (isId && this.awaits(id) && outcomeOf(message)) this.onBrokenAnswer(id, hasMethod(this.methodOf(id)!));
      else if (isId && this.#isEcho(id, method)) this.#endEcho();
      else if (isId && this.#answersRequests) {
        this.#answering.handleRequest({ method, params, id, idText: exactId(id, text) });
      }
      return;
    }
    const outcome = outcomeOf(message);
    if (outcome === undefined) return;
    if (isId && this.awaits(id)) this.#wrongIds?.onRightAnswer(id, message);
    else this.#wrongIds?.onOtherAnswer(message, outcome);
    if (!isId) return;
    const request = this.#pending.get(id);
    request?.onAnswer?.(received, request.method);
    this.#pending.settle(id, outcome);
    this.#answering.onCallEnded(id, true);
  }

  /** Returns true for our own first request, which no server sends. */
  #isEcho(id: RequestId, method: string): boolean {
    return OPENING_METHODS.has(method) && this.#pending.get(id)?.method === method;
  }

  #endEcho(): void {
    this.#ended = new ConnectionError(ECHO);
    this.#pending.settleAll({ kind: 'lost' });
  }

  /** Modern servers send no requests. */
  get #answersRequests(): boolean {
    return !this.#isManual && (this.#version === undefined || eraOf(this.#version) !== 'modern');
  }

  #receiveNotification(method: string, params: unknown): void {
    if (method === METHOD.progress) this.#receiveProgress(params);
    else if (method === METHOD.cancelled) this.#receiveCancelled(params);
    else this.#listeners.get(method)?.(params);
  }

  /**
   * Handles a cancellation. Servers cancel their own requests; modern servers can also end a subscription, which is our
   * request.
   */
  #receiveCancelled(params: unknown): void {
    const id = isObject(params) ? own(params, 'requestId') : undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#answering.drop(id);
    const endless = METHODS.get(this.#pending.get(id)?.method ?? '')?.endless === true;
    if (endless) this.#pending.settle(id, { kind: 'cancelled' });
  }

  #receiveProgress(params: unknown): void {
    const token = isObject(params) ? own(params, 'progressToken') : undefined;
    if (isObject(params) && (typeof token === 'string' || typeof token === 'number')) {
      this.#pending.onProgress(token, params);
    }
  }

  /**
   * Called when the server is gone. Every pending request becomes `lost`. Returns true if that happened during auto
   * mode's probe: the engine then calls the host's `respawn`, and the connection goes on. Pass `final` when the user
   * disconnects.
   */
  end(reason: ConnectionError, final = false): boolean {
    this.#respawns = !final && this.#host.respawn !== undefined && this.#pending.get(PROBE_ID) !== undefined;
    this.#ended = reason;
    this.#wrongIds?.stop();
    this.#answering.dropAll();
    this.#pending.settleAll({ kind: 'lost' });
    return this.#respawns;
  }

  #start({ text, request }: RequestPlan): RequestHandle {
    const { id } = request;
    const token = sentProgressToken(JSON.parse(text));
    if (typeof token === 'number') this.#ids.reserve(token);
    const outcome = new Promise<RequestOutcome>((settle) => this.#pending.add({ ...request, text, token, settle }));
    try {
      return { id, seq: this.#send(text), outcome };
    } catch (error) {
      this.#pending.remove(id);
      throw error;
    }
  }

  /** Returns the `_meta` of a request, apart from what the request itself adds. */
  #metaFor(version: string | undefined): JsonObject {
    const { clientInfo, capabilities, meta = {} } = this.#client;
    if (version === undefined || eraOf(version) === 'legacy') return meta;
    return { ...meta, ...modernMeta(version, clientInfo, capabilities(version), this.#logLevel) };
  }

  #onTimeout(request: PendingRequest, afterMs: number): void {
    this.#host.logEvent({ event: 'timeout', id: request.id, method: request.method, afterMs });
    if (!this.#isManual) this.#notifyCancelled(request, `No response after ${afterMs} ms`);
    this.#answering.onCallEnded(request.id, false);
  }

  #notifyCancelled(request: PendingRequest, reason: string): void {
    if (request.cancellation !== 'notified' || this.#host.cancel?.(request.id)) return;
    this.#sendIfAlive(messageText(METHOD.cancelled, undefined, JSON.stringify({ requestId: request.id, reason })));
  }

  #send(text: string): number {
    if (this.#ended !== undefined) throw this.#ended;
    return this.#host.send(text);
  }

  /** Sends unless the server has just gone. */
  #sendIfAlive(text: string): void {
    try {
      this.#send(text);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
}

/** Returns the id as the server wrote it: JSON.parse loses digits of numbers beyond 2^53. */
function exactId(id: RequestId, text: string | undefined): string {
  if (typeof id === 'string' || Number.isSafeInteger(id) || text === undefined) return JSON.stringify(id);
  const written = topLevelMembers(text).findLast((member) => member.key === 'id');
  return written === undefined ? JSON.stringify(id) : text.slice(written.start, written.end);
}

const NOT_CONNECTED: Failure = {
  code: 'not-connected',
  message: 'The server is gone.',
  advice: 'Restart the connection.',
};

/** Our first requests, in either era. */
const OPENING_METHODS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** The failure of a request whose answer has `method`, which makes it a request. */
function hasMethod(method: string): Failure {
  return {
    code: 'answer-broken',
    message: `The server’s answer to ${method} has a \`method\`, so it is not a response.`,
    advice: 'Leave `method` out of responses.',
  };
}

const ECHO: Failure = {
  code: 'echo',
  message: 'The program returns what mcp-inspect sends, as `cat` does. It is not an MCP server.',
  advice: 'Check the command and its arguments.',
};
