import { authorizationIn, type SeenStep } from '@/lib/auth-steps/auth-steps';
import { DOCTOR_EVENTS, exchangesOf, type HttpExchangeFacts, mediaTypeOf } from '@/lib/doctor/exchange-facts';
import { formatPath } from '@/lib/json/outline-path';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { ListEntry, Listing, ToolEntry } from '@/lib/store/state/state';
import { isHostRequest, isNeighbourRequest } from '@/lib/wire/host-requests';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { METHOD } from '@/lib/wire/protocol-names';
import { type ResultFacts, readResult } from './result-facts';

/** Calls whose results are looked at, the newest. */
const MOST_CALLS = 300;
/** Handshakes that are looked at, the first. */
const MOST_HANDSHAKES = 10;
/** Time after the response from which a comment shows that more will follow, in microseconds. */
const KEEP_ALIVE_US = 1_000_000;
/** Frames of each other kind that are looked at. */
const MOST_FRAMES = 1000;

/** A tool as the client sees it. */
export interface SeenTool {
  readonly name: string;
  readonly raw: JsonObject;
  /** seq of the frame that lists it. */
  readonly seq: number;
}

/** A call of a tool that was answered. */
export interface SeenCall {
  readonly tool: string;
  /** seq of the answer. */
  readonly seq: number;
  readonly durationUs: number | undefined;
  /** It sent progress, or a person was asked meanwhile. */
  readonly isHeard: boolean;
  /** Absent for an error. */
  readonly result?: ResultFacts;
}

/** A page of an app, as `resources/read` returned it. */
export interface SeenApp {
  readonly uri: string;
  /** seq of the answer. */
  readonly seq: number;
  readonly content: JsonObject;
  /** Its entry in the list of resources, which may have what the contents lack. */
  readonly entry: JsonObject | undefined;
}

/** An event stream that a server opened. */
export interface SeenStream {
  /** seq of the response. */
  readonly seq: number;
  /** Microseconds for which it was open, as far as it was seen. */
  readonly openUs: number;
  /** The longest time without an event or a comment, in microseconds. */
  readonly silentUs: number;
  /** A comment came later than with the response. */
  readonly isKeptAlive: boolean;
}

/** The handshake that a server answered. */
export interface AnsweredHandshake {
  readonly seq: number;
  readonly result: JsonObject;
  /** Version that `initialize` asked for. Absent in the modern era. */
  readonly asked?: string;
  /** Microseconds that a host would have waited, without what mcp-inspect tried first. */
  readonly afterUs: number;
  /**
   * The most that it can be: for a process from its start. A server that was still starting when mcp-inspect tried
   * something else answers late for that long.
   */
  readonly mostUs: number;
}

/** The start of a server as a process. */
export type ProcessStart = Extract<LifecycleEvent, { readonly event: 'start'; readonly transport: 'stdio' }>;

/** The parts of a session that facts about hosts look at. */
export interface HostSession {
  /** seq of the frame with the address or the command of the server. */
  readonly startSeq: number;
  /** The server's address, and as it was entered; undefined for a process. */
  readonly url: URL | undefined;
  readonly typedUrl: string | undefined;
  /** undefined for a server at a URL. */
  readonly process: ProcessStart | undefined;
  /** True for a connection over HTTP+SSE. */
  readonly isSse: boolean;
  /** Requests over HTTP, without those of probes and authorization. */
  readonly exchanges: readonly HttpExchangeFacts[];
  /** Event streams among them. */
  readonly streams: readonly SeenStream[];
  /** A request of a probe, by its id. */
  probe(id: string): HttpExchangeFacts | undefined;
  readonly signIn: readonly SeenStep[];
  readonly handshake: AnsweredHandshake | undefined;
  /** undefined until they are listed. The same array until they change. */
  readonly tools: readonly SeenTool[] | undefined;
  /** seq of each page of the list. */
  readonly toolPages: readonly number[];
  readonly calls: readonly SeenCall[];
  readonly apps: readonly SeenApp[];
  /** The first frame of each method that the server asked of the client. */
  readonly asked: ReadonlyMap<string, number>;
  /** Progress without an open request of its token. */
  readonly strayProgress: readonly number[];
  /** Lines on stdout that are not MCP. */
  readonly junk: readonly number[];
  /** Number of entries of other lists; undefined for one that is declared and was not read. */
  readonly listed: { readonly resources: number | undefined; readonly prompts: number | undefined };
}

/** Characters of a tool's name in a path. */
const NAME_CHARS = 200;

