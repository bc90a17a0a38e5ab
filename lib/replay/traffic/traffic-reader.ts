import { canonicalJson } from '@/lib/json/canonical';
import { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import { eraOf } from '@/lib/mcp/versions';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { decodeLossy } from '@/lib/store/classify';
import { RequestQueue } from '@/lib/store/exchanges/exchanges';
import { HttpExchanges } from '@/lib/store/exchanges/http-exchanges';
import type { Frame } from '@/lib/wire/frame';
import { type HttpFrame, readHttpFrame } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { Causes } from './causes';
import { type ParsedMessage, parseMessages } from './parse-messages';
import type {
  ClientMessage,
  OpenCall,
  OpenNotification,
  OpenServerRequest,
  RecordedAnswer,
  RecordedCall,
  RecordedTraffic,
  ServerEvent,
  Unanswered,
} from './recorded-traffic';
import { ResumableStreams } from './resumable-streams';

/** Events after which open requests get no answers. */
const ENDS: ReadonlySet<unknown> = new Set(['exit', 'failed', 'closed', 'session-lost']);

/**
 * Reads the frames of a recording, in order, into {@link RecordedTraffic}. Each frame costs time in proportion to its
 * text.
 */
export class TrafficReader {
  readonly #sent: ClientMessage[] = [];
  readonly #before: ServerEvent[] = [];
  readonly #calls = new OpenRequests<OpenCall>();
  readonly #serverRequests = new OpenRequests<OpenServerRequest>();
  readonly #causes = new Causes();
  readonly #rounds = new InputRounds();
  readonly #http = new HttpExchanges();
  readonly #streams = new ResumableStreams();
  /** Bodies that are not JSON, of exchanges that may end without an answer. */
  readonly #bodies = new Map<number, string>();
  #opened: Extract<LifecycleEvent, { event: 'open' }> | undefined;

  addFrame(frame: Frame): void {
    if (frame.channel === 'lifecycle') this.#onLifecycle(frame);
    else if (frame.channel === 'http') this.#onHttp(frame);
    else if (frame.channel === 'protocol') {
      const exchange = this.#streams.originOf(this.#http.attachMessage(frame.seq));
      for (const read of parseMessages(decodeLossy(frame.bytes))) {
        if (frame.direction === 'to-server') this.#fromClient(frame, exchange, read);
        else this.#fromServer(frame, exchange, read);
      }
    }
  }

  /** The client’s messages so far. */
  get sent(): readonly ClientMessage[] {
    return this.#sent;
  }

  /** Returns the traffic so far. Costs time in proportion to its length. */
  traffic(): RecordedTraffic {
    const calls = this.#sent.filter((message) => message.kind === 'call');
    const agreed = (method: string) => calls.find((call) => call.method === method && call.answer?.kind === 'result');
    const initialize = agreed('initialize');
    const discover = agreed('server/discover');
    const version = this.#opened?.version ?? versionIn(initialize) ?? modernVersion(calls.at(-1));
    const era = this.#opened?.era ?? (version === undefined ? 'legacy' : eraOf(version));
    const handshake = era === 'legacy' ? initialize : discover;
    return {
      era,
      version,
      handshake,
      sent: this.#sent,
      before: this.#before,
      streams: this.#streams.resumable(),
    };
  }

  #fromClient({ seq, time }: Frame, exchange: number, read: ParsedMessage): void {
    const { message, id, params, batch } = read;
    const { kind, method = '', name } = message;
    const at = { seq, time, exchange };
    if (kind === 'request') {
      const call: OpenCall = {
        kind: 'call',
        ...at,
        batch,
        id: id ?? 'null',
        method,
        name,
        params: params?.text,
        progressToken: tokenOf(params?.member('_meta')?.member('progressToken')),
        answer: undefined,
        unanswered: { why: 'open' },
        during: [],
        after: [],
        continues: this.#rounds.continues(read),
      };
      this.#sent.push(call);
      // A request without a valid id gets no answer.
      if (id === undefined) return;
      this.#calls.add(id, call);
      this.#causes.callStarted(call);
    } else if (kind === 'notification') {
      const notification: OpenNotification = { kind: 'notification', ...at, method, params: params?.text, after: [] };
      this.#sent.push(notification);
      if (method === METHOD.cancelled)
        this.#giveUp(params?.member('requestId')?.text, { why: 'cancelled', since: { seq, time } });
      else if (method !== METHOD.progress) this.#causes.notificationSent(notification);
    } else if (id !== undefined) {
      const request = this.#serverRequests.answer(id);
      if (request) request.answer = this.#answerOf(at, read);
    }
  }

  #fromServer({ seq, time }: Frame, exchange: number, read: ParsedMessage): void {
    const { message, id, params, answer } = read;
    const { kind, method = '' } = message;
    const at = { seq, time, exchange };
    if (kind === 'notification') {
      const stream = this.#causes.streamOf(read)?.seq;
      this.#addEvent({ kind: 'notification', ...at, method, params: params?.text, stream }, read);
    } else if (kind === 'request') {
      const request: OpenServerRequest = {
        kind: 'request',
        ...at,
        id: id ?? 'null',
        method,
        params: params?.text,
        answer: undefined,
      };
      if (id !== undefined) this.#serverRequests.add(id, request);
      this.#addEvent(request, read);
    } else if (id !== undefined && answer !== undefined) {
      const call = this.#calls.answer(id);
      if (!call) return;
      call.answer = this.#answerOf(at, read);
      call.unanswered = undefined;
      this.#causes.callEnded(call);
      this.#rounds.answered(call, read);
    }
  }

  #answerOf(at: { seq: number; time: number; exchange: number }, { message, answer = 'null' }: ParsedMessage) {
    const kind = message.kind === 'error' ? 'error' : 'result';
    return { kind, ...at, text: answer, status: this.#status(at.exchange) } satisfies RecordedAnswer;
  }

  #status(exchange: number): number | undefined {
    return this.#http.get(exchange)?.statuses.at(-1);
  }

  #addEvent(event: ServerEvent, read: ParsedMessage): void {
    const call = this.#causes.callBehind(event, read);
    if (call) call.during.push(event);
    else (this.#causes.anchor?.after ?? this.#before).push(event);
  }

  #giveUp(id: string | undefined, unanswered: Unanswered): void {
    const call = id === undefined ? undefined : this.#calls.giveUp(id);
    if (!call) return;
    call.unanswered = unanswered;
    this.#causes.callEnded(call);
  }

  #onHttp({ seq, time, bytes }: Frame): void {
    const text = new TextDecoder().decode(bytes);
    const { end } = this.#http.addFrame(seq, text);
    const frame = end ?? readHttpFrame(text);
    if (frame) this.#streams.addHttpFrame({ seq, time }, frame);
    if (frame?.kind === 'body' && frame.text !== undefined) this.#bodies.set(frame.exchange, frame.text);
    if (!end) return;
    const [status, body] = [this.#status(end.exchange), this.#bodies.get(end.exchange)];
    const lost: Unanswered = {
      why: 'lost',
      since: { seq, time },
      ...(status !== undefined && { status }),
      ...(body !== undefined && { body }),
    };
    for (const id of idsIn(end, 'unanswered')) this.#giveUp(id, lost);
    for (const id of idsIn(end, 'cancelled')) this.#giveUp(id, { why: 'cancelled', since: { seq, time } });
    this.#bodies.delete(end.exchange);
  }

  #onLifecycle({ seq, time, bytes }: Frame): void {
    const since = { seq, time };
    const event = lifecycleEventOf(bytes);
    if (event?.event === 'open') this.#opened = event;
    if (event?.event === 'timeout') this.#giveUp(JSON.stringify(event.id), { why: 'timeout', since });
    if (event === undefined || !ENDS.has(event.event)) return;
    // Messages that the server had already sent may still come.
    for (const call of this.#causes.open) this.#giveUp(call.id, { why: 'lost', since });
  }
}

