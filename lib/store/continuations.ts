import { LIMITS } from '@/lib/wire/limits';
import { idKey, isObject, type JsonObject, own, type RequestId } from '@/lib/wire/message';
import type { Message } from './classify';
import type { Columns } from './columns';

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
export class Continuations {
  /** By id. */
  readonly #unfinished = new Map<string, Unfinished>();
  readonly #retried = new Map<string, number>();
  readonly #tasks = new Map<string, number>();

  /** Our request `seq`, the first or a later one of `root`, was answered. */
  answered(root: number, seq: number, answer: Message, columns: Columns): void {
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
  retrying(id: RequestId, method: string): void {
    const key = idKey(id);
    const before = this.#unfinished.get(key);
    if (before === undefined || before.method !== method) return;
    this.#unfinished.delete(key);
    remember(this.#retried, method, before.seq);
  }

  /** The request that this new one goes on with; undefined if it is a beginning. */
  requestOf({ method = '', name, body }: Message): number | undefined {
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
  taskOf({ method = '', body }: Message): number | undefined {
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
  if (map.size <= LIMITS.relationsMemory) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    break;
  }
}
