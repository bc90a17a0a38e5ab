import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { idKey, type RequestId } from '@/lib/wire/message';
import { META_KEY, METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import { relatedTask } from '@/lib/wire/task';
import type { Message } from '../classify';
import { SparseColumn } from '../columns/collections';
import type { Columns } from '../columns/columns';
import type { Derivation } from '../derivation';
import type { HttpExchanges } from './http-exchanges';
import { type Clues, causingRequest, startsWork } from './request-origin';

/** Most unfinished requests, retries and tasks remembered per connection. The oldest are forgotten first. */
const RELATIONS_MEMORY = 1000;

/** Most requests in flight that are looked at for each request of a server. */
const MOST_CAUSES = 20;

/**
 * Links frames to the request they belong to: a second response, requests from the server, progress and other
 * notifications, retries and polls of its task. A frame costs O(1).
 */
export class Relations implements Derivation {
  readonly #columns: Columns;
  readonly #http: HttpExchanges;
  readonly #owner = new SparseColumn();
  /** Linked lists of members: `#newest` by request, `#before` by member. A member costs no object. */
  readonly #newest = new SparseColumn();
  readonly #before = new SparseColumn();
  readonly #continuations = new Continuations();
  /** Client requests in flight that make the server work, and calls whose task has not ended. */
  readonly #inFlight = new Set<number>();
  /** For a log message that names no request and belongs to none: 1 + how many of those there were when it came. */
  readonly #inFlightAt = new SparseColumn();
  /** Number of log messages by request. */
  readonly #logMessages = new SparseColumn();
  /** Subscriptions by id. */
  readonly #subscriptions = new Map<string, number>();

  constructor(columns: Columns, http: HttpExchanges) {
    this.#columns = columns;
    this.#http = http;
  }

  /** Adds a message of the newest frame, after it was paired. */
  addMessage(seq: number, direction: Direction, message: Message): void {
    if (message.kind === 'notification') this.#addNotification(seq, message);
    else if (message.kind === 'response' || message.kind === 'error') this.#addResponse(seq);
    else if (direction === 'to-server') this.#addClientRequest(seq, message);
    else this.#join(causingRequest(this.#cluesOf(seq, message)), seq);
  }

  /** Called when a response starts the task of a client request. */
  onTaskStarted(seq: number, answer: Message): void {
    this.#continuations.onAnswer(this.rootOf(seq), seq, answer, this.#columns);
  }

  /** Called when the task of a client request has ended. Its result may still follow. */
  onTaskEnded(seq: number): void {
    this.#inFlight.delete(seq);
  }

  /** Called when a client request was answered or given up. */
  onSettled(seq: number, answer: Message | undefined): void {
    this.#inFlight.delete(seq);
    if (answer) this.#continuations.onAnswer(this.rootOf(seq), seq, answer, this.#columns);
  }

  addEvent(_seq: number, event: LifecycleEvent | undefined): void {
    if (event?.event === 'retry') this.#continuations.onRetry(event.id, event.method);
  }

  /** Returns the request that this frame belongs to, if any. */
  ownerOf(seq: number): number | undefined {
    return this.#owner.get(seq - 1) || undefined;
  }

  /**
   * Returns how many calls were in flight when a log message came: none or several, which is why it belongs to none.
   * undefined if it belongs to one, or names a request that is not in the log.
   */
  inFlightAt(seq: number): number | undefined {
    const stored = this.#inFlightAt.get(seq - 1);
    return stored === 0 ? undefined : stored - 1;
  }

  /** Returns the number of log messages that belong to a request, or to the one that it continues. */
  logMessagesOf(seq: number): number {
    return this.#logMessages.get(this.rootOf(seq) - 1);
  }

  /**
   * Returns the client requests that may wait for the response to a server's request: the one it belongs to, or else
   * those in flight since before it. None if those are very many.
   */
  waitingFor(seq: number): readonly number[] {
    const owner = this.ownerOf(seq);
    if (owner !== undefined) return [owner];
    return this.#inFlight.size > MOST_CAUSES ? [] : [...this.#inFlight].filter((cause) => cause < seq);
  }

  /** Returns the oldest `most` calls in flight, tasks included. */
  inFlight(most: number): readonly number[] {
    return [...this.#inFlight].slice(0, most);
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
    if (message.id == null) return;
    if (startsWork(message.method)) this.#inFlight.add(seq);
    else if (message.method === METHOD.listen) remember(this.#subscriptions, idKey(message.id), seq);
  }

  #addNotification(seq: number, message: Message): void {
    if (message.method === METHOD.log) this.#addLogMessage(seq, message);
    else this.#join(this.#columns.peer(seq - 1) ?? this.#continuations.taskRequest(message), seq);
  }

  #addLogMessage(seq: number, message: Message): void {
    const clues = this.#cluesOf(seq, message);
    const cause = causingRequest(clues);
    if (cause === undefined && !clues.named) this.#inFlightAt.set(seq - 1, 1 + this.#inFlight.size);
    this.#join(cause, seq);
    const owner = this.ownerOf(seq);
    if (owner !== undefined) this.#logMessages.set(owner - 1, this.#logMessages.get(owner - 1) + 1);
  }

  /** The first response ends its request. Later ones are members. */
  #addResponse(seq: number): void {
    if (this.#columns.isSecondAnswer(seq - 1)) this.#join(this.#columns.peer(seq - 1), seq);
  }

  #cluesOf(seq: number, message: Message): Clues {
    return { named: this.#namedBy(message), carrier: this.#carrierOf(seq), inFlight: this.#inFlight };
  }

  /** Returns the request whose task or subscription a message names. */
  #namedBy(message: Message): { readonly request: number | undefined } | undefined {
    const params = own(message.body, 'params');
    if (relatedTask(params) !== undefined) return { request: this.#continuations.taskRequest(message) };
    const meta = isObject(params) ? own(params, '_meta') : undefined;
    const subscription = isObject(meta) ? own(meta, META_KEY.subscriptionId) : undefined;
    if (typeof subscription !== 'string' && typeof subscription !== 'number') return undefined;
    return { request: this.#subscriptions.get(idKey(subscription)) };
  }

  /** Returns the client request on whose HTTP exchange a message came. */
  #carrierOf(seq: number): number | undefined {
    const first = this.#http.get(this.#columns.exchange(seq - 1) ?? 0)?.messages[0];
    if (first === undefined || this.#columns.direction(first - 1) !== 'to-server') return undefined;
    const kind = this.#columns.kind(first - 1);
    return kind === 'request' || kind === 'batch' ? first : undefined;
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
    const related = relatedTask(params);
    return related === undefined ? undefined : this.#tasks.get(related);
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
