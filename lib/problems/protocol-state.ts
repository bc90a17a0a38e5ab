import { idKey, isObject, type JsonObject, own, type RequestId } from '@/lib/json/value';
import { PROBE_ID } from '@/lib/mcp/requests';
import { eraOf } from '@/lib/mcp/versions';
import { tableVersion } from '@/lib/protocol/check-message';
import type { Message } from '@/lib/store/classify';
import { RecentMap } from '@/lib/store/columns/collections';
import type { Direction } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { Era, LifecycleEvent, ProtocolVersion } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

const NOTHING: JsonObject = {};
const OTHER: Readonly<Record<Direction, Direction>> = { 'to-server': 'to-client', 'to-client': 'to-server' };
export const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const META_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** One HTTP request and what became of it. */
export interface TrackedExchange {
  readonly request: Extract<HttpFrame, { kind: 'request' }>;
  readonly seq: number;
  status: number | undefined;
  contentType: string | undefined;
  /** What was posted: of a batch, its first message. */
  posted: Message['kind'] | undefined;
}

/** What was agreed on and what is going on between the two sides, as far as the log tells. */
export class ProtocolState {
  transport: 'stdio' | 'http' | 'sse' | undefined;
  version: ProtocolVersion | undefined;
  /** The version asked for last, agreed on or not. */
  wanted: ProtocolVersion | undefined;
  clientCapabilities: JsonObject | undefined;
  serverCapabilities: JsonObject | undefined;
  /** True once `notifications/initialized` was sent. */
  initialized = false;
  /** `initialize`, once it was sent. */
  #opener: TrackedRequest | undefined;
  /** Requests by direction and id, answered ones included. */
  readonly requests = new RecentMap<string, TrackedRequest>();
  readonly exchanges = new RecentMap<number, TrackedExchange>();
  /** Told before a result is held against its tool's schema. */
  readonly onSchemaCheck: (seq: number) => void;
  /** Results that are not. */
  unchecked: SkippedChecks | undefined;
  /** The opening of auto mode that the other one outran: its late answer says nothing of what was agreed on. */
  #outrun: TrackedRequest | undefined;
  /** The `http` frame right before the one looked at. */
  #http: HttpFrame | undefined;

  constructor(onSchema: (seq: number) => void = () => {}) {
    this.onSchemaCheck = onSchema;
  }

  /** seq of `initialize`, once it was sent. */
  get opening(): number | undefined {
    return this.#opener?.seq;
  }

  /** True for a result that is not to be held against its tool's schema. */
  isUnchecked(seq: number): boolean {
    return isSkipped(this.unchecked, seq);
  }

  /** True once 2026-07-28 or later is agreed on. */
  get modern(): boolean {
    return this.version !== undefined && eraOf(this.version) === 'modern';
  }

  /** The request of this direction and id. */
  findRequest(direction: Direction, id: unknown): TrackedRequest | undefined {
    return this.requests.get(`${direction} ${idKey(id)}`);
  }

  /** The request whose id differs from this answer's in type alone. */
  findByOtherIdType(direction: Direction, id: RequestId): TrackedRequest | undefined {
    const other = typeof id === 'string' ? Number(id) : String(id);
    if (typeof other === 'number' && (Number.isNaN(other) || String(other) !== id)) return undefined;
    return this.findRequest(OTHER[direction], other);
  }

  /** True for an HTTP exchange that the server answered with a status of 400 or more. */
  isRefusal(exchange: number | undefined): boolean {
    return exchange !== undefined && (this.exchanges.get(exchange)?.status ?? 0) >= 400;
  }

  /** True once some ids are no longer remembered. */
  get hasForgotten(): boolean {
    return this.requests.size >= LIMITS.rulesMemory;
  }

  /** The request that this message's answer goes to, or comes from. */
  describe(seq: number, direction: Direction, { kind, id, method, body }: Message, batch: boolean): SeenMessage {
    const raw = own(body, 'params');
    const params = isObject(raw) ? raw : NOTHING;
    const isAnswer = kind === 'response' || kind === 'error';
    const ask = isAnswer && id !== undefined && id !== null ? this.findRequest(OTHER[direction], id) : undefined;
    const version = isAnswer ? this.#answerVersion(ask, body) : this.#versionOf(method, params);
    return {
      seq,
      direction,
      kind,
      id,
      method: method ?? '',
      body,
      params,
      version,
      modern: version !== undefined && eraOf(version) === 'modern',
      batch,
      ask,
      cursor: ask && own(ask.params, 'cursor'),
      exchange: this.#http?.exchange,
    };
  }

  /** Takes in a message that was looked at. */
  addMessage(seen: SeenMessage): void {
    const { kind, direction, method, params, id, exchange } = seen;
    if (direction === 'to-server' && exchange !== undefined) {
      const on = this.exchanges.get(exchange);
      if (on) on.posted ??= kind;
    }
    if (kind === 'request' && id !== undefined && id !== null) this.#asked(seen, id);
    else if (kind === 'notification' && method === 'notifications/initialized' && direction === 'to-server') {
      this.initialized = true;
    } else if (seen.ask) this.#answered(seen, seen.ask);
    if (direction !== 'to-server') return;
    const meta = own(params, '_meta');
    const capabilities = isObject(meta) ? own(meta, META_CAPABILITIES) : undefined;
    if (isObject(capabilities)) this.clientCapabilities = capabilities;
  }

