import { isObject, type JsonObject, own, type RequestId } from '@/lib/json/value';
import { DIRECTIONS, type Direction } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { Message } from '../classify';
import { RecentMap } from '../columns/collections';
import type { Columns } from '../columns/columns';
import type { Status } from '../rows/row';

/** A request and what belongs to it. A snapshot: the same object until something about it changes. */
export interface Exchange {
  readonly requestSeq: number;
  /** Of the request. */
  readonly direction: Direction;
  readonly id: RequestId | null | undefined;
  readonly method: string;
  readonly name?: string;
  /** `cancelled` and `timeout` stay, even if an answer still comes. A request without a usable id stays `pending`. */
  readonly status: Status;
  /** The first answer. */
  readonly responseSeq?: number;
  /** Request to answer, between the taps, in microseconds. */
  readonly durationUs?: number;
  /** When the request was sent: microseconds since the connection began. */
  readonly sentAt: number;
  readonly progress?: Progress;
  /** seq of a frame that looks like the answer but can't be paired. Absent once the answer is there. */
  readonly unmatchedSeq?: number;
}

/** A request got its answer (`answer`), or none is expected any more. */
export type Settled = (requestSeq: number, status: Status, answer?: { seq: number; message: Message }) => void;

/** Requests of this method stay open as long as they can: they are no measure of time. */
export const LISTEN_METHOD = 'subscriptions/listen';

/** Most unanswered requests to search for the only one in flight. Takes microseconds. */
const MOST_PASSED = 64;

const OTHER: Readonly<Record<Direction, Direction>> = { 'to-server': 'to-client', 'to-client': 'to-server' };

/**
 * Pairs requests with answers by the request's direction and the id with its JSON type: both sides may use id 1 at once,
 * and `"1"` answers no 1. The first answer wins; a second one knows its request and changes nothing about it, and one that came
 * before its request stays alone.
 */
export class Exchanges {
  readonly #columns: Columns;
  readonly #settled: Settled;
  /** Requests not answered yet, by direction and id: `1` and `"1"` are two. */
  readonly #open = byDirection(() => new Map<unknown, RequestQueue>());
  /** Batches with requests in them: how many are unanswered, and the worst answer so far. */
  readonly #batches = new Map<number, { left: number; status: Status }>();
  readonly #progress = new ProgressTokens();
  readonly #latest = new LatestRequests();
  /** Requests answered lately, by direction and id. */
  readonly #answered = byDirection(() => new RecentMap<RequestId, number>());
  /** Snapshots handed out, until they change. */
  readonly #snapshots = new Map<number, Exchange>();

  constructor(columns: Columns, settled: Settled) {
    this.#columns = columns;
    this.#settled = settled;
  }

  /** Takes in one message of the newest frame. */
  addMessage(seq: number, direction: Direction, message: Message): void {
    this.#handlers[message.kind](seq, direction, message);
  }

  /** We gave up on our request with this id. */
  markTimedOut(id: RequestId): void {
    this.#end('to-server', id, 'timeout');
  }

  /** HTTP brought these requests of ours no answer. */
  markUnanswered(ids: readonly unknown[]): void {
    for (const id of ids) this.#end('to-server', id, 'lost');
  }

  /** We gave these requests of ours up without a message. */
  markCancelled(ids: readonly unknown[]): void {
    for (const id of ids) this.#end('to-server', id, 'cancelled');
  }

  /** That our request `seq` was refused is no failure; false if it was not refused. */
  excuseRefusal(seq: number): boolean {
    const status = this.#columns.status(seq - 1);
    if (status !== 'error' && status !== 'lost') return false;
    const answer = this.#columns.peer(seq - 1);
    this.#columns.setStatus(seq - 1, 'refused');
    if (answer !== undefined) this.#columns.setStatus(answer - 1, 'refused');
    this.#snapshots.delete(seq);
    return true;
  }

  /** Our request `seq` was given up and is refused after all: no failure. */
  excuseLateRefusal(seq: number): void {
    const answer = this.#columns.peer(seq - 1);
    for (const each of [seq, answer]) if (each !== undefined) this.#columns.setStatus(each - 1, 'refused');
    this.#snapshots.delete(seq);
  }

