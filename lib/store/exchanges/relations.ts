import { idKey, isObject, type JsonObject, own, type RequestId } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import type { Message } from '../classify';
import { SparseColumn } from '../columns/collections';
import type { Columns } from '../columns/columns';
import type { HttpExchanges } from './http-exchanges';

/** Unfinished requests, and tasks, of one connection that later requests may go on with; the oldest are forgotten first. */
const RELATIONS_MEMORY = 1000;

/** Requests of ours that a server's question is never part of: they ask for no work. */
const CAUSE_NOTHING = /^(?:initialize|ping|server\/discover|subscriptions\/listen|logging\/setLevel|.+\/list)$/;

/**
 * Which frames belong to a request besides its answer: a second one, what the server asked meanwhile, progress and other notifications about
 * it, its retries and the polls of its task. Each frame costs O(1), and nothing at all if it belongs to no request.
 */
export class Relations {
  readonly #columns: Columns;
  readonly #http: HttpExchanges;
  readonly #owner = new SparseColumn();
  /** Of a request its newest member; of a member the one before it: chains, so that a member costs no object. */
  readonly #newest = new SparseColumn();
  readonly #before = new SparseColumn();
  readonly #continuations = new Continuations();
  /** seqs of our requests that are under way and may make a server ask. */
  readonly #causes = new Set<number>();

  constructor(columns: Columns, http: HttpExchanges) {
    this.#columns = columns;
    this.#http = http;
  }

  /** Takes in one message of the newest frame, after it was paired. */
  addMessage(seq: number, direction: Direction, message: Message): void {
    if (message.kind === 'notification') this.#notification(seq, message);
    else if (message.kind === 'response' || message.kind === 'error') this.#answer(seq);
    else if (direction === 'to-server') this.#ours(seq, message);
    else this.#join(this.#continuations.taskRequest(message) ?? this.#cause(seq), seq);
  }

  /** Our request was answered, or no longer will be. */
  onSettled(seq: number, answer: Message | undefined): void {
    this.#causes.delete(seq);
    if (answer) this.#continuations.onAnswer(this.rootOf(seq), seq, answer, this.#columns);
  }

  /** Our request `id` is about to be sent again. */
  onRetry(id: RequestId, method: string): void {
    this.#continuations.onRetry(id, method);
  }

  /** seq of the request that this frame is part of; undefined if it is part of none. */
  ownerOf(seq: number): number | undefined {
    return this.#owner.get(seq - 1) || undefined;
  }

  /** The same, or the frame itself. */
  rootOf(seq: number): number {
    return this.ownerOf(seq) ?? seq;
  }

  /** seqs of the frames that are part of this request, oldest first: the newest `most` of them. */
  membersOf(seq: number, most: number): number[] {
    const members: number[] = [];
    for (let at = this.#newest.get(seq - 1); at !== 0 && members.length < most; at = this.#before.get(at - 1)) {
      members.push(at);
    }
    return members.reverse();
  }

  #ours(seq: number, message: Message): void {
    this.#join(this.#continuations.continuedRequest(message), seq);
    if (message.id != null && !CAUSE_NOTHING.test(message.method ?? '')) this.#causes.add(seq);
  }

  #notification(seq: number, message: Message): void {
    const about = this.#columns.peer(seq - 1) ?? this.#continuations.taskRequest(message);
    this.#join(about, seq);
  }

  /** The first answer ends its request, others are part of it. */
  #answer(seq: number): void {
    if (this.#columns.isSecondAnswer(seq - 1)) this.#join(this.#columns.peer(seq - 1), seq);
  }

  /**
   * The request that made the server ask: the one whose HTTP exchange the question came on. Where the transport doesn't say, the
   * only one under way; among several we don't guess.
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

/** An answer that was not the last word: the request is expected to be sent again. */
interface Unfinished {
  readonly seq: number;
  readonly method: string | undefined;
  readonly name: string | undefined;
  /** `requestState`, which comes back as it is. */
  readonly state: unknown;
}

/** The headers that repeat a message do not match it (2026-07-28, HTTP). */
const HEADER_MISMATCH = -32020;
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/**
 * Which requests of ours go on with an earlier one: rounds of a call whose server wanted input first (`input_required`,
 * 2026-07-28), repetitions that a `retry` event told of, and what asks about a task. Remembers a bounded number of each.
 */
class Continuations {
  /** By id. */
  readonly #unfinished = new Map<string, Unfinished>();
  readonly #retried = new Map<string, number>();
  readonly #tasks = new Map<string, number>();

  /** Our request `seq`, the first or a later one of `root`, was answered. */
  onAnswer(root: number, seq: number, answer: Message, columns: Columns): void {
    const result = own(answer.body, 'result');
    const task = isObject(result) ? taskId(result) : undefined;
    if (task !== undefined && !this.#tasks.has(task)) remember(this.#tasks, task, root);
    const wantsInput = isObject(result) && own(result, 'resultType') === 'input_required';
    const error = own(answer.body, 'error');
    if (!wantsInput && !(isObject(error) && own(error, 'code') === HEADER_MISMATCH)) return;
    remember(this.#unfinished, idKey(columns.id(seq - 1)), {
      seq: root,
      method: columns.method(seq - 1),
      name: columns.name(seq - 1),
      state: isObject(result) ? own(result, 'requestState') : undefined,
    });
  }

  /** Our request `id` is about to be sent again under another id. */
  onRetry(id: RequestId, method: string): void {
    const key = idKey(id);
    const before = this.#unfinished.get(key);
    if (before === undefined || before.method !== method) return;
    this.#unfinished.delete(key);
    remember(this.#retried, method, before.seq);
  }

  /** The request that this new one goes on with; undefined if it is a beginning. */
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

  /** The request whose task a notification, or a question of the server, is about. */
  taskRequest({ method = '', body }: Message): number | undefined {
    const params = own(body, 'params');
    if (!isObject(params)) return undefined;
    if (method.startsWith('notifications/tasks')) return this.#task(params);
    const meta = own(params, '_meta');
    const related = isObject(meta) ? own(meta, RELATED_TASK) : undefined;
    return isObject(related) ? this.#task(related) : undefined;
  }

  #task(params: JsonObject): number | undefined {
    const id = own(params, 'taskId');
    return typeof id === 'string' ? this.#tasks.get(id) : undefined;
  }
}

/** A result that is a task: the task itself (2026-07-28), or in a member (2025-11-25). */
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