/**
 * Open requests of one side, by id. Of several with one id, the oldest open one is answered first, then those given
 * up. `1` and `"1"` are different ids, and so are numbers that a double can’t tell apart.
 */
class OpenRequests<T> {
  readonly #byId = new Map<string, RequestQueue>();
  /** Requests by a number of our own, since a batch has several requests in one frame. */
  readonly #requests = new Map<number, T>();
  #added = 0;

  add(id: string, request: T): void {
    const key = canonicalJson(id);
    const waiting = this.#byId.get(key) ?? new RequestQueue();
    this.#byId.set(key, waiting);
    this.#requests.set(++this.#added, request);
    waiting.addRequest(this.#added);
  }

  /** Removes and returns the request that an answer with this id is for; undefined if there is none. */
  answer(id: string): T | undefined {
    const key = canonicalJson(id);
    const waiting = this.#byId.get(key);
    const number = waiting?.answerOldest();
    if (waiting?.isEmpty) this.#byId.delete(key);
    if (number === undefined) return undefined;
    const request = this.#requests.get(number);
    this.#requests.delete(number);
    return request;
  }

  /** Gives up the request with this id. An answer may still come. */
  giveUp(id: string): T | undefined {
    const number = this.#byId.get(canonicalJson(id))?.giveUpOldest();
    return number === undefined ? undefined : this.#requests.get(number);
  }
}

/**
 * Links later rounds of a call to the first one, which was answered with `input_required` (2026-07-28). Rounds share
 * method, name and `requestState`.
 */
class InputRounds {
  readonly #unfinished = new Map<string, number>();

