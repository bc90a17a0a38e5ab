import { METHODS } from '@/lib/protocol/methods';
import { ConnectionError, type Unanswered } from '@/lib/transports/transport';
import { spliceParams } from '@/lib/wire/json-text';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { isObject, type JsonObject, own, type RequestId } from '@/lib/wire/message';
import { Answering } from './answering';
import { NOT_CONNECTED } from './connection-failures';
import type { EngineConfig, EngineHost } from './engine-host';
import { type HandshakePort, type Negotiated, negotiate } from './handshake';
import { type InboundPort, receiveText } from './inbound';
import { modernMeta } from './modern-meta';
import type { Outcome } from './outcome';
import { type PendingRequest, PendingTable } from './pending';
import { RequestIds } from './request-ids';
import { PROBE_ID, planProbe, planRequest, type RequestOptions, type RequestPlan } from './request-plan';
import { marksIn, progressTokenOf } from './sent-marks';
import { eraOf, NEWEST_LEGACY } from './versions';

/** A request on its way. */
export interface RequestHandle {
  readonly id: RequestId;
  /** Of the frame that carries it. */
  readonly seq: number;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
}

/** What a person may be asked, with the server's answers waiting for that. */
type Hold = 'sign-in' | 'question';

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
  readonly #answering: Answering;
  /** Why no request times out now. */
  readonly #holds = new Set<Hold>();
  readonly #listeners = new Map<string, (params: unknown) => void>();
  readonly #ids = new RequestIds();
  #version: string | undefined;
  #ended: ConnectionError | undefined;
  #respawns = false;

  constructor(host: EngineHost, config: EngineConfig) {
    this.#host = host;
    this.#config = config;
    this.#pending = new PendingTable(host.clock, (request, afterMs) => this.#expired(request, afterMs));
    this.#answering = new Answering({
      // Whoever asks before the handshake is done would keep it waiting, and nobody sees it yet.
      handler: (method) => (this.#version === undefined ? undefined : config.handlers?.get(method)),
      reply: (text) => this.#sendIfAlive(text),
      calls: () => this.#pending.all.filter(({ method }) => METHODS.get(method)?.asks).map(({ id }) => id),
      thinking: (busy) => this.hold('question', busy),
    });
    this.#inbound = {
      era: () => (this.#version === undefined ? undefined : eraOf(this.#version)),
      answered: (id, outcome) => {
        this.#pending.settle(id, outcome);
        this.#answering.callOver(id, true);
      },
      notified: (method, params) => {
        if (method === PROGRESS) this.#progressed(params);
        else if (method === CANCELLED) this.#calledOff(params);
        else this.#listeners.get(method)?.(params);
      },
      asked: (request) => {
        if (!this.#isByHand) this.#answering.asked(request);
      },
    };
  }

  /**
   * Opens the connection as the config's protocol says; undefined if that is without a handshake. Rejects with a
   * {@link ConnectionError}. To be called once.
   */
  async handshake(): Promise<Negotiated | undefined> {
    const { protocol, remembered } = this.#config;
    if (protocol !== 'none') return negotiate(this.#handshakePort(), protocol, remembered);
    this.#host.lifecycle({ event: 'open' });
    return undefined;
  }

  /** Without a handshake the person writes every message, answers and cancellations included. */
  get #isByHand(): boolean {
    return this.#config.protocol === 'none';
  }

  /** Opens the session again in the negotiated version, after the server lost it. Rejects like the handshake. */
  renew(): Promise<Negotiated> {
    const known = PROTOCOL_VERSIONS.find((version) => version === this.#version);
    return negotiate(this.#handshakePort(), known ?? NEWEST_LEGACY);
  }

  #handshakePort(): HandshakePort {
    return {
      clock: this.#host.clock,
      clientInfo: this.#config.clientInfo,
      capabilities: this.#config.capabilities,
      ask: async (method, params, timeoutMs) => {
        const text = params === undefined ? undefined : JSON.stringify(params);
        return this.request(method, text, { timeoutMs }).outcome;
      },
      probe: async (version, timeoutMs) => this.#start(planProbe(this.#modernMeta(version), timeoutMs)).outcome,
      abandon: (method) => {
        const left = this.#pending.all.filter((request) => request.method === method);
        for (const { id } of left) this.#pending.settle(id, { kind: 'cancelled' });
      },
      tell: (method) => this.#send(spliceParams(method)),
      introduced: async (withinMs) => {
        await this.#host.introduced?.(withinMs);
        if (this.#ended !== undefined) throw this.#ended;
      },
      adopt: (version) => {
        this.#version = version;
        this.#host.negotiated?.(version, eraOf(version));
      },
      probing: () => this.#host.probing?.() ?? 'process',
      fallBack: () => this.#host.fallBack?.(),
      goneBecause: () => this.#ended ?? new ConnectionError(NOT_CONNECTED),
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
   * Sends a request, made as {@link planRequest} says. Throws {@link ConnectionError} when nothing can be sent, and JsonTextError
   * `params-not-json`.
   */
  request(method: string, params?: string, options: RequestOptions = {}): RequestHandle {
    const version = this.#version;
    const meta = version !== undefined && eraOf(version) === 'modern' ? this.#modernMeta(version) : {};
    return this.#start(planRequest(this.#ids.next(), method, params, meta, options));
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
    this.#answering.callOver(id, false);
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
    this.#answering.callOver(id, error !== undefined);
  }

  /** Tells of a text that the user sent past the engine: no id or token of ours meets one in it, and what it answers is answered. */
  noteSent(text: string): void {
    const { integers, answered } = marksIn(text);
    for (const integer of integers) this.#ids.take(integer);
    for (const id of answered) this.#answering.drop(id);
  }

  /** While `held`, no request times out: a person is asked something first, and no answer can come before. */
  hold(why: Hold, held: boolean): void {
    if (held) this.#holds.add(why);
    else this.#holds.delete(why);
    if (this.#holds.size > 0) this.#pending.hold();
    else this.#pending.release();
  }

  /** The server has forgotten us, and so what it asked. */
  forgotten(): void {
    this.#answering.dropAll();
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
    this.#answering.dropAll();
    this.#pending.settleAll({ kind: 'lost' });
    return this.#respawns;
  }

  #start({ text, request }: RequestPlan): RequestHandle {
    const { id } = request;
    const token = progressTokenOf(JSON.parse(text));
    if (typeof token === 'number') this.#ids.take(token);
    const outcome = new Promise<Outcome>((settle) => this.#pending.add({ ...request, token, settle }));
    try {
      return { id, seq: this.#send(text), outcome };
    } catch (error) {
      this.#pending.remove(id);
      throw error;
    }
  }

  #modernMeta(version: string): JsonObject {
    const { clientInfo, capabilities, logLevel } = this.#config;
    return modernMeta(version, clientInfo, capabilities(version), logLevel);
  }

  /**
   * Servers call off what they asked of us; in the modern era, where they ask nothing, only the one request of ours that has no
   * other end: a subscription.
   */
  #calledOff(params: unknown): void {
    const id = isObject(params) ? own(params, 'requestId') : undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#answering.drop(id);
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
    if (!this.#isByHand) this.#tellCancelled(request, `No answer after ${afterMs} ms`);
    this.#answering.callOver(request.id, false);
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
