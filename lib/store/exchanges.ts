import { DIRECTIONS, type Direction } from '@/lib/wire/frame';
import { isObject, own, type RequestId } from '@/lib/wire/message';
import type { Message } from './classify';
import type { Columns } from './columns';
import { LatestRequests } from './latest-requests';
import { type Progress, ProgressTokens } from './progress';
import { RecentMap } from './recent-map';
import type { Status } from './row';
import { Waiting } from './waiting';

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
export const ENDLESS = 'subscriptions/listen';

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
  readonly #open = byDirection(() => new Map<unknown, Waiting>());
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
  add(seq: number, direction: Direction, message: Message): void {
    this.#handlers[message.kind](seq, direction, message);
  }

  /** We gave up on our request with this id. */
  timeout(id: RequestId): void {
    this.#end('to-server', id, 'timeout');
  }

  /** HTTP brought these requests of ours no answer. */
  unanswered(ids: readonly unknown[]): void {
    for (const id of ids) this.#end('to-server', id, 'lost');
  }

  /** We gave these requests of ours up without a message. */
  cancelled(ids: readonly unknown[]): void {
    for (const id of ids) this.#end('to-server', id, 'cancelled');
  }

  /** That our request `seq` was refused is no failure; false if it was not refused. */
  forgive(seq: number): boolean {
    const status = this.#columns.status(seq - 1);
    if (status !== 'error' && status !== 'lost') return false;
    const answer = this.#columns.peer(seq - 1);
    this.#columns.setStatus(seq - 1, 'refused');
    if (answer !== undefined) this.#columns.setStatus(answer - 1, 'refused');
    this.#snapshots.delete(seq);
    return true;
  }

  /** Our request `seq` was given up and is refused after all: no failure. */
  refusedLate(seq: number): void {
    const answer = this.#columns.peer(seq - 1);
    for (const each of [seq, answer]) if (each !== undefined) this.#columns.setStatus(each - 1, 'refused');
    this.#snapshots.delete(seq);
  }

  /**
   * The server is gone: nothing still open will be answered. What it had already printed may still come. `byUs`: we ended it,
   * which is how a request ends that stays open as long as it can.
   */
  lost(byUs: boolean): void {
    for (const waiting of DIRECTIONS.flatMap((direction) => [...this.#open[direction].values()])) {
      for (let seq = waiting.end(); seq !== undefined; seq = waiting.end()) {
        this.#giveUp(seq, byUs && this.#columns.method(seq - 1) === ENDLESS ? 'cancelled' : 'lost');
      }
    }
  }

  /**
   * seq of the oldest request of ours that waits for an answer with this id, exactly; of one that was given up if none
   * does.
   */
  waitingFor(id: RequestId): number | undefined {
    return this.#open['to-server'].get(id)?.first;
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
      const seq = waiting.pending;
      // Those that were given up are passed over, however many they are.
      if (++looked > MOST_PASSED) return undefined;
      if (seq === undefined || this.#columns.method(seq - 1) === ENDLESS) continue;
      if (only !== undefined) return undefined;
      only = seq;
    }
    return only;
  }

  /**
   * Notes that the frame `seq` looks like the answer to our request but can't be paired. The newest such frame counts.
   */
  unmatched(requestSeq: number, seq: number): void {
    this.#columns.setUnmatched(seq - 1, requestSeq);
    this.#snapshots.delete(requestSeq);
  }

  /** seq of our newest request of this method, and of this name if one is given. */
  latest(method: string, name?: string): number | undefined {
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
    const waiting = open.get(message.id) ?? new Waiting();
    open.set(message.id, waiting);
    waiting.add(seq);
    this.#progress.request(seq, direction, message.body);
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
    const requestSeq = waiting?.answer();
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
    this.#progress.answered(requestSeq);
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
        ? this.#progress.notification(seq, OTHER[direction], params)
        : message.method === 'notifications/cancelled'
          ? this.#end(direction, own(params, 'requestId'), 'cancelled')
          : undefined;
    if (about === undefined) return;
    this.#snapshots.delete(about);
    if (this.#columns.kind(seq - 1) !== 'batch') this.#columns.setPeer(seq - 1, about);
  }

  /** Ends the oldest pending request with this id and returns its seq. */
  #end(direction: Direction, id: unknown, status: Status): number | undefined {
    const seq = this.#open[direction].get(id)?.end();
    if (seq !== undefined) this.#giveUp(seq, status);
    return seq;
  }

  #giveUp(seq: number, status: Status): void {
    this.#columns.giveUp(seq - 1);
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
