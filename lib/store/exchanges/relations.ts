import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import { idKey, type RequestId } from '@/lib/wire/message';
import { META_KEY, METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import type { Message } from '../classify';
import { SparseColumn } from '../columns/collections';
import type { Columns } from '../columns/columns';
import type { HttpExchanges } from './http-exchanges';

/** Most unfinished requests, retries and tasks remembered per connection. The oldest are forgotten first. */
const RELATIONS_MEMORY = 1000;

/** Client requests that cannot cause a request from the server. */
const CAUSE_NOTHING = /^(?:initialize|ping|server\/discover|subscriptions\/listen|logging\/setLevel|.+\/list)$/;

/** Most requests in flight that are looked at for each request of a server. */
const MOST_CAUSES = 20;

/**
 * Links frames to the request they belong to: a second response, requests from the server, progress and other
 * notifications, retries and polls of its task. A frame costs O(1).
 */
export class Relations {
  readonly #columns: Columns;
  readonly #http: HttpExchanges;
  readonly #owner = new SparseColumn();
  /** Linked lists of members: `#newest` by request, `#before` by member. A member costs no object. */
  readonly #newest = new SparseColumn();
  readonly #before = new SparseColumn();
  readonly #continuations = new Continuations();
  /** seqs of client requests in flight that may cause a request from the server. */
  readonly #causes = new Set<number>();

  constructor(columns: Columns, http: HttpExchanges) {
    this.#columns = columns;
    this.#http = http;
  }

  /** Adds a message of the newest frame, after it was paired. */
  addMessage(seq: number, direction: Direction, message: Message): void {
    if (message.kind === 'notification') this.#addNotification(seq, message);
    else if (message.kind === 'response' || message.kind === 'error') this.#addResponse(seq);
    else if (direction === 'to-server') this.#addClientRequest(seq, message);
    else this.#join(this.#continuations.taskRequest(message) ?? this.#cause(seq), seq);
  }

  /** Called when a client request was answered or given up. */
  onSettled(seq: number, answer: Message | undefined): void {
    this.#causes.delete(seq);
    if (answer) this.#continuations.onAnswer(this.rootOf(seq), seq, answer, this.#columns);
  }

  /** Called when the client is about to repeat request `id`. */
  onRetry(id: RequestId, method: string): void {
    this.#continuations.onRetry(id, method);
  }

  /** Returns the request that this frame belongs to, if any. */
  ownerOf(seq: number): number | undefined {
    return this.#owner.get(seq - 1) || undefined;
  }

  /**
   * Returns the client requests that may wait for the response to a server's request: the one it belongs to, or else
   * those in flight since before it. None if those are very many.
   */
  waitingFor(seq: number): readonly number[] {
    const owner = this.ownerOf(seq);
    if (owner !== undefined) return [owner];
    return this.#causes.size > MOST_CAUSES ? [] : [...this.#causes].filter((cause) => cause < seq);
  }

  /** Returns the request that this frame belongs to, or the frame itself. */
  rootOf(seq: number): number {
    return this.ownerOf(seq) ?? seq;
  }

  /** Returns the newest `most` frames of a request, oldest first. */
  membersOf(seq: number, most: number): number[] {
    const members: number[] = [];
    for (let at = this.#newest.get(seq - 1); at !== 0 && members.length < most; at = this.#before.get(at - 1)) {
      members.push(at);
    }
    return members.reverse();
  }

  #addClientRequest(seq: number, message: Message): void {
    this.#join(this.#continuations.continuedRequest(message), seq);
    if (message.id != null && !CAUSE_NOTHING.test(message.method ?? '')) this.#causes.add(seq);
  }

  #addNotification(seq: number, message: Message): void {
    const about = this.#columns.peer(seq - 1) ?? this.#continuations.taskRequest(message);
    this.#join(about ?? (message.method === METHOD.log ? this.#cause(seq) : undefined), seq);
  }

  /** The first response ends its request. Later ones are members. */
  #addResponse(seq: number): void {
    if (this.#columns.isSecondAnswer(seq - 1)) this.#join(this.#columns.peer(seq - 1), seq);
  }

  /**
   * Returns the client request that caused a request or log message of the server: the one on the same HTTP exchange,
   * otherwise the only one in flight; undefined if several are in flight.
   */
  #cause(seq: number): number | undefined {
    const carrier = this.#http.get(this.#columns.exchange(seq - 1) ?? 0)?.messages[0];
    if (carrier !== undefined && this.#causes.has(carrier)) return carrier;
    const [only] = this.#causes;
    return this.#causes.size === 1 ? only : undefined;
  }

  #join(request: number | undefined, seq: number): void {
    if (request === undefined) return;
    const owner = this.rootOf(request);
    if (owner >= seq || this.#owner.get(seq - 1) !== 0) return;
    this.#owner.set(seq - 1, owner);
    this.#before.set(seq - 1, this.#newest.get(owner - 1));
    this.#newest.set(owner - 1, seq);
  }
}