  /** Returns seq of the first round if this request is a later one. */
  continues({ message, params }: ParsedMessage): number | undefined {
    if (this.#unfinished.size === 0) return undefined;
    const state = params?.member('requestState');
    if (state === undefined && params?.member('inputResponses') === undefined) return undefined;
    const key = stateKey(message.method, message.name, state?.text);
    const first = this.#unfinished.get(key);
    this.#unfinished.delete(key);
    return first;
  }

  answered(call: RecordedCall, { message, answer = '' }: ParsedMessage): void {
    const result = own(message.body, 'result');
    if (!isObject(result) || own(result, 'resultType') !== 'input_required') return;
    const state = JsonSource.parse(answer)?.member('requestState')?.text;
    this.#unfinished.set(stateKey(call.method, call.name, state), call.continues ?? call.seq);
  }
}

function stateKey(method: string | undefined, name: string | undefined, state: string | undefined): string {
  return JSON.stringify([method, name, state]);
}

/** Returns ids as JSON text. */
function idsIn(end: Extract<HttpFrame, { kind: 'end' }>, key: 'unanswered' | 'cancelled'): readonly string[] {
  return (end[key] ?? []).map((id) => JSON.stringify(id));
}

/** Returns a progress token, which is a string or a number. */
function tokenOf(token: JsonSource | undefined): string | undefined {
  return token?.kind === 'string' || token?.kind === 'number' ? token.text : undefined;
}

/** Returns the version in the `_meta` of a call, where modern calls name it. */
function modernVersion(call: RecordedCall | undefined): string | undefined {
  const version = JsonSource.parse(call?.params ?? '')
    ?.member('_meta')
    ?.member(META_KEY.protocolVersion);
  return version?.kind === 'string' ? (version.value as string) : undefined;
}

/** Returns the version that an `initialize` agreed on. */
function versionIn(initialize: RecordedCall | undefined): string | undefined {
  const version = JsonSource.parse(initialize?.answer?.text ?? '')?.member('protocolVersion');
  return version?.kind === 'string' ? (version.value as string) : undefined;
}
