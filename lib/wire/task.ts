import { isObject, type JsonObject, own } from '@/lib/json/value';
import { declares } from './declares';
import { META_KEY } from './protocol-names';

/** States of a task in which it has ended. */
const TERMINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** Returns true for a status after which a task does not change. */
export function isTaskOver(status: unknown): boolean {
  return TERMINAL.has(status);
}

/** A task as its server describes it, in the shape of either era. Members of a wrong type are left out. */
export interface TaskFacts {
  readonly taskId: string;
  /** As sent. Known ones: `working`, `input_required`, `completed`, `failed`, `cancelled`. */
  readonly status: string;
  readonly statusMessage?: string;
  /** How long the server keeps the task, in ms since its creation; null for ever. */
  readonly ttlMs?: number | null;
  /** How often the server wants to be asked, in ms. */
  readonly pollMs?: number;
  /** ISO 8601, as sent. */
  readonly createdAt?: string;
  readonly lastUpdatedAt?: string;
}

/** Reads a task: a result of `tasks/get`, an entry of `tasks/list`, or the params of a notification. */
export function taskFacts(value: unknown): TaskFacts | undefined {
  if (!isObject(value)) return undefined;
  const [taskId, status] = [own(value, 'taskId'), own(value, 'status')];
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined;
  const ttlMs = own(value, 'ttlMs') ?? own(value, 'ttl');
  const pollMs = own(value, 'pollIntervalMs') ?? own(value, 'pollInterval');
  const text = (key: 'statusMessage' | 'createdAt' | 'lastUpdatedAt') => {
    const written = own(value, key);
    return typeof written === 'string' && { [key]: written };
  };
  return {
    taskId,
    status,
    ...text('statusMessage'),
    ...((typeof ttlMs === 'number' || ttlMs === null) && { ttlMs }),
    ...(typeof pollMs === 'number' && { pollMs }),
    ...text('createdAt'),
    ...text('lastUpdatedAt'),
  };
}

/**
 * Returns the task that a result starts instead of answering: in `task` (2025-11-25), or the result itself with
 * `resultType: "task"` (2026-07-28). undefined for an ordinary result.
 */
export function startedTask(result: unknown): TaskFacts | undefined {
  if (!isObject(result)) return undefined;
  if (own(result, 'resultType') === 'task') return taskFacts(result);
  // A tool's own result may have a member of this name.
  return own(result, 'content') === undefined ? taskFacts(own(result, 'task')) : undefined;
}

/** Methods that only tell something about a task, or change it. */
export function isTaskMethod(method: string | undefined): boolean {
  return method?.startsWith('tasks/') === true;
}

/** Returns the id of the task that params name. */
export function taskIdIn(params: unknown): string | undefined {
  const id = isObject(params) ? own(params, 'taskId') : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Returns the task that a message belongs to by its `_meta` (2025-11-25). */
export function relatedTask(params: unknown): string | undefined {
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  return isObject(meta) ? taskIdIn(own(meta, META_KEY.relatedTask)) : undefined;
}

/** How to run a call as a task (2025-11-25). */
export interface TaskWish {
  /** How long the server should keep the task, in ms. Absent: the server decides. */
  readonly ttl?: number;
}

/** How a server supports tasks for one tool (2025-11-25). */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** Returns the task support of a listed tool. A tool that says nothing forbids tasks. */
export function taskSupportOf(tool: JsonObject): TaskSupport {
  const execution = own(tool, 'execution');
  const support = isObject(execution) ? own(execution, 'taskSupport') : undefined;
  return support === 'optional' || support === 'required' ? support : 'forbidden';
}

/** Returns true if a legacy server declares this part of its capability `tasks`: `['list']`, `['cancel']` … */
export function declaresTasks(capabilities: unknown, path: readonly string[]): boolean {
  return declares(capabilities, ['tasks', ...path]);
}

/** Path of the capability for calls of tools. */
export const CALLS_AS_TASKS = ['requests', 'tools', 'call'] as const;
