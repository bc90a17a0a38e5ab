import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { METHOD } from '@/lib/wire/protocol-names';
import { isTaskOver, startedTask, type TaskFacts, taskFacts } from '@/lib/wire/task';
import type { Message } from '../classify';
import type { Columns } from '../columns/columns';
import { type Derivation, ENDS } from '../derivation';
import type { TaskEnd } from '../exchanges/exchanges';
import type { RowStatus } from '../rows/row';

/** Most tasks kept per log. The oldest ended ones are dropped first. */
export const TASKS_KEPT = 500;
/** Longest id of a task that is kept, in characters. */
const ID_CHARS = 1000;
/** Characters kept of each other text of a task. */
const TEXT_CHARS = 300;

/** A task as the log knows it. */
export interface Task extends TaskFacts {
  /** seq of the call that started it; undefined if that is not in the log. */
  readonly call?: number;
  /** Name of the tool that was called. */
  readonly tool?: string;
  /** seqs of the first and the newest frame that report on it. */
  readonly firstSeq: number;
  readonly seq: number;
  /** When it was first and last reported, in microseconds since the connection started. */
  readonly firstAt: number;
  readonly at: number;
  /** The response that holds its result or error. `inline`: as a member of a task. */
  readonly result?: { readonly seq: number; readonly inline: boolean; readonly status: RowStatus };
  /** Why mcp-inspect stopped following it. */
  readonly left?: string;
  /** True if the connection ended first. */
  readonly lost?: true;
}

export interface TasksState {
  /** Oldest first. */
  readonly all: readonly Task[];
  /** Number of tasks that have not ended. */
  readonly running: number;
}

const STATUS_OF: Readonly<Record<string, RowStatus>> = { completed: 'ok', failed: 'error', cancelled: 'cancelled' };

/** Returns true if a task has neither ended nor been given up. */
export function isTaskRunning({ status, left, lost, result }: Task): boolean {
  return !isTaskOver(status) && left === undefined && !lost && result === undefined;
}

interface TaskReaderPort {
  readonly columns: Columns;
  /** The call `request` has ended. */
  endTask(request: number, end: TaskEnd): void;
  changed(): void;
}

/** Tracks the tasks that a server runs for the client. A frame costs O(1), apart from lists. */
export class TaskReader implements Derivation {
  readonly #port: TaskReaderPort;
  readonly #tasks = new Map<string, Task>();
  #state: TasksState | undefined;

  constructor(port: TaskReaderPort) {
    this.#port = port;
  }