/** Returns the path of a listed tool, or of a part of it. */
export function toolPath({ name }: SeenTool, ...rest: readonly (string | number)[]): string {
  return `result.tools[${JSON.stringify(name.slice(0, NAME_CHARS))}]${rest.length === 0 ? '' : formatPath(['x', ...rest]).slice(1)}`;
}

/** Reads a log as facts about hosts look at it. A frame is looked at once, and a result parsed once. */
class HostSessionReader {
  readonly #log: Log;
  #read = 0;
  #calls: number[] = [];
  readonly #handshakes: number[] = [];
  readonly #results = new Map<number, SeenCall>();
  readonly #appReads: number[] = [];
  readonly #asked = new Map<string, number>();
  readonly #strayProgress: number[] = [];
  #tools: { readonly of: readonly ToolEntry[]; readonly seen: readonly SeenTool[] } | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  read(): HostSession {
    const { columns, size } = this.#log;
    for (; this.#read < size; this.#read++) {
      const kind = columns.kind(this.#read);
      if (kind === 'request') this.#addRequest(this.#read + 1);
      else if (kind === 'notification') this.#addNotification(this.#read + 1);
    }
    return this.#session();
  }

  #addRequest(seq: number): void {
    const { columns } = this.#log;
    const method = columns.method(seq - 1);
    if (columns.direction(seq - 1) === 'to-client') {
      if (method !== undefined && !this.#asked.has(method) && this.#asked.size < MOST_FRAMES)
        this.#asked.set(method, seq);
    } else if (method === 'initialize' || method === 'server/discover') {
      if (this.#handshakes.length < MOST_HANDSHAKES) this.#handshakes.push(seq);
    } else if (method === 'tools/call') {
      this.#calls.push(seq);
      if (this.#calls.length > 2 * MOST_CALLS) this.#calls = this.#calls.slice(-MOST_CALLS);
    } else if (method === 'resources/read' && this.#appReads.length < MOST_FRAMES) this.#appReads.push(seq);
  }

  #addNotification(seq: number): void {
    const log = this.#log;
    if (log.columns.method(seq - 1) !== METHOD.progress || log.columns.direction(seq - 1) !== 'to-client') return;
    const request = log.columns.peer(seq - 1);
    const answer = request === undefined ? undefined : log.exchange(request)?.responseSeq;
    const isStray = request === undefined || (answer !== undefined && answer < seq);
    if (isStray && this.#strayProgress.length < MOST_FRAMES) this.#strayProgress.push(seq);
  }

  #session(): HostSession {
    const log = this.#log;
    const { state } = log;
    const { start, seqs, transport } = state.connection;
    const url = start && start.transport !== 'stdio' && URL.canParse(start.url) ? new URL(start.url) : undefined;
    const exchanges = bothEnds(log);
    const idOf = ({ sent }: HttpExchangeFacts): unknown => (isObject(sent?.value) ? own(sent.value, 'id') : undefined);
    const isProbe = (exchange: HttpExchangeFacts): boolean => {
      const id = idOf(exchange);
      return isHostRequest(id) || isNeighbourRequest(id);
    };
    const ours = exchanges.filter((one) => one.request.about === undefined && !isProbe(one));
    const asked = new Map(this.#asked);
    for (const { method, seq } of [...state.inbox.waiting, ...state.inbox.closed])
      if (!asked.has(method)) asked.set(method, seq);
    const areListed = state.tools.seqs.length > 0 || state.tools.supported === false;
    return {
      startSeq: seqs[0] ?? 1,
      url,
      typedUrl: start && start.transport !== 'stdio' ? start.url : undefined,
      process: start?.transport === 'stdio' ? start : undefined,
      isSse: transport === 'sse',
      exchanges: ours,
      streams: ours.flatMap((one) => this.#stream(one) ?? []),
      probe: (id) => exchanges.find((one) => idOf(one) === id),
      signIn: authorizationIn(log).steps,
      handshake: this.#handshake(),
      tools: areListed ? this.#seenTools() : undefined,
      toolPages: state.tools.seqs,
      calls: this.#calls.slice(-MOST_CALLS).flatMap((seq) => this.#call(seq) ?? []),
      apps: this.#appReads.flatMap((seq) => this.#app(seq)),
      asked,
      strayProgress: this.#strayProgress,
      junk: state.junk.seqs,
      listed: { resources: countIn(state.resources), prompts: countIn(state.prompts) },
    };
  }

  #seenTools(): readonly SeenTool[] {
    const { items } = this.#log.state.tools;
    if (this.#tools?.of !== items) {
      this.#tools = { of: items, seen: items.map(({ name, raw, seq }) => ({ name, raw, seq })) };
    }
    return this.#tools.seen;
  }

  /** Returns the first handshake that was answered: later ones follow a lost session. */
  #handshake(): AnsweredHandshake | undefined {
    const log = this.#log;
    const { spawnedSeq } = log.state.connection;
    for (const [at, request] of this.#handshakes.entries()) {
      const { responseSeq: seq, id, durationUs } = log.exchange(request) ?? {};
      const result = seq === undefined ? undefined : messageSource(log, seq, id)?.member('result')?.value;
      if (seq === undefined || !isObject(result)) continue;
      const ownUs = durationUs ?? 0;
      const isOfProcess = spawnedSeq !== undefined && spawnedSeq < request;
      const mostUs = isOfProcess ? log.columns.time(seq - 1) - log.columns.time(spawnedSeq - 1) : ownUs;
      const afterUs = at === 0 ? mostUs : ownUs;
      const params = messageSource(log, request, id)?.member('params')?.value;
      const asked = isObject(params) ? own(params, 'protocolVersion') : undefined;
      return { seq, result, afterUs, mostUs, ...(typeof asked === 'string' && { asked }) };
    }
    return undefined;
  }

  #stream(exchange: HttpExchangeFacts): SeenStream | undefined {
    const { response, events, end } = exchange;
    if (!response || mediaTypeOf(exchange) !== 'text/event-stream') return undefined;
    const { columns, size } = this.#log;
    const timeOf = (seq: number): number => columns.time(seq - 1);
    const began = timeOf(response.seq);
    // Later events were not kept.
    const over = events.length < DOCTOR_EVENTS ? [timeOf(end?.seq ?? size)] : [];
    const times = [began, ...events.map(({ seq }) => timeOf(seq)), ...over];
    return {
      seq: response.seq,
      openUs: times.at(-1)! - began,
      silentUs: Math.max(...times.map((time, at) => time - (times[at - 1] ?? began))),
      isKeptAlive: events.some(({ comment, seq }) => comment !== undefined && timeOf(seq) - began > KEEP_ALIVE_US),
    };
  }

  #call(requestSeq: number): SeenCall | undefined {
    const known = this.#results.get(requestSeq);
    if (known) return known;
    const log = this.#log;
    const { responseSeq: seq, id, durationUs, progress, name: tool = '' } = log.exchange(requestSeq) ?? {};
    if (seq === undefined || !log.hasBytes(seq)) return undefined;
    const isHeard = progress !== undefined || log.waitedForPeople(requestSeq) > 0;
    const result = messageSource(log, seq, id)?.member('result')?.value;
    const call = { tool, seq, durationUs, isHeard, ...(isObject(result) && { result: readResult(result) }) };
    this.#results.set(requestSeq, call);
    return call;
  }