  /**
   * The server is gone: nothing still open will be answered. What it had already printed may still come. `byUs`: we ended it,
   * which is how a request ends that stays open as long as it can.
   */
  endAll(byUs: boolean): void {
    for (const waiting of DIRECTIONS.flatMap((direction) => [...this.#open[direction].values()])) {
      for (let seq = waiting.giveUpOldest(); seq !== undefined; seq = waiting.giveUpOldest()) {
        this.#giveUp(seq, byUs && this.#columns.method(seq - 1) === LISTEN_METHOD ? 'cancelled' : 'lost');
      }
    }
  }

  /**
   * seq of the oldest request of ours that waits for an answer with this id, exactly; of one that was given up if none
   * does.
   */
  waitingFor(id: RequestId): number | undefined {
    return this.#open['to-server'].get(id)?.nextToAnswer;
  }

  /** True if a request of ours with this id was answered lately. */
  wasAnswered(id: RequestId): boolean {
    return this.#answered['to-server'].has(id);
  }

  /** seq of the only request of ours in flight, but for those that stay open; undefined for none, and for several. */
  get onlyPending(): number | undefined {
    let only: number | undefined;
    let looked = 0;
    for (const waiting of this.#open['to-server'].values()) {
      const seq = waiting.oldestPending;
      // Those that were given up are passed over, however many they are.
      if (++looked > MOST_PASSED) return undefined;
      if (seq === undefined || this.#columns.method(seq - 1) === LISTEN_METHOD) continue;
      if (only !== undefined) return undefined;
      only = seq;
    }
    return only;
  }

  /**
   * Notes that the frame `seq` looks like the answer to our request but can't be paired. The newest such frame counts.
   */
  linkUnmatched(requestSeq: number, seq: number): void {
    this.#columns.setUnmatched(seq - 1, requestSeq);
    this.#snapshots.delete(requestSeq);
  }

  /** seq of our newest request of this method, and of this name if one is given. */
  latestRequest(method: string, name?: string): number | undefined {
    return this.#latest.get(method, name);
  }

  /** undefined if that frame is no request. */
  get(requestSeq: number): Exchange | undefined {
    const index = requestSeq - 1;
    if (!(index >= 0 && index < this.#columns.size)) return undefined;
    const known = this.#snapshots.get(requestSeq);
    if (known) return known;
    if (this.#columns.kind(index) !== 'request') return undefined;
    const responseSeq = this.#columns.peer(index);
    const sentAt = this.#columns.time(index);
    const exchange: Exchange = {
      requestSeq,
      direction: this.#columns.direction(index),
      id: this.#columns.id(index),
      method: this.#columns.method(index) ?? '',
      name: this.#columns.name(index),
      status: this.#columns.status(index) ?? 'pending',
      responseSeq,
      durationUs: responseSeq === undefined ? undefined : this.#columns.time(responseSeq - 1) - sentAt,
      sentAt,
      progress: this.#progress.of(requestSeq),
      unmatchedSeq: this.#columns.unmatched(index),
    };
    this.#snapshots.set(requestSeq, exchange);
    return exchange;
  }

  readonly #handlers: Readonly<Record<Message['kind'], (seq: number, direction: Direction, message: Message) => void>> =
    {
      request: (seq, direction, message) => this.#request(seq, direction, message),
      response: (seq, direction, message) => this.#answer(seq, direction, message),
      error: (seq, direction, message) => this.#answer(seq, direction, message),
      notification: (seq, direction, message) => this.#notification(seq, direction, message),
    };

  #request(seq: number, direction: Direction, message: Message): void {
    if (direction === 'to-server') this.#latest.add(seq, message);
    if (message.id === undefined || message.id === null) return;
    const open = this.#open[direction];
    const waiting = open.get(message.id) ?? new RequestQueue();
    open.set(message.id, waiting);
    waiting.addRequest(seq);
    this.#progress.addRequest(seq, direction, message.body);
    this.#columns.setStatus(seq - 1, 'pending');
    if (this.#columns.kind(seq - 1) !== 'batch') return;
    const batch = this.#batches.get(seq);
    if (batch) batch.left++;
    else this.#batches.set(seq, { left: 1, status: 'ok' });
  }

  #answer(seq: number, direction: Direction, message: Message): void {
    const outcome = outcomeOf(message);
    const id = message.id ?? undefined;
    const asked = OTHER[direction];
    const waiting = id === undefined ? undefined : this.#open[asked].get(id);
    const requestSeq = waiting?.answerOldest();
    // A result that nobody asked for is not ok.
    const says = requestSeq !== undefined || outcome !== 'ok';
    if (says && this.#columns.kind(seq - 1) !== 'batch') this.#columns.setStatus(seq - 1, outcome);
    if (id === undefined) return;
    if (requestSeq === undefined) {
      this.#again(seq, this.#answered[asked].get(id));
      return;
    }
    if (waiting?.isEmpty) this.#open[asked].delete(id);
    this.#answered[asked].set(id, requestSeq);
    this.#progress.releaseToken(requestSeq);
    if (this.#columns.peer(requestSeq - 1) === undefined) this.#columns.setPeer(requestSeq - 1, seq);
    if (this.#columns.peer(seq - 1) === undefined) this.#columns.setPeer(seq - 1, requestSeq);
    this.#settle(requestSeq, this.#whole(requestSeq, outcome), { seq, message });
  }

  /** An answer that nobody waits for: another one to what was answered before, if anything was. */
  #again(seq: number, requestSeq: number | undefined): void {
    if (requestSeq !== undefined && this.#columns.peer(seq - 1) === undefined)
      this.#columns.setPeer(seq - 1, requestSeq);
  }

  /** What a request's status becomes: a batch's only when its last answer is here. */
  #whole(requestSeq: number, outcome: Status): Status {
    const batch = this.#batches.get(requestSeq);
    if (!batch) return outcome;
    if (outcome !== 'ok') batch.status = outcome;
    batch.left--;
    return batch.left > 0 ? 'pending' : batch.status;
  }

  #notification(seq: number, direction: Direction, message: Message): void {
    const params = own(message.body, 'params');
    if (!isObject(params)) return;
    const about =
      message.method === 'notifications/progress'
        ? this.#progress.addNotification(seq, OTHER[direction], params)
        : message.method === 'notifications/cancelled'
          ? this.#end(direction, own(params, 'requestId'), 'cancelled')
          : undefined;
    if (about === undefined) return;
    this.#snapshots.delete(about);
    if (this.#columns.kind(seq - 1) !== 'batch') this.#columns.setPeer(seq - 1, about);
  }

  /** Ends the oldest pending request with this id and returns its seq. */
  #end(direction: Direction, id: unknown, status: Status): number | undefined {
    const seq = this.#open[direction].get(id)?.giveUpOldest();
    if (seq !== undefined) this.#giveUp(seq, status);
    return seq;
  }

  #giveUp(seq: number, status: Status): void {
    this.#columns.setGivenUp(seq - 1);
    this.#settle(seq, status);
  }

  #settle(requestSeq: number, status: Status, answer?: { seq: number; message: Message }): void {
    const before = this.#columns.status(requestSeq - 1);
    const settled = before === 'cancelled' || before === 'timeout' ? before : status;
    this.#columns.setStatus(requestSeq - 1, settled);
    this.#snapshots.delete(requestSeq);
    if (settled !== 'pending') this.#settled(requestSeq, settled, answer);
  }
}

function byDirection<T>(make: () => T): Readonly<Record<Direction, T>> {
  return { 'to-server': make(), 'to-client': make() };
}

function outcomeOf(message: Message): Status {
  if (message.kind === 'error') return 'error';
  const result = own(message.body, 'result');
  return isObject(result) && own(result, 'isError') === true ? 'tool-error' : 'ok';
}

/** Requests under one id, oldest first. Taking the oldest is O(1), however many there are. */
class SeqQueue {
  readonly #seqs: number[] = [];
  #from = 0;

  get size(): number {
    return this.#seqs.length - this.#from;
  }

  /** The oldest one, which stays. */
  get first(): number | undefined {
    return this.#seqs[this.#from];
  }

  add(seq: number): void {
    this.#seqs.push(seq);
  }

  removeOldest(): number | undefined {
    return this.#from < this.#seqs.length ? this.#seqs[this.#from++] : undefined;
  }
}

/**
 * The requests with one direction and id that may still get an answer. Usually there is one; a peer that uses an id again and
 * again must not make us look through all of them.
 */
export class RequestQueue {
  readonly #pending = new SeqQueue();
  /** Called off, timed out or lost: an answer may still come. */
  readonly #ended = new SeqQueue();

  get isEmpty(): boolean {
    return this.#pending.size + this.#ended.size === 0;
  }

  /** The oldest pending one. */
  get oldestPending(): number | undefined {
    return this.#pending.first;
  }

  /** The one that {@link answerOldest} would take. */
  get nextToAnswer(): number | undefined {
    return this.#pending.first ?? this.#ended.first;
  }

  addRequest(seq: number): void {
    this.#pending.add(seq);
  }

  /** The oldest pending one is given up; returns its seq. */
  giveUpOldest(): number | undefined {
    const seq = this.#pending.removeOldest();
    if (seq !== undefined) this.#ended.add(seq);
    return seq;
  }

  /** An answer came: for the oldest pending one, else for the oldest that was given up. */
  answerOldest(): number | undefined {
    return this.#pending.removeOldest() ?? this.#ended.removeOldest();
  }
}

/** The newest progress notification of a request. */
export interface Progress {
  readonly seq: number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** How many there were so far. */
  readonly count: number;
}

type ProgressToken = string | number;

/** A request's token, and its direction: the other side may use the same. */
interface AssignedToken {
  readonly direction: Direction;
  readonly token: ProgressToken;
}

/** Which request a progress token belongs to, and how far each request has come. Tokens are strings or numbers. */
class ProgressTokens {
  /** By the direction of the request, and its token: `1` and `"1"` are two. */
  readonly #requests = {
    'to-server': new Map<ProgressToken, number>(),
    'to-client': new Map<ProgressToken, number>(),
  } as const;
  readonly #given = new Map<number, AssignedToken>();
  readonly #progress = new Map<number, Progress>();

  /** Notes the token of a request, if it has one. */
  addRequest(seq: number, direction: Direction, body: JsonObject): void {
    const params = own(body, 'params');
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    const token = isObject(meta) ? toToken(own(meta, 'progressToken')) : undefined;
    if (token === undefined) return;
    this.#requests[direction].set(token, seq);
    this.#given.set(seq, { direction, token });
  }

  /** Takes in a notification about a request that went in `direction`; returns the request's seq if the token is in use. */
  addNotification(seq: number, direction: Direction, params: JsonObject): number | undefined {
    const token = toToken(own(params, 'progressToken'));
    const request = token === undefined ? undefined : this.#requests[direction].get(token);
    if (request === undefined) return undefined;
    const progress = own(params, 'progress');
    const total = own(params, 'total');
    const message = own(params, 'message');
    const before = this.#progress.get(request);
    this.#progress.set(request, {
      seq,
      progress: typeof progress === 'number' ? progress : (before?.progress ?? 0),
      total: typeof total === 'number' ? total : undefined,
      message: typeof message === 'string' ? message.slice(0, LIMITS.progressChars) : undefined,
      count: (before?.count ?? 0) + 1,
    });
    return request;
  }

  /** An answered request's token is free again: what still comes with it belongs to nothing. */
  releaseToken(seq: number): void {
    const given = this.#given.get(seq);
    if (given === undefined) return;
    this.#given.delete(seq);
    const requests = this.#requests[given.direction];
    if (requests.get(given.token) === seq) requests.delete(given.token);
  }

  of(seq: number): Progress | undefined {
    return this.#progress.get(seq);
  }
}

function toToken(token: unknown): ProgressToken | undefined {
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The newest request of each method, and of each method and name. */
class LatestRequests {
  readonly #methods = new Map<string, { seq: number; names: Map<string, number> }>();

  add(seq: number, message: Message): void {
    const { method = '', name } = message;
    const latest = this.#methods.get(method) ?? { seq, names: new Map<string, number>() };
    this.#methods.set(method, latest);
    latest.seq = seq;
    if (name !== undefined) latest.names.set(name, seq);
  }

  get(method: string, name?: string): number | undefined {
    const latest = this.#methods.get(method);
    return name === undefined ? latest?.seq : latest?.names.get(name);
  }
}
