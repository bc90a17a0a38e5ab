import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { SpanConnection, SpanExchange, SpanOutcome, SpanPlace } from '@/lib/otel/exchange-spans';
import { decodeLossy } from '@/lib/store/classify';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { type ClientProfile, presentProfile } from '@/lib/wire/client-profile';
import { inside } from '@/lib/wire/message-name';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { isTaskMethod } from '@/lib/wire/task';
import { parseTraceparent, TRACEPARENT, type TraceContext } from '@/lib/wire/trace-context';

/** Most requests whose end is waited for, and requests that later ones may continue. The oldest are forgotten first. */
const MOST_REQUESTS = 10_000;
/** Most inputs that one result may ask for and that become spans. */
const MOST_INPUTS = 20;
const SESSION = /"session":(\d{1,6})[,}]/;

/** Derives ids for the span of a frame: the same each time, so that a second export of a recording adds no spans. */
export type SpanIds = (place: FramePlace, part?: string) => { readonly traceId: string; readonly spanId: string };

/** A recording, as a part of a log. The parts of a tapped session are several files. */
export interface RecordedPart {
  /** Id of the recording, and its file name. Absent: it is not recorded. */
  readonly recording?: string | undefined;
  readonly file?: string | undefined;
  /** Makes ids of spans unique. That of the recording, if there is one. */
  readonly seed: string;
}

/** A frame in its recording. */
export interface FramePlace {
  readonly part: RecordedPart;
  readonly number: number;
}

/** Takes a finished exchange. `part` has its request. */
export type TakeExchange = (facts: SpanExchange, place: SpanPlace, part: RecordedPart) => void;

/** A request whose exchange has not been handed out. */
interface Begun {
  readonly seq: number;
  readonly place: SpanPlace;
  readonly bytes: number;
  readonly session: number | undefined;
  readonly protocolVersion: string | undefined;
  /** Set for a request that gives input: the call that it belongs to, and its number there, from 2. */
  readonly call?: Begun;
  readonly round?: number;
  readonly resent?: number;
  /** How often it was sent with input, and sent again. */
  rounds: number;
  resends: number;
  /** Set while a call waits for a request with the input that a result asked for. */
  asked: AskedInputs | undefined;
}

/** The inputs that a result asks for, and its frame. */
interface AskedInputs {
  readonly by: number;
  readonly inputs: readonly { readonly method: string; readonly key: string }[];
}

/** Settings of an {@link ExchangeReader}. */
export interface ExchangeReaderOptions {
  readonly ids: SpanIds;
  /** Place of a frame of the log in its recording. */
  placeOf(seq: number): FramePlace;
  readonly take: TakeExchange;
}

/**
 * Follows a log, and hands out each exchange once it has ended, with its place in a trace. A frame costs O(1), and
 * memory is bounded.
 */
export class ExchangeReader {
  readonly #log: Log;
  readonly #options: ExchangeReaderOptions;
  readonly #begun = new Map<number, Begun>();
  /** The newest requests that others may continue, handed out or not. */
  readonly #known = new Map<number, Begun>();
  /** Ids of spans in use. A caller may send one context with many requests. */
  readonly #used = new Set<string>();
  #seen = 0;
  #settled = 0;
  #session: number | undefined;
  #client: string | undefined;
  /** Requests that were forgotten because others came. */
  forgotten = 0;

