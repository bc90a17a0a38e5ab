import { isObject, type JsonObject, own } from '@/lib/json/value';
import { DIRECTIONS, type Direction, OPPOSITE } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import { METHOD } from '@/lib/wire/protocol-names';
import { isTaskMethod, startedTask } from '@/lib/wire/task';
import type { Message } from '../classify';
import { RecentMap } from '../columns/collections';
import type { Columns } from '../columns/columns';
import { type AddedHttpFrame, type Derivation, ENDS } from '../derivation';
import type { RowStatus } from '../rows/row';
import type { Interceptions } from './interceptions';
import { OpenRequests } from './open-requests';
import { SettledRequests } from './settled-requests';

/** A request and its response, progress and status. The same object until it changes. */
export interface Exchange {
  readonly requestSeq: number;
  /** Direction of the request. */
  readonly direction: Direction;
  readonly id: RequestId | null | undefined;
  readonly method: string;
  readonly name?: string;
  /**
   * `cancelled` and `timeout` stay, even if a response still arrives. A request without a usable id stays `pending`.
   */
  readonly status: RowStatus;
  /** seq of the first response. For a task, of the response or notification that holds its result. */
  readonly responseSeq?: number;
  /**
   * Microseconds from request to response, or to the end of its task, measured at the tap. The time for which a person
   * held the response does not count.
   */
  readonly durationUs?: number;
  /** Set if the request started a task. The exchange lasts until the task has ended. */
  readonly task?: ExchangeTask;
  /** When the request was sent, in microseconds since the connection started. */
  readonly sentAt: number;
  readonly progress?: ProgressReport;
  /** seq of a frame that looks like the response but cannot be paired. Absent once there is a response. */
  readonly unmatchedSeq?: number;
}

/** The task of a call. */
export interface ExchangeTask {
  /** seq of the response that started it. */
  readonly startSeq: number;
  /** seq of the frame that ended it. */
  readonly endSeq?: number;
  /** Its result is a member of a task in the frame `responseSeq`, not the response itself (2026-07-28). */
  readonly inline: boolean;
}

/** How a task ended. */
export interface TaskEnd {
  /** seq of the frame that says so. */
  readonly seq: number;
  readonly status: RowStatus;
  /** False if its result may still follow. */
  readonly isFinal: boolean;
  /** Whether the frame holds its result: as the whole response, or `inline` in a task. */
  readonly answer?: 'whole' | 'inline';
}

/** Called when a request got its response (`answer`) or was given up. */
export type Settled = (requestSeq: number, status: RowStatus, answer?: { seq: number; message?: Message }) => void;

/** Called when the response `seq` to a client's request starts a task. */
type TaskStarted = (requestSeq: number, seq: number, message: Message) => void;

/** Most unanswered requests to look through for the only one in flight. Takes microseconds. */
const MOST_LOOKED_AT = 64;

/**
 * Pairs requests with responses by direction and by id including its JSON type: both sides may use id 1 at once, and
 * `"1"` is not 1. The first response counts. A second one links to its request without changing it. A response before
 * its request is not paired.
 */
export class Exchanges implements Derivation {
  readonly settled = new SettledRequests();
  readonly #columns: Columns;
  readonly #interceptions: Pick<Interceptions, 'arrivalOf'>;
  readonly #onSettled: Settled;
  readonly #taskStarted: TaskStarted;
  /** Calls whose task has not ended, and how those of the others ended. */
  readonly #runningTasks = new Set<number>();
  readonly #taskEnds = new Map<number, TaskEnd>();
  readonly #open = byDirection(() => new OpenRequests());
  /** Batches with requests: how many are unanswered, and the worst response so far. */
  readonly #batches = new Map<number, { left: number; status: RowStatus }>();
  readonly #progress = new ProgressTokens();
  readonly #latest = new LatestRequests();
  /** Recently answered requests by direction and id. */
  readonly #answered = byDirection(() => new RecentMap<RequestId, number>());
  /** Snapshots that are still valid. */
  readonly #snapshots = new Map<number, Exchange>();

