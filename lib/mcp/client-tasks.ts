import { setMembers } from '@/lib/json/members';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ClientCapabilities } from '@/lib/wire/client-capabilities';
import { META_KEY, RPC_CODE } from '@/lib/wire/protocol-names';
import { type ClientHandler, type ClientHandlers, ErrorResponse, type HandlerContext } from './answering';

/** Most tasks that are kept for one server. The oldest finished ones are forgotten. */
export const CLIENT_TASKS = 100;
/** How often a server should ask for the status of a task, in ms. */
const POLL_MS = 500;

/** The connection, as far as tasks need it. */
export interface TaskHost {
  /** Returns an id that nobody can guess. */
  newId(): string;
  /** The time in ISO 8601. */
  now(): string;
  /** Called when the first task begins to run (true) and when the last one ends (false). */
  onBusy?(busy: boolean): void;
  /** Called with the fields of a task that has ended in any way. */
  onEnded?(task: JsonObject): void;
}

interface ClientTask {
  readonly taskId: string;
  readonly createdAt: string;
  readonly ttl: number | null;
  lastUpdatedAt: string;
  status: 'working' | 'completed' | 'failed' | 'cancelled';
  statusMessage?: string;
  readonly stop: AbortController;
  /** The answer as JSON text. */
  readonly answer: Promise<string>;
}

/** Returns true if a client that declares these tasks lets the server run this request as one. */
function startsTasks({ requests }: Declared, method: string): boolean {
  if (method === 'sampling/createMessage') return requests?.sampling?.createMessage !== undefined;
  return method === 'elicitation/create' && requests?.elicitation?.create !== undefined;
}

type Declared = NonNullable<ClientCapabilities['tasks']>;

/** Methods for tasks that need a capability of their own. */
const OPTIONAL: ReadonlyMap<string, keyof Declared> = new Map([
  ['tasks/list', 'list'],
  ['tasks/cancel', 'cancel'],
]);

/**
 * Lets a server run requests to the client as tasks (2025-11-25), as far as the client declares that. A request with
 * `task` in its params is answered with a task at once, while its handler answers later. The server then asks with
 * `tasks/get` and `tasks/result`. Returns the handlers with those for tasks, which `tasks` keeps.
 */
export function withTasks(handlers: ClientHandlers, declared: Declared, tasks: ClientTasks): ClientHandlers {
  const startable = [...handlers].map(([method, handler]): [string, ClientHandler] => [
    method,
    (params, context) =>
      isAugmented(params) && startsTasks(declared, method)
        ? tasks.start(handler, params, context)
        : handler(params, context),
  ]);
  const own = [...tasks.handlers].filter(([method]) => {
    const needs = OPTIONAL.get(method);
    return needs === undefined || declared[needs] !== undefined;
  });
  return new Map([...startable, ...own]);
}

function isAugmented(params: unknown): boolean {
  return isObject(params) && isObject(own(params, 'task'));
}

/** The tasks that a server runs on the client. They outlive a change of what the client declares. */
export class ClientTasks {
  readonly handlers: ClientHandlers = new Map<string, ClientHandler>([
    ['tasks/get', (params) => JSON.stringify(fieldsOf(this.#find(params)))],
    ['tasks/list', () => JSON.stringify({ tasks: [...this.#tasks.values()].map(fieldsOf) })],
    ['tasks/cancel', (params) => this.#cancel(params)],
    ['tasks/result', (params) => this.#answerOf(params)],
  ]);
  readonly #host: TaskHost;
  /** Oldest first. */
  readonly #tasks = new Map<string, ClientTask>();

  constructor(host: TaskHost) {
    this.#host = host;
  }

  /** Starts the handler, and returns the result that names the task. */
  start(handler: ClientHandler, params: unknown, context: HandlerContext): string {
    this.#makeRoom();
    const [taskId, createdAt, stop] = [this.#host.newId(), this.#host.now(), new AbortController()];
    const answer = Promise.resolve().then(() => handler(params, { ...context, signal: stop.signal }));
    const ttl = wantedTtl(params);
    const task: ClientTask = { taskId, createdAt, ttl, lastUpdatedAt: createdAt, status: 'working', stop, answer };
    this.#tasks.set(taskId, task);
    this.#reportBusy();
    answer.then(
      () => this.#settle(task, 'completed'),
      (error) => this.#settle(task, 'failed', error instanceof Error ? error.message : String(error)),
    );
    return JSON.stringify({ task: fieldsOf(task) });
  }

  #settle(task: ClientTask, status: ClientTask['status'], statusMessage?: string): void {
    if (task.status !== 'working') return;
    Object.assign(task, {
      status,
      lastUpdatedAt: this.#host.now(),
      ...(statusMessage !== undefined && { statusMessage }),
    });
    this.#reportBusy();
    this.#host.onEnded?.(fieldsOf(task));
  }

  #reportBusy(): void {
    this.#host.onBusy?.([...this.#tasks.values()].some(({ status }) => status === 'working'));
  }

  #makeRoom(): void {
    if (this.#tasks.size < CLIENT_TASKS) return;
    const finished = [...this.#tasks.values()].find(({ status }) => status !== 'working');
    if (!finished) throw new ErrorResponse(RPC_CODE.internalError, `${CLIENT_TASKS} tasks are running already`);
    this.#tasks.delete(finished.taskId);
  }

  #find(params: unknown): ClientTask {
    const id = isObject(params) ? own(params, 'taskId') : undefined;
    const task = typeof id === 'string' ? this.#tasks.get(id) : undefined;
    if (!task) throw new ErrorResponse(RPC_CODE.invalidParams, 'There is no task with this id');
    return task;
  }

  #cancel(params: unknown): string {
    const task = this.#find(params);
    if (task.status !== 'working') {
      throw new ErrorResponse(RPC_CODE.invalidParams, `The task has ended already: ${task.status}`);
    }
    this.#settle(task, 'cancelled');
    task.stop.abort(new ErrorResponse(RPC_CODE.internalError, 'The task was cancelled'));
    return JSON.stringify(fieldsOf(task));
  }

  /** Resolves with the answer once there is one. */
  async #answerOf(params: unknown): Promise<string> {
    const { taskId, stop, answer } = this.#find(params);
    const cancelled = new Promise<never>((_, reject) => {
      if (stop.signal.aborted) reject(stop.signal.reason);
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
    });
    const text = await Promise.race([cancelled, answer]);
    const result: unknown = JSON.parse(text);
    if (!isObject(result) || own(result, '_meta') !== undefined) return text;
    return setMembers(text, [['_meta', JSON.stringify({ [META_KEY.relatedTask]: { taskId } })]]);
  }
}

/** Returns the time that the server wants the task to be kept, in ms; null for any. */
function wantedTtl(params: unknown): number | null {
  const task = isObject(params) ? own(params, 'task') : undefined;
  const ttl = isObject(task) ? own(task, 'ttl') : undefined;
  return typeof ttl === 'number' ? ttl : null;
}

function fieldsOf({ taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl }: ClientTask): JsonObject {
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl,
    pollInterval: POLL_MS,
  };
}