  constructor(log: Log, options: ExchangeReaderOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** True if no request waits for its end, apart from subscriptions. */
  get isIdle(): boolean {
    const { columns } = this.#log;
    for (const seq of this.#begun.keys()) if (columns.method(seq - 1) !== METHOD.listen) return false;
    return true;
  }

  /** Name of the client, as it introduced itself. */
  get client(): string | undefined {
    return this.#client;
  }

  /** Reads the frames that the log has got since. */
  read(): void {
    for (; this.#seen < this.#log.size; this.#seen++) this.#readFrame(this.#seen);
  }

  /** Drops the requests that never ended. Returns how many. */
  end(): number {
    const left = this.#begun.size + this.forgotten;
    this.#begun.clear();
    return left;
  }

  #readFrame(index: number): void {
    const kind = this.#log.columns.kind(index);
    if (kind === 'request') this.#onRequest(index + 1);
    else if (kind === 'http') this.#onHttp(index);
    this.#settled = this.#log.settled.read(this.#settled, index + 1, (request) => this.#finish(request));
    // Calls that wait for input won't get it.
    if (kind === 'lifecycle' && this.#isOver) for (const seq of [...this.#begun.keys()]) this.#finish(seq);
  }

  #onHttp(index: number): void {
    const session = SESSION.exec(this.#log.text(index))?.[1];
    if (session !== undefined && session !== '0') this.#session = Number(session);
  }

  #onRequest(seq: number): void {
    const { columns, relations, state } = this.#log;
    // A later recording of a tapped session repeats its first messages.
    const repeated = state.connection.start?.tap?.repeated;
    if (repeated !== undefined && seq <= 1 + repeated) return;
    const params = this.#json(seq - 1)?.member('params');
    const meta = params?.member('_meta')?.value;
    const toServer = columns.direction(seq - 1) === 'to-server';
    const method = columns.method(seq - 1);
    const root = this.#known.get(relations.rootOf(seq));
    const repeats = root !== undefined && toServer && method === columns.method(root.seq - 1);
    const name = method === 'initialize' ? params?.member('clientInfo')?.member('name')?.value : nameIn(meta);
    if (toServer && typeof name === 'string') this.#client = this.#profile.as === undefined ? name : 'mcp-inspect';
    if (columns.id(seq - 1) == null) return;
    const version = isObject(meta) ? own(meta, META_KEY.protocolVersion) : undefined;
    const begun: Begun = {
      seq,
      place: this.#place(seq, toServer, isObject(meta) ? own(meta, TRACEPARENT) : undefined, root),
      bytes: columns.bytes.length(seq - 1),
      session: this.#session,
      protocolVersion: typeof version === 'string' ? version : undefined,
      ...(repeats && this.#continued(root)),
      rounds: 0,
      resends: 0,
      asked: undefined,
    };
    this.#begun.set(seq, begun);
    this.#known.set(seq, begun);
    if (forgetOldest(this.#begun)) this.forgotten++;
    forgetOldest(this.#known);
  }

  /** Returns how the newest request continues a call, which is now open until that request has ended. */
  #continued(call: Begun): Pick<Begun, 'call' | 'round' | 'resent'> {
    const { asked, place } = call;
    if (!asked) return { resent: ++call.resends };
    call.asked = undefined;
    const { columns } = this.#log;
    const { ids, placeOf, take } = this.#options;
    const by = placeOf(asked.by);
    for (const { method, key } of asked.inputs) {
      const facts = {
        method,
        toServer: false,
        outcome: 'ok' as const,
        startUs: columns.time(asked.by - 1),
        endUs: columns.time(this.#seen),
        frame: by.number,
        ...this.#responseFrame(by, this.#seen + 1),
      };
      const { spanId } = ids(by, key);
      take(facts, { traceId: place.traceId, spanId, parentSpanId: place.spanId, sampled: place.sampled }, by.part);
    }
    return { call, round: ++call.rounds + 1 };
  }

  #place(seq: number, toServer: boolean, traceparent: unknown, root: Begun | undefined): SpanPlace {
    const context = parseTraceparent(traceparent);
    const derived = this.#options.ids(this.#options.placeOf(seq));
    const above = root?.place;
    if (!context) {
      if (!above) return { ...derived, sampled: true };
      return { traceId: above.traceId, spanId: derived.spanId, parentSpanId: above.spanId, sampled: above.sampled };
    }
    const { traceId, sampled } = context;
    const isOwn = toServer && this.#isOwn(traceparent) && this.#use(context);
    const isBelow = toServer && above?.traceId === traceId;
    return {
      traceId,
      spanId: isOwn ? context.spanId : derived.spanId,
      ...(isBelow
        ? { parentSpanId: above.spanId }
        : !isOwn && { parentSpanId: context.spanId, isRemote: true as const }),
      sampled,
    };
  }

  get #profile(): ClientProfile {
    const { start, profile } = this.#log.state.connection;
    return presentProfile(profile, start);
  }

  /** Returns true for a context that mcp-inspect made for its own request, which is the span's own. */
  #isOwn(traceparent: unknown): boolean {
    const { start } = this.#log.state.connection;
    // With a pinned version, requests are as the user wrote them.
    if (!start || start.tap || start.protocol !== 'auto') return false;
    const { meta } = this.#profile;
    return meta === undefined || own(meta, TRACEPARENT) !== traceparent;
  }

  /** Returns false for a span id that an earlier request had. */
  #use({ spanId }: TraceContext): boolean {
    if (this.#used.has(spanId)) return false;
    this.#used.add(spanId);
    if (this.#used.size > MOST_REQUESTS) for (const oldest of this.#used) return this.#used.delete(oldest);
    return true;
  }

  /** Hands out the exchange of a request if it has ended. A call that waits for input ends with a later request. */
  #finish(seq: number): void {
    const begun = this.#begun.get(seq);
    const exchange = begun && this.#log.exchange(seq);
    if (!exchange || exchange.status === 'pending') return;
    const { call } = begun;
    const isWaiting = begun.asked !== undefined;
    if ((isWaiting || begun.rounds > 0) && !(isWaiting && this.#isOver)) return;
    const ended = this.#ended(begun, exchange);
    const asked = isWaiting ? undefined : this.#inputsOf(exchange);
    if (asked && !this.#isOver) {
      (call ?? begun).asked = asked;
      if (call) this.#handOut(begun, exchange, ended);
      return;
    }
    this.#handOut(begun, exchange, ended);
    const called = call && this.#begun.has(call.seq) && this.#log.exchange(call.seq);
    if (called) this.#handOut(call, called, ended);
  }

  get #isOver(): boolean {
    const { state } = this.#log.state.connection;
    return state === 'closed' || state === 'failed';
  }

  #handOut(begun: Begun, exchange: Exchange, ended: Ended): void {
    const { columns } = this.#log;
    const { seq, place, round, resent, rounds, bytes, session, protocolVersion } = begun;
    const { method, name, id, sentAt, progress, task } = exchange;
    const { part, number } = this.#options.placeOf(seq);
    this.#begun.delete(seq);
    this.#options.take(
      {
        method,
        toServer: columns.direction(seq - 1) === 'to-server',
        id: id ?? undefined,
        subject: name,
        startUs: sentAt,
        ...ended,
        frame: number,
        requestBytes: bytes,
        progress: progress?.count,
        rounds,
        round,
        resent,
        isTask: task && true,
        session,
        protocolVersion: protocolVersion ?? this.#agreedVersion(exchange),
      },
      place,
      part,
    );
  }

  #ended({ seq }: Begun, { status, responseSeq, task, sentAt, method }: Exchange): Ended {
    const { columns } = this.#log;
    const answer = responseSeq ?? task?.endSeq;
    const code = answer === undefined || status === 'ok' ? undefined : this.#codeIn(answer);
    // The end of a subscription is not a failure.
    const isEnd = method === METHOD.listen && (status === 'cancelled' || status === 'lost');
    const outcome = isEnd || status === 'pending' ? 'ok' : status;
    return {
      outcome: outcome as SpanOutcome,
      ...(code !== undefined && { code }),
      endUs: answer === undefined ? Math.max(sentAt, columns.time(this.#seen)) : columns.time(answer - 1),
      ...(answer !== undefined &&
        answer !== seq && {
          ...this.#responseFrame(this.#options.placeOf(seq), answer),
          responseBytes: columns.bytes.length(answer - 1),
        }),
    };
  }

  /** Returns the version that an `initialize` agreed on. The connection opens after it. */
  #agreedVersion({ method, responseSeq }: Exchange): string | undefined {
    if (method !== 'initialize' || responseSeq === undefined) return undefined;
    const version = this.#json(responseSeq - 1)
      ?.member('result')
      ?.member('protocolVersion')?.value;
    return typeof version === 'string' ? version : undefined;
  }

  /** Returns a message as JSON, perhaps without its long strings. */
  #json(index: number): JsonSource | undefined {
    if (this.#log.hasBytes(index + 1)) return this.#log.json(index);
    const skim = this.#log.frameOrSkim(index);
    return skim && JsonSource.parse(decodeLossy(skim.bytes));
  }

  /** Returns the number of a response, if it is in the same recording as its request. */
  #responseFrame({ part }: FramePlace, answer: number): Pick<SpanExchange, 'responseFrame'> {
    const there = this.#options.placeOf(answer);
    return there.part === part ? { responseFrame: there.number } : {};
  }

  #codeIn(answer: number): number | undefined {
    const code = this.#log
      .json(answer - 1)
      ?.member('error')
      ?.member('code')?.value;
    return Number.isSafeInteger(code) ? (code as number) : undefined;
  }

