import { isObject, type JsonObject, own } from '@/lib/json/value';
import { PROBE_ID } from '@/lib/mcp/probe-id';
import { eraOf, NEWEST_LEGACY } from '@/lib/mcp/versions';
import { tableVersion } from '@/lib/protocol/rows';
import type { Message } from '@/lib/store/classify';
import { RecentMap } from '@/lib/store/columns/collections';
import { headerOf } from '@/lib/transports/http-link';
import { type Direction, type Frame, OPPOSITE } from '@/lib/wire/frame';
import { type HttpFrame, MASK, type SessionNumber } from '@/lib/wire/http-frame';
import type { Era, LifecycleEvent, ProtocolVersion } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, type RequestId } from '@/lib/wire/message';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { taskIdIn } from '@/lib/wire/task';

const NOTHING: JsonObject = {};

/** A request, which is remembered even after its response. */
export interface TrackedRequest {
  readonly seq: number;
  readonly direction: Direction;
  readonly id: RequestId;
  readonly method: string;
  /** `{}` if the request has none, and after the response. */
  params: JsonObject;
  readonly version: ProtocolVersion | undefined;
  readonly batch: boolean;
  /** Number of its HTTP exchange. */
  readonly exchange: number | undefined;
  /** True if the response may be a task, which continues after the response. */
  readonly task: boolean;
  /** The task that it is about. */
  readonly taskId: string | undefined;
  answerSeq: number | undefined;
}

/** A message in the context of earlier ones. */
export interface SeenMessage {
  readonly seq: number;
  /** Microseconds since the start of the log. */
  readonly time: number;
  readonly direction: Direction;
  readonly kind: Message['kind'];
  readonly id: Message['id'];
  /** `''` if it has none. */
  readonly method: string;
  readonly body: JsonObject;
  /** `{}` if they are not an object. */
  readonly params: JsonObject;
  /** The version that applies; undefined before the negotiation. */
  readonly version: ProtocolVersion | undefined;
  readonly modern: boolean;
  /** True if the message is part of a batch. */
  readonly batch: boolean;
  /** For responses: the request with this id, answered or not. */
  readonly request: TrackedRequest | undefined;
  /** For responses to a list request: the cursor that was sent. */
  readonly cursor: unknown;
  /** Number of its HTTP exchange. */
  readonly exchange: number | undefined;
}

/** Results whose schema check is skipped, because a worker hung on it: these seqs, and all from `from` on. */
export interface SkippedChecks {
  readonly seqs: readonly number[];
  readonly from?: number;
}

export function isSkipped(skipped: SkippedChecks | undefined, seq: number): boolean {
  const { seqs = [], from = Infinity } = skipped ?? {};
  return seqs.includes(seq) || seq >= from;
}

type HttpRequestFrame = Extract<HttpFrame, { kind: 'request' }>;
type HttpResponseFrame = Extract<HttpFrame, { kind: 'response' }>;

/** An HTTP request and its response. */
export interface TrackedExchange {
  readonly request: HttpRequestFrame;
  readonly seq: number;
  /** The session of the first request. A redirect to another origin has none. */
  readonly session: SessionMark | undefined;
  /** True if the posted message is `initialize`. */
  opens: boolean;
  status: number | undefined;
  contentType: string | undefined;
  /** Kind of the posted message; for a batch, of its first message. */
  posted: Message['kind'] | undefined;
}

/**
 * A session id as far as the log shows it: its number; its text, if the log does not mask it; or just `masked`, in logs
 * of older versions.
 */
export type SessionMark = SessionNumber | { readonly text: string } | 'masked';

/** Returns the session id in the headers of a request or response. */
export function sessionIn({ session, headers }: HttpRequestFrame | HttpResponseFrame): SessionMark | undefined {
  if (session !== undefined) return session;
  const text = headerOf(headers, 'mcp-session-id');
  if (text === undefined) return undefined;
  return text === MASK ? 'masked' : { text };
}

/** The negotiated state and the open requests, according to the log so far. */
export class ProtocolState {
  transport: 'stdio' | 'http' | 'sse' | undefined;
  /** True for a session of other programs, which a tap has recorded. */
  isTapped = false;
  version: ProtocolVersion | undefined;
  /** The version requested last, negotiated or not. */
  requestedVersion: ProtocolVersion | undefined;
  clientCapabilities: JsonObject | undefined;
  serverCapabilities: JsonObject | undefined;
  /** True after `notifications/initialized`. */
  initialized = false;
  /**
   * The session that the server assigned in its response to `initialize`; `none` if it assigned none. undefined if that
   * is unknown, or the session has ended.
   */
  session: SessionMark | 'none' | undefined;
  /** The `initialize` request. */
  #initialize: TrackedRequest | undefined;
  /** Requests by direction and id, including answered ones. */
  #requests = new RecentMap<string, TrackedRequest>();
  /** Requests of the session that was lost last. */
  #lostRequests = new RecentMap<string, TrackedRequest>();
  /** Requests that are or were held, with the number of the hold. They may not be on channel `protocol` yet. */
  readonly #heldRequests = new RecentMap<string, number>();
  readonly exchanges = new RecentMap<number, TrackedExchange>();
  /** Called before a result is checked against its tool's schema. */
  readonly onSchemaCheck: (seq: number) => void;
  /** Results whose schema check is skipped. */
  skippedChecks: SkippedChecks | undefined;
  /** Auto mode's probe or `initialize`, whichever was answered too late to count. */
  #lateHandshake: TrackedRequest | undefined;
  /** The `http` frame right before the current frame. */
  #http: HttpFrame | undefined;
  /** seq of the newest `http` frame. */
  httpSeq = 0;

