import { messageText, topLevelMembers } from '@/lib/json/members';
import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own, type RequestId } from '@/lib/json/value';
import { METHODS } from '@/lib/protocol/methods';
import { isNetworkFailure } from '@/lib/transports/http-failures';
import { ConnectionError, type HttpFailure } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import {
  type ConnectionState,
  type Era,
  type Failure,
  isFailure,
  type LifecycleEvent,
  PROTOCOL_VERSIONS,
  type ProtocolChoice,
} from '@/lib/wire/lifecycle';
import { Answering, type ClientHandlers, type ServerRequest } from './answering';
import { type HandshakePort, type Negotiated, negotiate, type Probing, type RememberedEra } from './handshake';
import {
  marksIn,
  type Outcome,
  outcomeOf,
  type PendingRequest,
  PendingTable,
  PROBE_ID,
  planProbe,
  planRequest,
  progressTokenOf,
  RequestIds,
  type RequestOptions,
  type RequestPlan,
} from './requests';
import { type ClientInfo, eraOf, modernMeta, NEWEST_LEGACY } from './versions';

/**
 * Sessions that may be lost within this time, each sooner than `recoveredMs`, before the connection counts as failed.
 */
export const MAX_SESSIONS_LOST = 3;
export const SESSIONS_LOST_MS = 60_000;

/** What the engine needs around it. */
export interface EngineHost {
  /** Sends one message and returns its frame's seq. May throw a ConnectionError. */
  send(text: string): number;
  logEvent(event: LifecycleEvent): void;
  readonly clock: Clock;
  /**
   * Starts the same server again: after the engine's `end` returned true, or in the place of a process that still runs.
   * Absent: a server that exits on the probe is lost.
   */
  respawn?(): Promise<void>;
  /** How auto mode asks what the server speaks; `process` if absent. */
  probing?(): Probing;
  /** Goes over to HTTP+SSE during the handshake; undefined if that is not open. */
  fallBack?(): Promise<void> | undefined;
  /** The handshake agreed on this; what is sent from now on is of this version. */
  setProtocolVersion?(version: string, era: Era): void;
  /** Resolves when the server has taken `notifications/initialized`; rejects if the connection ends meanwhile. Absent: at once. */
  whenInitialized?(withinMs: number): Promise<void>;
  /** Tells the server by the transport's own means that a request is given up. False: it takes a notification. */
  cancel?(id: RequestId): boolean;
}