  addLifecycle(event: LifecycleEvent): void {
    if (event.event === 'start') {
      this.transport = event.transport === 'auto' ? 'http' : event.transport;
      this.wanted = ['auto', 'none'].includes(event.protocol) ? undefined : tableVersion(event.protocol);
    } else if (event.event === 'fallback') this.transport = 'sse';
    else if (event.event === 'open' && event.version !== undefined) this.version = tableVersion(event.version);
    else if (event.event === 'probe') this.#passOver(event.era);
    else if (event.event === 'spawned' || event.event === 'session-lost') this.#begin();
  }

  addHttpFrame(seq: number, frame: HttpFrame): void {
    this.#http = frame;
    if (frame.kind === 'request') {
      // A redirect is another request of the same exchange.
      const before = this.exchanges.get(frame.exchange);
      const made = { request: frame, seq, status: undefined, contentType: undefined, posted: before?.posted };
      this.exchanges.set(frame.exchange, made);
    }
    const exchange = this.exchanges.get(frame.exchange);
    if (frame.kind !== 'response' || !exchange) return;
    exchange.status = frame.status;
    exchange.contentType = headerOf(frame.headers, 'content-type');
  }

  /** What comes next is not on an HTTP exchange, unless it is said. */
  endHttpFrame(): void {
    this.#http = undefined;
  }

  /** Auto mode sent both, and decided for this era. */
  #passOver(era: Era): void {
    const late = era === 'legacy' ? this.findRequest('to-server', PROBE_ID) : this.#opener;
    if (late?.answerSeq === undefined) this.#outrun = late;
  }

  #begin(): void {
    this.version = undefined;
    this.clientCapabilities = undefined;
    this.serverCapabilities = undefined;
    this.initialized = false;
    this.#opener = undefined;
    this.#outrun = undefined;
    this.requests.clear();
  }

  #asked(seen: SeenMessage, id: RequestId): void {
    const { seq, direction, method, params, version, batch, exchange } = seen;
    const ask: TrackedRequest = {
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
    };
    this.requests.set(`${direction} ${idKey(id)}`, ask);
    if (direction === 'to-server' && version !== undefined) this.wanted = version;
    const capabilities = own(params, 'capabilities');
    if (method === 'initialize') this.#opener = ask;
    if (method === 'initialize' && isObject(capabilities)) this.clientCapabilities = capabilities;
  }

  #answered({ seq, body, kind }: SeenMessage, ask: TrackedRequest): void {
    if (ask.answerSeq !== undefined) return;
    ask.answerSeq = seq;
    ask.params = NOTHING;
    const result = own(body, 'result');
    if (kind !== 'response' || !isObject(result)) return;
    if ((ask.method !== 'initialize' && ask.method !== 'server/discover') || ask === this.#outrun) return;
    const capabilities = own(result, 'capabilities');
    this.serverCapabilities = isObject(capabilities) ? capabilities : NOTHING;
    const version = own(result, 'protocolVersion');
    if (ask.method === 'server/discover') this.version = ask.version;
    else if (typeof version === 'string') this.version = tableVersion(version);
  }

  #versionOf(method: string | undefined, params: JsonObject): ProtocolVersion | undefined {
    const meta = own(params, '_meta');
    const written = isObject(meta) ? own(meta, META_VERSION) : undefined;
    if (typeof written === 'string') return tableVersion(written);
    const wanted = own(params, 'protocolVersion');
    if (method === 'initialize') return tableVersion(typeof wanted === 'string' ? wanted : '2025-11-25');
    return this.version;
  }

  #answerVersion(ask: TrackedRequest | undefined, body: JsonObject): ProtocolVersion | undefined {
    const result = own(body, 'result');
    const version = isObject(result) ? own(result, 'protocolVersion') : undefined;
    if (ask?.method === 'initialize' && typeof version === 'string') return tableVersion(version);
    return ask ? ask.version : this.version;
  }
}

/** The first header of this name, in lower case; undefined if there is none. */
export function headerOf(headers: readonly (readonly [string, string])[], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** A request as it is remembered until long after it was answered. */
export interface TrackedRequest {
  readonly seq: number;
  readonly direction: Direction;
  readonly id: RequestId;
  readonly method: string;
  /** `{}` if there were none, and once it is answered. */
  params: JsonObject;
  readonly version: ProtocolVersion | undefined;
  readonly batch: boolean;
  /** Number of the HTTP exchange it travelled on. */
  readonly exchange: number | undefined;
  /** It may be answered by a task, which goes on after the answer. */
  readonly task: boolean;
  answerSeq: number | undefined;
}

/** A message with what can be said of it from what came before. */
export interface SeenMessage {
  readonly seq: number;
  readonly direction: Direction;
  readonly kind: Message['kind'];
  readonly id: Message['id'];
  /** `''` if there is none. */
  readonly method: string;
  readonly body: JsonObject;
  /** Its params if they are an object, or else `{}`. */
  readonly params: JsonObject;
  /** The version whose table holds for it; undefined while none is agreed on. */
  readonly version: ProtocolVersion | undefined;
  readonly modern: boolean;
  /** Part of an array. */
  readonly batch: boolean;
  /** Of answers: the request with this id, answered or not. */
  readonly ask: TrackedRequest | undefined;
  /** Of answers to a list: the cursor that the page was asked for with. */
  readonly cursor: unknown;
  /** The HTTP exchange it travels on. */
  readonly exchange: number | undefined;
}

/** Results that are not held against their tools' schemas, which took for ever before: these, by seq, and all from one on. */
export interface SkippedChecks {
  readonly seqs: readonly number[];
  readonly from?: number;
}

/** True for the seq of such a result. */
export function isSkipped(unchecked: SkippedChecks | undefined, seq: number): boolean {
  if (!unchecked) return false;
  return unchecked.seqs.includes(seq) || (unchecked.from !== undefined && seq >= unchecked.from);
}