  /** The same object until it changes. */
  get state(): TasksState {
    if (this.#state === undefined) {
      const all = [...this.#tasks.values()];
      this.#state = { all, running: all.filter(isTaskRunning).length };
    }
    return this.#state;
  }

  /** Returns the call that started a task. */
  callOf(taskId: string | undefined): number | undefined {
    return taskId === undefined ? undefined : this.#tasks.get(taskId)?.call;
  }

  /** Called when the response `seq` to the client's call `request` starts a task. */
  start(request: number, seq: number, message: Message): void {
    const facts = startedTask(own(message.body, 'result'));
    if (!facts) return;
    // A server that reuses an id has forgotten the old task.
    if (this.#tasks.get(facts.taskId)?.call !== undefined) this.#tasks.delete(facts.taskId);
    const tool = this.#port.columns.name(request - 1);
    this.#report(facts, seq, { call: request, ...(tool !== undefined && { tool }) });
  }

  /** Adds a message of the newest frame, after it was paired. */
  addMessage(seq: number, direction: Direction, message: Message): void {
    const { columns } = this.#port;
    if (direction !== 'to-client' || columns.kind(seq - 1) === 'batch') return;
    const { kind, method, body } = message;
    if (method === METHOD.taskStatus || method === METHOD.taskChanged) this.#addTask(seq, own(body, 'params'));
    if ((kind !== 'response' && kind !== 'error') || columns.isSecondAnswer(seq - 1)) return;
    const request = columns.peer(seq - 1);
    if (request !== undefined) this.#readers.get(columns.method(request - 1))?.(seq, message, request);
  }

  /** By method. A server or the author of a recording chooses methods, so they are looked up in a map. */
  readonly #readers = new Map<string | undefined, (seq: number, message: Message, request: number) => void>([
    ['tasks/get', (seq, { body }) => this.#addTask(seq, own(body, 'result'))],
    ['tasks/cancel', (seq, { body }) => this.#addTask(seq, own(body, 'result'))],
    ['tasks/result', (seq, message, request) => this.#addResult(seq, message, request)],
    ['tasks/list', (seq, { body }) => this.#addList(seq, own(body, 'result'))],
  ]);

  addEvent(seq: number, event: LifecycleEvent | undefined): void {
    if (event?.event === 'task') {
      const task = this.#tasks.get(event.taskId);
      if (!task || !isTaskRunning(task)) return;
      this.#set({ ...task, left: event.reason.slice(0, TEXT_CHARS) });
      if (task.call === undefined) return;
      this.#port.endTask(task.call, { seq, status: event.phase === 'left' ? 'cancelled' : 'lost', isFinal: true });
    }
    if (!ENDS.has(event?.event)) return;
    for (const task of [...this.#tasks.values()]) if (isTaskRunning(task)) this.#set({ ...task, lost: true });
  }

  #addList(seq: number, result: unknown): void {
    const tasks = isObject(result) ? own(result, 'tasks') : undefined;
    if (Array.isArray(tasks)) for (const task of tasks.slice(0, TASKS_KEPT)) this.#addTask(seq, task);
  }

  /** Adds what a message says about a task. In the modern era that can hold its result. */
  #addTask(seq: number, value: unknown): void {
    const facts = taskFacts(value);
    if (facts) this.#report(facts, seq, {}, value as JsonObject);
  }

  #report(facts: TaskFacts, seq: number, origin: Pick<Task, 'call' | 'tool'>, body: JsonObject = {}): void {
    if (facts.taskId.length > ID_CHARS) return;
    const known = this.#tasks.get(facts.taskId);
    const at = this.#port.columns.time(seq - 1);
    const inline = known?.result === undefined ? inlineStatus(facts.status, body) : undefined;
    const task: Task = {
      firstSeq: seq,
      firstAt: at,
      ...known,
      ...origin,
      ...facts,
      ...bounded(facts),
      seq,
      at,
      ...(inline && { result: { seq, inline: true, status: inline } }),
    };
    // A message belongs to the status that it came with.
    this.#set(facts.statusMessage === undefined ? without(task, 'statusMessage') : task);
    if (task.call === undefined || !isTaskOver(task.status) || known?.result) return;
    const status = inline ?? STATUS_OF[task.status]!;
    // The result of a legacy task follows in the response to `tasks/result`.
    const isFinal = inline !== undefined || task.status === 'cancelled';
    this.#port.endTask(task.call, { seq, status, isFinal, ...(inline && { answer: 'inline' }) });
  }

  #addResult(seq: number, { kind, body }: Message, request: number): void {
    const task = this.#tasks.get(this.#port.columns.name(request - 1) ?? '');
    if (!task || task.result) return;
    // An error before the end only says that there is no result yet.
    if (kind === 'error' && !isTaskOver(task.status)) return;
    const status = kind === 'error' ? 'error' : statusOfResult(own(body, 'result'));
    this.#set({ ...task, result: { seq, inline: false, status } });
    if (task.call !== undefined && task.status !== 'cancelled')
      this.#port.endTask(task.call, { seq, status, isFinal: true, answer: 'whole' });
  }

  #set(task: Task): void {
    this.#tasks.set(task.taskId, task);
    this.#state = undefined;
    this.#port.changed();
    if (this.#tasks.size <= TASKS_KEPT) return;
    const all = [...this.#tasks.values()];
    this.#tasks.delete((all.find((each) => !isTaskRunning(each)) ?? all[0]!).taskId);
  }
}

/** Returns the texts of a task, cut to what a skim of its message has. */
function bounded({
  status,
  statusMessage,
  createdAt,
  lastUpdatedAt,
}: TaskFacts): Partial<TaskFacts> & { status: string } {
  const cut = (text: string) => text.slice(0, TEXT_CHARS);
  return {
    status: cut(status),
    ...(statusMessage !== undefined && { statusMessage: statusMessage.slice(0, LIMITS.progressChars) }),
    ...(createdAt !== undefined && { createdAt: cut(createdAt) }),
    ...(lastUpdatedAt !== undefined && { lastUpdatedAt: cut(lastUpdatedAt) }),
  };
}

/** Returns the outcome of a modern task that ended, from the response or notification that holds it. */
function inlineStatus(status: string, body: JsonObject): RowStatus | undefined {
  if (status === 'completed' && own(body, 'result') !== undefined) return statusOfResult(own(body, 'result'));
  return status === 'failed' && own(body, 'error') !== undefined ? 'error' : undefined;
}

function statusOfResult(result: unknown): RowStatus {
  return isObject(result) && own(result, 'isError') === true ? 'tool-error' : 'ok';
}

function without<K extends keyof Task>(task: Task, key: K): Omit<Task, K> & Task {
  const { [key]: _, ...rest } = task;
  return rest as Omit<Task, K> & Task;
}
