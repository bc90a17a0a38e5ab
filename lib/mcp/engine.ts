import { METHODS } from '@/lib/protocol/methods';
import { ConnectionError, type Unanswered } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { spliceParams } from '@/lib/wire/json-text';
import { type Era, type LifecycleEvent, PROTOCOL_VERSIONS, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own, type RequestId } from '@/lib/wire/message';
import { type HandshakePort, type Negotiated, negotiate, type Probing } from './handshake';
import { type ClientHandler, type InboundPort, receiveText } from './inbound';
import { type ClientInfo, modernMeta } from './modern-meta';
import type { Outcome } from './outcome';
import { type PendingRequest, PendingTable } from './pending';
import { integersIn, progressTokenOf } from './sent-marks';
import { eraOf, NEWEST_LEGACY } from './versions';

/** What the engine needs around it. */
export interface EngineHost {
  /** Sends one message and returns its frame's seq. May throw a {@link ConnectionError}. */
  send(text: string): number;
  lifecycle(event: LifecycleEvent): void;
  readonly clock: Clock;
  /** Starts the same server again after {@link Engine.end} returned true. Absent: a server that exits on the probe is lost. */
  respawn?(): Promise<void>;
  /** How auto mode asks what the server speaks; `process` if absent. */
  probing?(): Probing;
  /** Goes over to HTTP+SSE during the handshake; undefined if that is not open. */
  fallBack?(): Promise<void> | undefined;
  /** The handshake agreed on this; what is sent from now on is of this version. */
  negotiated?(version: string, era: Era): void;
  /** Tells the server by the transport's own means that a request is given up. False: it takes a notification. */
  cancel?(id: RequestId): boolean;
}

export interface EngineConfig {
  readonly protocol: ProtocolChoice;
  readonly clientInfo: ClientInfo;
  /** Client capabilities, sent as they are. */
  readonly capabilities: JsonObject;
  /** Answers what servers ask of a client, by method; `capabilities` should promise the same. */
  readonly handlers?: ReadonlyMap<string, ClientHandler>;
  /** Modern era: how much the server may log for our requests. Absent: not at all. */
  readonly logLevel?: string;
}

export interface RequestOptions {
  /** Longest silence; {@link LIMITS.requestMs} if absent. */
  readonly timeoutMs?: number;
  /** Progress starts the silence anew; true if absent. */
  readonly resetOnProgress?: boolean;
  /** Longest wait in all; {@link LIMITS.requestMaxMs} if absent. */
  readonly maxMs?: number;
  /** Gets the params of each progress notification, unchecked. */
  readonly onProgress?: (params: JsonObject) => void;
}

/** A request on its way. */
export interface RequestHandle {
  readonly id: RequestId;
  /** Of the frame that carries it. */
  readonly seq: number;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
}

/** Id of auto mode's probe. A string, so that it can't meet the integers of other requests. */
const PROBE_ID = 'mcp-inspect-probe';

const DEFAULT_WAIT = { timeoutMs: LIMITS.requestMs, maxMs: LIMITS.requestMaxMs };
const ENDLESS = { timeoutMs: Number.POSITIVE_INFINITY, maxMs: Number.POSITIVE_INFINITY };

const PROGRESS = 'notifications/progress';
const CANCELLED = 'notifications/cancelled';

/**
 * The MCP client of one connection: handshake, ids, timeouts, era rules. Text in, text out; it repairs nothing and drops
 * nothing, because what it doesn't understand is in the log anyway. Requests may be sent before the handshake too.
 */
export class Engine {
  readonly #host: EngineHost;
  readonly #config: EngineConfig;
  readonly #pending: PendingTable;
  readonly #inbound: InboundPort;
  readonly #listeners = new Map<string, (params: unknown) => void>();
  /** Integers that the user gave out as ids or progress tokens. */
  readonly #taken = new Set<number>();
  #nextId = 1;
  #version: string | undefined;
  #ended: ConnectionError | undefined;
  #respawns = false;