  constructor(onSchema: (seq: number) => void = () => {}) {
    this.onSchemaCheck = onSchema;
  }

  /** seq of the `initialize` request. */
  get initializeSeq(): number | undefined {
    return this.#initialize?.seq;
  }

  /** True if the schema check of this result is skipped. */
  isCheckSkipped(seq: number): boolean {
    return isSkipped(this.skippedChecks, seq);
  }

  /** True if the negotiated version is 2026-07-28 or later. */
  get modern(): boolean {
    return this.version !== undefined && eraOf(this.version) === 'modern';
  }

  /** Returns the request with this direction and id. */
  findRequest(direction: Direction, id: unknown): TrackedRequest | undefined {
    return this.#requests.get(`${direction} ${idKey(id)}`);
  }

  /** Returns the request whose id differs from this response's only in type. */
  findByOtherIdType(direction: Direction, id: RequestId): TrackedRequest | undefined {
    const other = typeof id === 'string' ? Number(id) : String(id);
    if (typeof other === 'number' && (Number.isNaN(other) || String(other) !== id)) return undefined;
    return this.findRequest(OPPOSITE[direction], other);
  }

  /** True if a session that was lost had a request with this direction and id. */
  wasLost(direction: Direction, id: unknown): boolean {
    return this.#lostRequests.has(`${direction} ${idKey(id)}`);
  }

  /** True if a rule of mcp-inspect holds a request with this direction and id, or did. */
  wasHeld(direction: Direction, id: unknown): boolean {
    return this.#heldRequests.has(`${direction} ${idKey(id)}`);
  }

  /** True if the server answered the HTTP exchange with status 400 or higher. */
  isRefusal(exchange: number | undefined): boolean {
    return exchange !== undefined && (this.exchanges.get(exchange)?.status ?? 0) >= 400;
  }

  /** True once some requests have been forgotten. */
  get hasForgotten(): boolean {
    return this.#requests.size >= LIMITS.rulesMemory;
  }

  /** Describes a message in the context of earlier ones. Call it before {@link addMessage}. */
  describe({ seq, time, direction }: Frame, { kind, id, method, body }: Message, batch: boolean): SeenMessage {
    const raw = own(body, 'params');
    const params = isObject(raw) ? raw : NOTHING;
    const isAnswer = kind === 'response' || kind === 'error';
    const request = isAnswer && id !== undefined && id !== null ? this.findRequest(OPPOSITE[direction], id) : undefined;
    const version = isAnswer ? this.#answerVersion(request, body) : this.#versionOf(method, params);
    return {
      seq,
      time,
      direction,
      kind,
      id,
      method: method ?? '',
      body,
      params,
      version,
      modern: version !== undefined && eraOf(version) === 'modern',
      batch,
      request,
      cursor: request && own(request.params, 'cursor'),
      exchange: this.#http?.exchange,
    };
  }

  addMessage(seen: SeenMessage): void {
    const { kind, direction, method, params, id, exchange } = seen;
    if (direction === 'to-server' && exchange !== undefined) {
      const on = this.exchanges.get(exchange);
      if (on) {
        on.posted ??= kind;
        on.opens ||= kind === 'request' && method === 'initialize';
      }
      if (on?.opens) this.session = undefined;
    }
    if (kind === 'request' && id !== undefined && id !== null) this.#addRequest(seen, id);
    else if (kind === 'notification' && method === METHOD.initialized && direction === 'to-server') {
      this.initialized = true;
    } else if (seen.request) this.#addResponse(seen, seen.request);
    if (direction !== 'to-server') return;
    const meta = own(params, '_meta');
    const capabilities = isObject(meta) ? own(meta, META_KEY.clientCapabilities) : undefined;
    if (isObject(capabilities)) this.clientCapabilities = capabilities;
  }

  addLifecycle(event: LifecycleEvent): void {
    if (event.event === 'start') {
      this.transport = event.transport === 'auto' ? 'http' : event.transport;
      this.isTapped = event.tap !== undefined;
      this.requestedVersion = ['auto', 'none'].includes(event.protocol) ? undefined : tableVersion(event.protocol);
    } else if (event.event === 'fallback') this.transport = 'sse';
    else if (event.event === 'open' && event.version !== undefined) this.version = tableVersion(event.version);
    else if (event.event === 'probe') this.#onEraChosen(event.era);
    else if (event.event === 'spawned' || event.event === 'session-lost') this.#reset(event.event);
    else if (event.event === 'look-further') this.session = undefined;
    else if (event.event === 'held' && event.kind === 'request') {
      this.#heldRequests.set(`${event.direction} ${idKey(event.id)}`, event.hold);
    }
  }