  constructor(
    columns: Columns,
    interceptions: Pick<Interceptions, 'arrivalOf'>,
    onSettled: Settled,
    taskStarted: TaskStarted,
  ) {
    this.#columns = columns;
    this.#interceptions = interceptions;
    this.#onSettled = onSettled;
    this.#taskStarted = taskStarted;
  }

  /** Adds a message of the newest frame. */
  addMessage(seq: number, direction: Direction, message: Message): void {
    this.#handlers[message.kind](seq, direction, message);
  }

  addEvent(_seq: number, event: LifecycleEvent | undefined, isEnding: boolean): void {
    if (event?.event === 'timeout') this.#giveUpById('to-server', event.id, 'timeout');
    if (ENDS.has(event?.event)) this.#endAll(isEnding);
  }

  /** Over HTTP, the end of an exchange can also end its requests: without a response, or given up by the client. */
  addHttp({ end }: AddedHttpFrame): void {
    if (Array.isArray(end?.unanswered)) for (const id of end.unanswered) this.#giveUpById('to-server', id, 'lost');
    if (Array.isArray(end?.cancelled)) this.markCancelled(end.cancelled);
  }

  /** Marks requests that the client gave up without a cancelled notification. */
  markCancelled(ids: readonly unknown[]): void {
    for (const id of ids) this.#giveUpById('to-server', id, 'cancelled');
  }

  /** Marks the refusal of a request as expected. Returns false if it was not refused. */
  excuseRefusal(seq: number): boolean {
    const status = this.#columns.status(seq - 1);
    if (status !== 'error' && status !== 'lost') return false;
    const answer = this.#columns.peer(seq - 1);
    this.#columns.setStatus(seq - 1, 'refused');
    if (answer !== undefined) this.#columns.setStatus(answer - 1, 'refused');
    this.#snapshots.delete(seq);
    return true;
  }

  /** Marks the refusal of a request that had already been given up as expected. */
  excuseLateRefusal(seq: number): void {
    const answer = this.#columns.peer(seq - 1);
    for (const each of [seq, answer]) if (each !== undefined) this.#columns.setStatus(each - 1, 'refused');
    this.#snapshots.delete(seq);
  }