  constructor(host: EngineHost, config: EngineConfig) {
    this.#host = host;
    this.#config = config;
    this.#pending = new PendingTable(host.clock, (request, afterMs) => this.#expired(request, afterMs));
    this.#inbound = {
      era: () => (this.#version === undefined ? undefined : eraOf(this.#version)),
      answered: (id, outcome) => this.#pending.settle(id, outcome),
      notified: (method, params) => {
        if (method === PROGRESS) this.#progressed(params);
        else if (method === CANCELLED) this.#unsubscribed(params);
        else this.#listeners.get(method)?.(params);
      },
      handler: (method) => config.handlers?.get(method),
      reply: (text) => this.#sendIfAlive(text),
    };
  }

  /** Opens the connection as the config's protocol says. Rejects with a {@link ConnectionError}. To be called once. */
  handshake(): Promise<Negotiated> {
    return negotiate(this.#handshakePort(), this.#config.protocol);
  }

  /** Opens it anew in the legacy version agreed on before: the server has forgotten us. Rejects like the handshake. */
  renew(): Promise<Negotiated> {
    const known = PROTOCOL_VERSIONS.find((version) => version === this.#version && eraOf(version) === 'legacy');
    return negotiate(this.#handshakePort(), known ?? NEWEST_LEGACY);
  }

  #handshakePort(): HandshakePort {
    return {
      clientInfo: this.#config.clientInfo,
      capabilities: this.#config.capabilities,
      ask: async (method, params, timeoutMs) => {
        const text = params === undefined ? undefined : JSON.stringify(params);
        return this.request(method, text, { timeoutMs }).outcome;
      },
      probe: async (version, timeoutMs) => {
        const method = 'server/discover';
        const text = spliceParams(method, PROBE_ID, undefined, this.#modernMeta(version));
        const patience = { timeoutMs, maxMs: timeoutMs, resetOnProgress: false };
        return this.#start(text, { id: PROBE_ID, method, cancellation: 'silent', patience }).outcome;
      },
      tell: (method) => this.#send(spliceParams(method)),
      adopt: (version) => {
        this.#version = version;
        this.#host.negotiated?.(version, eraOf(version));
      },
      probing: () => this.#host.probing?.() ?? 'process',
      fallBack: () => this.#host.fallBack?.(),
      goneBecause: () => this.#ended ?? notConnected(),
      canRespawn: () => this.#respawns,
      respawn: async () => {
        this.#respawns = false;
        this.#ended = undefined;
        await this.#host.respawn?.();
      },
      lifecycle: (event) => this.#host.lifecycle(event),
    };
  }

  /**
   * Sends a request. `params` is JSON text and goes out as it stands (see {@link spliceParams}); `_meta` gets what the era
   * and the method need and the user did not give. Throws {@link ConnectionError} when nothing can be sent, and
   * JsonTextError `params-not-json`.
   */
  request(method: string, params?: string, options: RequestOptions = {}): RequestHandle {
    const row = METHODS.get(method);
    const id = this.#newId();
    const era = this.#version !== undefined && eraOf(this.#version) === 'modern' ? this.#modernMeta(this.#version) : {};
    const meta = row?.progress === true ? { ...era, progressToken: id } : era;
    const text = spliceParams(method, id, params, meta);
    const wait = row?.endless === true ? ENDLESS : DEFAULT_WAIT;
    const patience = {
      timeoutMs: options.timeoutMs ?? wait.timeoutMs,
      maxMs: options.maxMs ?? wait.maxMs,
      resetOnProgress: options.resetOnProgress ?? true,
    };
    const cancellation = row?.cancellable === false ? 'never' : 'told';
    return this.#start(text, { id, method, cancellation, patience, onProgress: options.onProgress });
  }

  /** Sends a notification and returns its frame's seq. Throws like {@link Engine.request}. */
  notify(method: string, params?: string): number {
    return this.#send(spliceParams(method, undefined, params));
  }

  /**
   * Gives a request up: the server is told, the outcome is `cancelled`, and an answer that still comes is only in the log.
   * False if nothing of ours waits under this id, or if it may not be cancelled (`initialize`).
   */
  cancel(id: RequestId, reason = 'Cancelled by the user'): boolean {
    const request = this.#pending.get(id);
    if (request === undefined || request.cancellation === 'never') return false;
    this.#pending.remove(id);
    this.#tellCancelled(request, reason);
    request.settle({ kind: 'cancelled' });
    return true;
  }

  /** True while a request of ours under this id waits for its answer. */
  awaits(id: RequestId): boolean {
    return this.#pending.get(id) !== undefined;
  }

  /** HTTP brought no ordinary answer to this request: it is `lost`, or an error if the refusal held one. */
  unanswered(id: RequestId, http: Unanswered): void {
    const { error } = http;
    this.#pending.settle(id, error === undefined ? { kind: 'lost', http } : { kind: 'error', error, http });
  }

  /** Tells of a text that the user sent past the engine, so that no id or token of ours meets one in it. */
  noteSent(text: string): void {
    for (const integer of integersIn(text)) this.#taken.add(integer);
  }

  /** While `held`, no request times out: a person is asked something first, and no answer can come before. */
  hold(held: boolean): void {
    if (held) this.#pending.hold();
    else this.#pending.release();
  }

  /** Calls `run` with the params of each notification of this method; one listener a method. Progress is the engine's own. */
  onNotification(method: string, run: (params: unknown) => void): void {
    this.#listeners.set(method, run);
  }

  /** Takes one line of the server's. Never throws, whatever comes. */
  receive(text: string): void {
    receiveText(text, this.#inbound);
  }

  /**
   * The server is gone: every request that waits is `lost`. True if that happened during auto mode's probe: then the engine
   * is about to call the host's `respawn`, and the connection goes on. `final` rules that out (the user disconnects).
   */
  end(reason: ConnectionError, final = false): boolean {
    this.#respawns = !final && this.#host.respawn !== undefined && this.#pending.get(PROBE_ID) !== undefined;
    this.#ended = reason;
    this.#pending.settleAll({ kind: 'lost' });
    return this.#respawns;
  }

  #start(text: string, request: Omit<PendingRequest, 'token' | 'settle'>): RequestHandle {
    const { id } = request;
    const token = progressTokenOf(JSON.parse(text));
    if (typeof token === 'number') this.#taken.add(token);
    const outcome = new Promise<Outcome>((settle) => this.#pending.add({ ...request, token, settle }));
    try {
      return { id, seq: this.#send(text), outcome };
    } catch (error) {
      this.#pending.remove(id);
      throw error;
    }
  }

  #newId(): number {
    while (this.#taken.has(this.#nextId)) this.#nextId++;
    return this.#nextId++;
  }

  #modernMeta(version: string): JsonObject {
    const { clientInfo, capabilities, logLevel } = this.#config;
    return modernMeta(version, clientInfo, capabilities, logLevel);
  }

  /** In the modern era servers call off nothing but the one request that has no other end: a subscription. */
  #unsubscribed(params: unknown): void {
    const id = isObject(params) ? own(params, 'requestId') : undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const endless = METHODS.get(this.#pending.get(id)?.method ?? '')?.endless === true;
    if (endless) this.#pending.settle(id, { kind: 'cancelled' });
  }

  #progressed(params: unknown): void {
    const token = isObject(params) ? own(params, 'progressToken') : undefined;
    if (isObject(params) && (typeof token === 'string' || typeof token === 'number')) {
      this.#pending.progress(token, params);
    }
  }

  #expired(request: PendingRequest, afterMs: number): void {
    this.#host.lifecycle({ event: 'timeout', id: request.id, method: request.method, afterMs });
    this.#tellCancelled(request, `No answer after ${afterMs} ms`);
  }

  #tellCancelled(request: PendingRequest, reason: string): void {
    if (request.cancellation !== 'told' || this.#host.cancel?.(request.id)) return;
    this.#sendIfAlive(spliceParams(CANCELLED, undefined, JSON.stringify({ requestId: request.id, reason })));
  }

  #send(text: string): number {
    if (this.#ended !== undefined) throw this.#ended;
    return this.#host.send(text);
  }

  /** For what nobody waits for: a server that has just gone is no error here. */
  #sendIfAlive(text: string): void {
    try {
      this.#send(text);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
}

function notConnected(): ConnectionError {
  return new ConnectionError({
    code: 'not-connected',
    message: 'The server is gone.',
    advice: 'Restart the connection.',
  });
}