  addHttpFrame(seq: number, frame: HttpFrame): void {
    this.#http = frame;
    this.httpSeq = seq;
    // A redirect is a second request of the same exchange.
    const before = this.exchanges.get(frame.exchange);
    if (frame.kind === 'request') {
      const session = before ? before.session : sessionIn(frame);
      const { posted, opens = false } = before ?? {};
      const made = { request: frame, seq, session, opens, status: undefined, contentType: undefined, posted };
      this.exchanges.set(frame.exchange, made);
      if (frame.method === 'DELETE') this.session = undefined;
    } else if (frame.kind === 'response' && before) {
      before.status = frame.status;
      before.contentType = headerOf(frame.headers, 'content-type');
      this.#updateSession(before, frame);
    } else if (frame.kind === 'sse' && frame.event === 'endpoint') {
      // A tap does not know the transport of the client. Only HTTP+SSE has this event.
      this.transport = 'sse';
    }
  }

  #updateSession({ opens, session }: TrackedExchange, response: HttpResponseFrame): void {
    const { status, partial } = response;
    if (opens && isSuccess(status)) {
      const assigned = sessionIn(response) ?? (partial ? undefined : 'none');
      // Clients ignore an invalid id.
      this.session = assigned === 0 ? undefined : assigned;
    } else if (status === 404 && session !== undefined) this.session = undefined;
  }

  /**
   * Forgets the newest `http` frame after the protocol frame that followed it. Later messages do not belong to its
   * exchange.
   */
  endHttpFrame(): void {
    this.#http = undefined;
  }

  /** Called when auto mode has sent both the probe and `initialize`, and chosen an era. */
  #onEraChosen(era: Era): void {
    const late = era === 'legacy' ? this.findRequest('to-server', PROBE_ID) : this.#initialize;
    if (late?.answerSeq === undefined) this.#lateHandshake = late;
  }

  #reset(cause: 'spawned' | 'session-lost'): void {
    this.version = undefined;
    this.session = undefined;
    this.clientCapabilities = undefined;
    this.serverCapabilities = undefined;
    this.initialized = false;
    this.#initialize = undefined;
    this.#lateHandshake = undefined;
    // A new process gets no late messages for the previous one. A new session may.
    this.#lostRequests = cause === 'session-lost' ? this.#requests : new RecentMap();
    this.#requests = new RecentMap();
  }

  #addRequest(seen: SeenMessage, id: RequestId): void {
    const { seq, direction, method, params, version, batch, exchange } = seen;
    const request: TrackedRequest = {
      seq,
      direction,
      id,
      method,
      params,
      version,
      batch,
      exchange,
      answerSeq: undefined,
      task: own(params, 'task') !== undefined,
      taskId: taskIdIn(params),
    };
    this.#requests.set(`${direction} ${idKey(id)}`, request);
    if (direction === 'to-server' && version !== undefined) this.requestedVersion = version;
    const capabilities = own(params, 'capabilities');
    if (method === 'initialize') this.#initialize = request;
    if (method === 'initialize' && isObject(capabilities)) this.clientCapabilities = capabilities;
  }

  #addResponse({ seq, body, kind }: SeenMessage, request: TrackedRequest): void {
    if (request.answerSeq !== undefined) return;
    request.answerSeq = seq;
    request.params = NOTHING;
    const result = own(body, 'result');
    if (kind !== 'response' || !isObject(result)) return;
    if ((request.method !== 'initialize' && request.method !== 'server/discover') || request === this.#lateHandshake)
      return;
    const capabilities = own(result, 'capabilities');
    this.serverCapabilities = isObject(capabilities) ? capabilities : NOTHING;
    const version = own(result, 'protocolVersion');
    if (request.method === 'server/discover') this.version = request.version;
    else if (typeof version === 'string') this.version = handshakeVersion(version);
  }

  #versionOf(method: string | undefined, params: JsonObject): ProtocolVersion | undefined {
    const meta = own(params, '_meta');
    const written = isObject(meta) ? own(meta, META_KEY.protocolVersion) : undefined;
    if (typeof written === 'string') return tableVersion(written);
    const wanted = own(params, 'protocolVersion');
    if (method === 'initialize') return handshakeVersion(typeof wanted === 'string' ? wanted : NEWEST_LEGACY);
    return this.version;
  }

  #answerVersion(request: TrackedRequest | undefined, body: JsonObject): ProtocolVersion | undefined {
    const result = own(body, 'result');
    const version = isObject(result) ? own(result, 'protocolVersion') : undefined;
    if (request?.method === 'initialize' && typeof version === 'string') return handshakeVersion(version);
    return request ? request.version : this.version;
  }
}

/** Returns the version whose table checks a handshake. A version without one is checked as the newest that has one. */
function handshakeVersion(version: string): ProtocolVersion {
  return eraOf(version) === 'modern' ? NEWEST_LEGACY : tableVersion(version);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Returns a member of a message's `_meta`. */
export function metaOf({ params }: SeenMessage, key: string): unknown {
  const meta = own(params, '_meta');
  return isObject(meta) ? own(meta, key) : undefined;
}