/** A response after which the request is expected to be repeated. */
interface Unfinished {
  readonly seq: number;
  readonly method: string | undefined;
  readonly name: string | undefined;
  /** `requestState`, which the repeated request returns unchanged. */
  readonly state: unknown;
}

/**
 * Finds client requests that continue an earlier one: calls repeated with input (`input_required`, 2026-07-28), retries
 * after a `retry` event, and polls of a task. Memory is bounded.
 */
class Continuations {
  /** Responses by request id. */
  readonly #unfinished = new Map<string, Unfinished>();
  readonly #retried = new Map<string, number>();
  readonly #tasks = new Map<string, number>();

  /** Called when a client request was answered. `root` is the first request of the chain. */
  onAnswer(root: number, seq: number, answer: Message, columns: Columns): void {
    const result = own(answer.body, 'result');
    const task = isObject(result) ? taskId(result) : undefined;
    if (task !== undefined && !this.#tasks.has(task)) remember(this.#tasks, task, root);
    const wantsInput = isObject(result) && own(result, 'resultType') === 'input_required';
    const error = own(answer.body, 'error');
    if (!wantsInput && !(isObject(error) && own(error, 'code') === RPC_CODE.headerMismatch)) return;
    remember(this.#unfinished, idKey(columns.id(seq - 1)), {
      seq: root,
      method: columns.method(seq - 1),
      name: columns.name(seq - 1),
      state: isObject(result) ? own(result, 'requestState') : undefined,
    });
  }

  /** Called when the client is about to repeat request `id` with a new id. */
  onRetry(id: RequestId, method: string): void {
    const key = idKey(id);
    const before = this.#unfinished.get(key);
    if (before === undefined || before.method !== method) return;
    this.#unfinished.delete(key);
    remember(this.#retried, method, before.seq);
  }

  /** Returns the request that a new one continues, if any. */
  continuedRequest({ method = '', name, body }: Message): number | undefined {
    const retried = this.#retried.get(method);
    if (retried !== undefined) {
      this.#retried.delete(method);
      return retried;
    }
    const params = own(body, 'params');
    if (!isObject(params)) return undefined;
    if (method.startsWith('tasks/')) return this.#task(params);
    const state = own(params, 'requestState');
    if (state === undefined && own(params, 'inputResponses') === undefined) return undefined;
    for (const [key, before] of this.#unfinished) {
      if (before.method !== method || before.name !== name || before.state !== state) continue;
      this.#unfinished.delete(key);
      return before.seq;
    }
    return undefined;
  }

  /** Returns the request whose task a notification or a server's request is about. */
  taskRequest({ method = '', body }: Message): number | undefined {
    const params = own(body, 'params');
    if (!isObject(params)) return undefined;
    if (method.startsWith('notifications/tasks')) return this.#task(params);
    const meta = own(params, '_meta');
    const related = isObject(meta) ? own(meta, META_KEY.relatedTask) : undefined;
    return isObject(related) ? this.#task(related) : undefined;
  }

  #task(params: JsonObject): number | undefined {
    const id = own(params, 'taskId');
    return typeof id === 'string' ? this.#tasks.get(id) : undefined;
  }
}

/** Returns the task id of a result: in the result itself (2026-07-28) or in `task` (2025-11-25). */
function taskId(result: JsonObject): string | undefined {
  const task = own(result, 'task');
  const id = own(isObject(task) ? task : result, 'taskId');
  return typeof id === 'string' ? id : undefined;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= RELATIONS_MEMORY) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    break;
  }
}