  /** Returns the inputs that a result asks for; undefined for a result that ends the call. */
  #inputsOf({ responseSeq, method, status }: Exchange): AskedInputs | undefined {
    if (responseSeq === undefined || status !== 'ok' || isTaskMethod(method)) return undefined;
    const result = this.#json(responseSeq - 1)?.member('result');
    if (result?.member('resultType')?.value !== 'input_required') return undefined;
    const requests = result.member('inputRequests')?.value;
    const keys = isObject(requests) ? Object.keys(requests).slice(0, MOST_INPUTS) : [];
    const inputs = keys.flatMap((key) => {
      const method = inside(requests as JsonObject, key, 'method');
      return typeof method === 'string' ? [{ method, key }] : [];
    });
    return { by: responseSeq, inputs };
  }
}

type Ended = Pick<SpanExchange, 'outcome' | 'code' | 'endUs' | 'responseFrame' | 'responseBytes'>;

/** Returns the facts about the connection of a log that its spans have. */
export function connectionFacts(log: Log, reader: ExchangeReader): Omit<SpanConnection, 'recording' | 'file'> {
  const { connection, server } = log.state;
  const { start, version } = connection;
  const url = start && 'url' in start && URL.canParse(start.url) ? new URL(start.url) : undefined;
  return {
    atMs: Date.parse(start?.at ?? '') || 0,
    ...(start && { transport: start.transport === 'stdio' ? 'pipe' : 'tcp' }),
    ...(url && {
      address: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    }),
    protocolVersion: version,
    server: server.info?.name || start?.name,
    serverVersion: server.info?.version || undefined,
    client: start?.tap?.host ?? reader.client,
  };
}

/** Returns the name of the client in `_meta` (2026-07-28). */
function nameIn(meta: unknown): unknown {
  return isObject(meta) ? inside(meta, META_KEY.clientInfo, 'name') : undefined;
}

/** Removes the oldest entry of a map that is too large. Returns true if it was. */
function forgetOldest(map: Map<number, Begun>): boolean {
  if (map.size <= MOST_REQUESTS) return false;
  for (const oldest of map.keys()) return map.delete(oldest);
  return false;
}