/** How the engine introduces itself, and what it does for servers. */
export interface EngineConfig {
  readonly protocol: ProtocolChoice;
  /** The era that auto mode found for this server in an earlier run. */
  readonly remembered?: RememberedEra;
  readonly clientInfo: ClientInfo;
  /** The client capabilities that are declared in this version's words. */
  readonly capabilities: (version: string) => JsonObject;
  /** Answers what servers ask of a client, by method; `capabilities` should promise the same. */
  readonly handlers?: ClientHandlers;
  /** Modern era: how much the server may log for our requests. Absent: not at all. */
  readonly logLevel?: string;
}

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
      thinking: (busy) => this.holdTimeouts('question', busy),
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
    this.#host.logEvent({ event: 'open' });
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
      sendRequest: async (method, params, timeoutMs) => {
        const text = params === undefined ? undefined : JSON.stringify(params);
        return this.request(method, text, { timeoutMs }).outcome;
      },
      probe: async (version, timeoutMs) => this.#start(planProbe(this.#modernMeta(version), timeoutMs)).outcome,
      abandon: (method) => {
        const left = this.#pending.all.filter((request) => request.method === method);
        for (const { id } of left) this.#pending.settle(id, { kind: 'cancelled' });
      },
      sendNotification: (method) => this.#send(messageText(method)),
      whenInitialized: async (withinMs) => {
        await this.#host.whenInitialized?.(withinMs);
        if (this.#ended !== undefined) throw this.#ended;
      },
      setVersion: (version) => {
        this.#version = version;
        this.#host.setProtocolVersion?.(version, eraOf(version));
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
      logEvent: (event) => this.#host.logEvent(event),
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
  sendNotification(method: string, params?: string): number {
    return this.#send(messageText(method, undefined, params));
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
  onUnanswered(id: RequestId, http: HttpFailure): void {
    const { error } = http;
    this.#pending.settle(id, error === undefined ? { kind: 'lost', http } : { kind: 'error', error, http });
    this.#answering.callOver(id, error !== undefined);
  }

  /** Tells of a text that the user sent past the engine: no id or token of ours meets one in it, and what it answers is answered. */
  reserveSentIds(text: string): void {
    const { integers, answered } = marksIn(text);
    for (const integer of integers) this.#ids.reserve(integer);
    for (const id of answered) this.#answering.drop(id);
  }

  /** While `held`, no request times out: a person is asked something first, and no answer can come before. */
  holdTimeouts(why: Hold, held: boolean): void {
    if (held) this.#holds.add(why);
    else this.#holds.delete(why);
    if (this.#holds.size > 0) this.#pending.hold();
    else this.#pending.release();
  }

  /** The server has forgotten us, and so what it asked. */
  onSessionLost(): void {
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
    if (typeof token === 'number') this.#ids.reserve(token);
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
    this.#host.logEvent({ event: 'timeout', id: request.id, method: request.method, afterMs });
    if (!this.#isByHand) this.#tellCancelled(request, `No answer after ${afterMs} ms`);
    this.#answering.callOver(request.id, false);
  }

  #tellCancelled(request: PendingRequest, reason: string): void {
    if (request.cancellation !== 'told' || this.#host.cancel?.(request.id)) return;
    this.#sendIfAlive(messageText(CANCELLED, undefined, JSON.stringify({ requestId: request.id, reason })));
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

/** What arriving messages may do to the engine. */
export interface InboundPort {
  /** undefined while it is not known yet. */
  era(): Era | undefined;
  answered(id: RequestId, outcome: Outcome): void;
  notified(method: string, params: unknown): void;
  asked(request: ServerRequest): void;
}

/**
 * Acts on one line. Lines that are no JSON, monsters, arrays of anything (batches of 2025-03-26), envelopes of the wrong shape and
 * answers nobody waits for are all possible; they are in the log, and here they do nothing.
 */
function receiveText(text: string, port: InboundPort): void {
  let parsed: unknown;
  try {
    parsed = parseBounded(text);
  } catch {
    return;
  }
  if (Array.isArray(parsed)) for (const message of parsed) receiveMessage(message, undefined, port);
  else receiveMessage(parsed, text, port);
}

function receiveMessage(message: unknown, text: string | undefined, port: InboundPort): void {
  if (!isObject(message)) return;
  const method = own(message, 'method');
  const id = own(message, 'id');
  const isId = typeof id === 'string' || typeof id === 'number';
  if (typeof method === 'string') {
    if (id === undefined) port.notified(method, own(message, 'params'));
    else if (isId && port.era() !== 'modern') {
      port.asked({ method, params: own(message, 'params'), id, idText: exactId(id, text) });
    }
    return;
  }
  const outcome = isId ? outcomeOf(message) : undefined;
  if (isId && outcome !== undefined) port.answered(id, outcome);
}

/** The id as the server wrote it: JSON.parse loses digits of numbers past 2^53, and the answer must carry the same ones. */
function exactId(id: RequestId, text: string | undefined): string {
  if (typeof id === 'string' || Number.isSafeInteger(id) || text === undefined) return JSON.stringify(id);
  const written = topLevelMembers(text).findLast((member) => member.key === 'id');
  return written === undefined ? JSON.stringify(id) : text.slice(written.start, written.end);
}

/** Renewing sessions has become a storm. */
export const SESSIONS_LOST: Failure = {
  code: 'session-lost',
  message: `The server forgot the session more than ${MAX_SESSIONS_LOST} times in ${SESSIONS_LOST_MS / 1000} seconds.`,
  advice: 'See whether requests reach several instances that do not share their sessions, then restart the connection.',
};

/** Why requests of a connection that we closed are lost. */
export const DISCONNECTED: Failure = {
  code: 'disconnected',
  message: 'The connection was closed.',
  advice: 'Restart it to go on.',
};

/** Whatever was thrown, as something for people. */
export function asFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  return {
    code: 'internal',
    message: `mcp-inspect itself failed: ${error instanceof Error ? error.message : String(error)}.`,
    advice: 'Restart the server; if it happens again, report it with this log.',
  };
}

/** True for why a handshake failed that may go well a moment later: the server is restarting. */
export function mayPass(failure: Failure): boolean {
  const status = 'status' in failure ? Number(failure.status) : 0;
  return isNetworkFailure(failure) || status === 404 || status >= 500;
}

/** Why nothing can be sent in this state. */
export function notOpen(state: ConnectionState): Failure {
  return {
    code: 'not-connected',
    message: `The connection is ${state}, so nothing can be sent.`,
    advice: state === 'starting' ? 'Wait until the server has answered.' : 'Restart the server to go on.',
  };
}

/** Nobody told why. */
const NOT_CONNECTED: Failure = {
  code: 'not-connected',
  message: 'The server is gone.',
  advice: 'Restart the connection.',
};