  /**
   * Ends all open requests, because the server is gone. Output that it has already written may still arrive. `byUs`:
   * the client ended it, which is the normal end of a subscription.
   */
  #endAll(byUs: boolean): void {
    for (const seq of [...this.#runningTasks]) {
      this.endTask(seq, { seq: this.#columns.size, status: 'lost', isFinal: true });
    }
    for (const seq of DIRECTIONS.flatMap((direction) => this.#open[direction].giveUpAll()))
      this.#giveUp(seq, byUs && this.#columns.method(seq - 1) === METHOD.listen ? 'cancelled' : 'lost');
  }

  /** Returns the oldest pending client request with exactly this id, otherwise one that was given up. */
  waitingFor(id: RequestId): number | undefined {
    return this.#open['to-server'].get(id)?.nextToAnswer;
  }

  /** Ends the task of a call. A result that follows an end without one replaces it. */
  endTask(requestSeq: number, end: TaskEnd): void {
    if (this.#taskEnds.get(requestSeq)?.isFinal) return;
    this.#taskEnds.set(requestSeq, end);
    this.#runningTasks.delete(requestSeq);
    this.#progress.releaseToken(requestSeq);
    this.#columns.setTaskSeq(requestSeq - 1, end.seq);
    this.#columns.setStatus(requestSeq - 1, end.status);
    this.#snapshots.delete(requestSeq);
    this.settled.add(requestSeq, this.#columns.size);
    if (end.isFinal) this.#onSettled(requestSeq, end.status, end.status === 'lost' ? undefined : { seq: end.seq });
  }

  /** True if a client request with this id was answered recently. */
  wasAnswered(id: RequestId): boolean {
    return this.#answered['to-server'].has(id);
  }

  /** seq of the only client request in flight, subscriptions aside; undefined for none or several. */
  get onlyPending(): number | undefined {
    let only: number | undefined;
    let looked = 0;
    for (const { oldestPending: seq } of this.#open['to-server'].all()) {
      // Count requests that were given up too, so that many of them do not make this slow.
      if (++looked > MOST_LOOKED_AT) return undefined;
      if (seq === undefined || this.#columns.method(seq - 1) === METHOD.listen) continue;
      if (only !== undefined) return undefined;
      only = seq;
    }
    return only;
  }

  /** seq of the oldest client request of this method without an answer, otherwise of one that was given up. */
  oldestOf(method: string): number | undefined {
    let givenUp: number | undefined;
    let looked = 0;
    for (const { oldestPending, nextToAnswer: seq } of this.#open['to-server'].all()) {
      if (++looked > MOST_LOOKED_AT) break;
      if (seq === undefined || this.#columns.method(seq - 1) !== method) continue;
      if (oldestPending !== undefined) return seq;
      givenUp ??= seq;
    }
    return givenUp;
  }

  /** Links a frame that looks like the response to a request. The newest such frame counts. */
  linkUnmatched(requestSeq: number, seq: number): void {
    this.#columns.setUnmatched(seq - 1, requestSeq);
    this.#snapshots.delete(requestSeq);
  }

  /** Returns the newest client request with this method, and name if given. */
  latestRequest(method: string, name?: string): number | undefined {
    return this.#latest.get(method, name);
  }

  /** Returns the exchange of a request; undefined if the frame is not a request. */
  get(requestSeq: number): Exchange | undefined {
    const index = requestSeq - 1;
    if (!(index >= 0 && index < this.#columns.size)) return undefined;
    const known = this.#snapshots.get(requestSeq);
    if (known) return known;
    if (this.#columns.kind(index) !== 'request') return undefined;
    const task = this.#taskOf(requestSeq);
    const responseSeq = task ? this.#taskAnswer(requestSeq) : this.#columns.peer(index);
    const endSeq = task ? task.endSeq : responseSeq;
    const sentAt = this.#columns.time(index);
    const exchange: Exchange = {
      requestSeq,
      direction: this.#columns.direction(index),
      id: this.#columns.id(index),
      method: this.#columns.method(index) ?? '',
      name: this.#columns.name(index),
      status: this.#columns.status(index) ?? 'pending',
      responseSeq,
      durationUs:
        endSeq === undefined ? undefined : this.#columns.time(this.#interceptions.arrivalOf(endSeq) - 1) - sentAt,
      sentAt,
      task,
      progress: this.#progress.of(requestSeq),
      unmatchedSeq: this.#columns.unmatched(index),
    };
    this.#snapshots.set(requestSeq, exchange);
    return exchange;
  }

  #taskOf(requestSeq: number): ExchangeTask | undefined {
    const index = requestSeq - 1;
    if (this.#columns.taskSeq(index) === undefined) return undefined;
    const endSeq = this.#columns.taskEnd(index);
    const inline = this.#taskEnds.get(requestSeq)?.answer === 'inline';
    return { startSeq: this.#columns.peer(index)!, ...(endSeq !== undefined && { endSeq }), inline };
  }

  #taskAnswer(requestSeq: number): number | undefined {
    const end = this.#taskEnds.get(requestSeq);
    return end?.answer && end.seq;
  }

  readonly #handlers: Readonly<Record<Message['kind'], (seq: number, direction: Direction, message: Message) => void>> =
    {
      request: (seq, direction, message) => this.#addRequest(seq, direction, message),
      response: (seq, direction, message) => this.#addResponse(seq, direction, message),
      error: (seq, direction, message) => this.#addResponse(seq, direction, message),
      notification: (seq, direction, message) => this.#addNotification(seq, direction, message),
    };

  #addRequest(seq: number, direction: Direction, message: Message): void {
    if (direction === 'to-server') this.#latest.add(seq, message);
    if (message.id === undefined || message.id === null) return;
    this.#open[direction].addRequest(message.id, seq);
    this.#progress.addRequest(seq, direction, message.body);
    this.#columns.setStatus(seq - 1, 'pending');
    if (this.#columns.kind(seq - 1) !== 'batch') return;
    const batch = this.#batches.get(seq);
    if (batch) batch.left++;
    else this.#batches.set(seq, { left: 1, status: 'ok' });
  }

  #addResponse(seq: number, direction: Direction, message: Message): void {
    const outcome = outcomeOf(message);
    const id = message.id ?? undefined;
    const asked = OPPOSITE[direction];
    const requestSeq = id === undefined ? undefined : this.#open[asked].answer(id);
    // A result without a request is not "ok".
    const hasStatus = requestSeq !== undefined || outcome !== 'ok';
    if (hasStatus && this.#columns.kind(seq - 1) !== 'batch') this.#columns.setStatus(seq - 1, outcome);
    if (id === undefined) return;
    if (requestSeq === undefined) {
      this.#linkSecondAnswer(seq, this.#answered[asked].get(id));
      return;
    }
    this.#answered[asked].set(id, requestSeq);
    const startsTask = asked === 'to-server' && this.#startsTask(requestSeq, message);
    if (!startsTask) this.#progress.releaseToken(requestSeq);
    if (this.#columns.peer(requestSeq - 1) === undefined) this.#columns.setPeer(requestSeq - 1, seq);
    if (this.#columns.peer(seq - 1) === undefined) this.#columns.setPeer(seq - 1, requestSeq);
    if (startsTask) {
      this.#runningTasks.add(requestSeq);
      this.#columns.setTaskSeq(requestSeq - 1, seq);
      this.#snapshots.delete(requestSeq);
      this.#taskStarted(requestSeq, seq, message);
    } else this.#settle(requestSeq, this.#statusAfter(requestSeq, outcome), { seq, message });
  }

  /** True for a response that starts a task, unless the request was given up before. */
  #startsTask(requestSeq: number, { kind, body }: Message): boolean {
    const columns = this.#columns;
    if (kind !== 'response' || columns.kind(requestSeq - 1) !== 'request') return false;
    if (columns.status(requestSeq - 1) !== 'pending' || isTaskMethod(columns.method(requestSeq - 1))) return false;
    return startedTask(own(body, 'result')) !== undefined;
  }

  /** Links a response to the request that was already answered, if any. */
  #linkSecondAnswer(seq: number, requestSeq: number | undefined): void {
    if (requestSeq !== undefined && this.#columns.peer(seq - 1) === undefined)
      this.#columns.setPeer(seq - 1, requestSeq);
  }

  /** Returns a request's new status. A batch stays pending until its last response. */
  #statusAfter(requestSeq: number, outcome: RowStatus): RowStatus {
    const batch = this.#batches.get(requestSeq);
    if (!batch) return outcome;
    if (outcome !== 'ok') batch.status = outcome;
    batch.left--;
    return batch.left > 0 ? 'pending' : batch.status;
  }

  #addNotification(seq: number, direction: Direction, message: Message): void {
    const params = own(message.body, 'params');
    if (!isObject(params)) return;
    const about =
      message.method === METHOD.progress
        ? this.#progress.addNotification(seq, OPPOSITE[direction], params)
        : message.method === METHOD.cancelled
          ? this.#giveUpById(direction, own(params, 'requestId'), 'cancelled')
          : undefined;
    if (about === undefined) return;
    this.#snapshots.delete(about);
    if (this.#columns.kind(seq - 1) !== 'batch') this.#columns.setPeer(seq - 1, about);
  }

  /** Gives up the oldest pending request with this id and returns its seq. */
  #giveUpById(direction: Direction, id: unknown, status: RowStatus): number | undefined {
    const seq = this.#open[direction].giveUp(id);
    if (seq !== undefined) this.#giveUp(seq, status);
    return seq;
  }

  #giveUp(seq: number, status: RowStatus): void {
    this.#columns.setGivenUp(seq - 1);
    this.#settle(seq, status);
  }

  #settle(requestSeq: number, status: RowStatus, answer?: { seq: number; message: Message }): void {
    const before = this.#columns.status(requestSeq - 1);
    const settled = before === 'cancelled' || before === 'timeout' ? before : status;
    this.#columns.setStatus(requestSeq - 1, settled);
    this.#snapshots.delete(requestSeq);
    if (settled === 'pending') return;
    this.settled.add(requestSeq, this.#columns.size);
    this.#onSettled(requestSeq, settled, answer);
  }
}

function byDirection<T>(make: () => T): Readonly<Record<Direction, T>> {
  return { 'to-server': make(), 'to-client': make() };
}

function outcomeOf(message: Message): RowStatus {
  if (message.kind === 'error') return 'error';
  const result = own(message.body, 'result');
  return isObject(result) && own(result, 'isError') === true ? 'tool-error' : 'ok';
}

export interface ProgressReport {
  readonly seq: number;
  /** The first notification: its seq and value. */
  readonly first: { readonly seq: number; readonly progress: number };
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** Number of progress notifications so far. */
  readonly count: number;
}

type ProgressToken = string | number;

/** A request's token and direction. The other side may use the same token. */
interface AssignedToken {
  readonly direction: Direction;
  readonly token: ProgressToken;
}

/** Maps progress tokens to requests and keeps the newest progress of each. */
class ProgressTokens {
  /** Requests by direction and token. `1` and `"1"` are different tokens. */
  readonly #requests = {
    'to-server': new Map<ProgressToken, number>(),
    'to-client': new Map<ProgressToken, number>(),
  } as const;
  readonly #given = new Map<number, AssignedToken>();
  readonly #progress = new Map<number, ProgressReport>();

  /** Registers the token of a request, if it has one. */
  addRequest(seq: number, direction: Direction, body: JsonObject): void {
    const params = own(body, 'params');
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    const token = isObject(meta) ? toToken(own(meta, 'progressToken')) : undefined;
    if (token === undefined) return;
    this.#requests[direction].set(token, seq);
    this.#given.set(seq, { direction, token });
  }

  /** Adds a notification about a request sent in `direction`. Returns the request's seq if the token is in use. */
  addNotification(seq: number, direction: Direction, params: JsonObject): number | undefined {
    const token = toToken(own(params, 'progressToken'));
    const request = token === undefined ? undefined : this.#requests[direction].get(token);
    if (request === undefined) return undefined;
    const progress = own(params, 'progress');
    const total = own(params, 'total');
    const message = own(params, 'message');
    const before = this.#progress.get(request);
    const value = typeof progress === 'number' ? progress : (before?.progress ?? 0);
    this.#progress.set(request, {
      seq,
      first: before?.first ?? { seq, progress: value },
      progress: value,
      total: typeof total === 'number' ? total : undefined,
      message: typeof message === 'string' ? message.slice(0, LIMITS.progressChars) : undefined,
      count: (before?.count ?? 0) + 1,
    });
    return request;
  }

  /** Releases an answered request's token. Later notifications with it belong to no request. */
  releaseToken(seq: number): void {
    const given = this.#given.get(seq);
    if (given === undefined) return;
    this.#given.delete(seq);
    const requests = this.#requests[given.direction];
    if (requests.get(given.token) === seq) requests.delete(given.token);
  }

  of(seq: number): ProgressReport | undefined {
    return this.#progress.get(seq);
  }
}

function toToken(token: unknown): ProgressToken | undefined {
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The newest request by method, and by method and name. */
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