  #app(requestSeq: number): readonly SeenApp[] {
    const log = this.#log;
    const { responseSeq: seq, id } = log.exchange(requestSeq) ?? {};
    if (seq === undefined || !log.hasBytes(seq)) return [];
    const result = messageSource(log, seq, id)?.member('result')?.value;
    const contents = isObject(result) ? own(result, 'contents') : undefined;
    const [content] = Array.isArray(contents) ? contents : [];
    const uri = isObject(content) ? own(content, 'uri') : undefined;
    if (!isObject(content) || typeof uri !== 'string' || !uri.startsWith('ui://')) return [];
    const entry = log.state.resources.items.find((one) => one.uri === uri)?.raw;
    return [{ uri, seq, content, entry }];
  }
}

function countIn({ items, seqs, supported }: Listing<ListEntry>): number | undefined {
  return seqs.length > 0 || supported === false ? items.length : undefined;
}

/** Returns the first exchanges of a log and the newest ones. */
function bothEnds(log: Log): readonly HttpExchangeFacts[] {
  const first = exchangesOf(log);
  const known = new Set(first.map(({ number }) => number));
  return [...first, ...exchangesOf(log, true).filter(({ number }) => !known.has(number))];
}

const READERS = new WeakMap<Log, HostSessionReader>();

/** Returns what a log says to facts about hosts so far. */
export function hostSession(log: Log): HostSession {
  const reader = READERS.get(log) ?? new HostSessionReader(log);
  READERS.set(log, reader);
  return reader.read();
}
