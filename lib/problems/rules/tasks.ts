import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { isTaskOver, taskIdIn } from '@/lib/wire/task';
import { textHash } from '@/lib/wire/text-hash';
import type { SeenMessage } from '../protocol-state';
import { type Checks, messageRule, type ProtocolRule, quote, type ReportFinding } from '../rule';

/** A task in a message: a report on it, or the result that starts it. */
interface TaskReport {
  readonly task: JsonObject;
  /** Path of the task in the message. */
  readonly path: FaultPath;
  /** True for the response that starts the task. */
  readonly starts?: true;
}

const NOTIFICATIONS: ReadonlySet<string> = new Set([METHOD.taskStatus, METHOD.taskChanged]);

/** Returns the tasks in a message of either era. */
function tasksIn(seen: SeenMessage): readonly TaskReport[] {
  const { kind, method, params, body, request, modern, version } = seen;
  if (!modern && version !== '2025-11-25') return [];
  if (kind === 'notification') return NOTIFICATIONS.has(method) ? [{ task: params, path: ['params'] }] : [];
  const result = own(body, 'result');
  if (!request || !isObject(result)) return [];
  if (request.method === 'tasks/get') return [{ task: result, path: ['result'] }];
  // A modern server only acknowledges.
  if (request.method === 'tasks/cancel') return modern ? [] : [{ task: result, path: ['result'] }];
  if (modern) return own(result, 'resultType') === 'task' ? [{ task: result, path: ['result'], starts: true }] : [];
  const task = own(result, 'task');
  if (request.task && isObject(task)) return [{ task, path: ['result', 'task'], starts: true }];
  const listed = request.method === 'tasks/list' ? own(result, 'tasks') : undefined;
  return (Array.isArray(listed) ? listed : []).flatMap((one, index) =>
    isObject(one) ? [{ task: one, path: ['result', 'tasks', index] }] : [],
  );
}

/** The earlier messages about a task. */
interface KnownTask {
  status: unknown;
  /** The message with this status. */
  seq: number;
  /** The result that came before the end (2025-11-25). */
  earlyResult?: number;
  /** The requests for input by the hash of their key, and where they were made. */
  readonly inputs: Map<string, KnownInput>;
}

interface KnownInput {
  /** The hash of the request as JSON. The texts of a flood of tasks would fill the memory. */
  readonly hash: string;
  readonly seq: number;
}

/** Most inputs remembered of one task, and most tasks remembered. */
const INPUTS_KEPT = 200;
const TASKS_KEPT = 500;
/** Longest id of a task that is remembered, in characters. */
const ID_CHARS = 1000;

/** Builds the checks of a rule that compares the reports on a task. `known` is what earlier messages said. */
function taskChecks(
  judge: (seen: SeenMessage, report: TaskReport, known: KnownTask | undefined, find: ReportFinding) => void,
): () => Checks {
  return () => {
    const tasks = new Map<string, KnownTask>();
    return {
      kinds: ['response', 'notification'],
      message: (seen, _state, find) => {
        noteResult(seen, tasks);
        for (const each of tasksIn(seen)) {
          const id = own(each.task, 'taskId');
          if (typeof id !== 'string' || id.length > ID_CHARS) continue;
          const key = `${seen.direction} ${id}`;
          const known = tasks.get(key);
          judge(seen, each, known, find);
          const inputs = known?.inputs ?? new Map<string, KnownInput>();
          remember(inputs, each.task, seen.seq);
          const status = statusOf(each.task);
          const seq = known && status === known.status ? known.seq : seen.seq;
          tasks.delete(key);
          tasks.set(key, { ...known, status, seq, inputs });
          if (tasks.size > TASKS_KEPT) tasks.delete(tasks.keys().next().value!);
        }
      },
    };
  };
}

/** Remembers the result of a task that has not ended as far as is known. */
function noteResult({ kind, request, direction, seq }: SeenMessage, tasks: Map<string, KnownTask>): void {
  if (kind !== 'response' || request?.method !== 'tasks/result') return;
  const known = tasks.get(`${direction} ${request.taskId}`);
  if (known && !isTaskOver(known.status)) known.earlyResult ??= seq;
}

function remember(inputs: KnownTask['inputs'], task: JsonObject, seq: number): void {
  const requests = own(task, 'inputRequests');
  for (const [key, request] of Object.entries(isObject(requests) ? requests : {})) {
    if (inputs.size >= INPUTS_KEPT) return;
    const name = textHash(key);
    if (!inputs.has(name)) inputs.set(name, { hash: textHash(JSON.stringify(request)), seq });
  }
}

/** Returns the status of a task if it is one of those that exist. Others are not remembered: they may be long. */
function statusOf(task: JsonObject): unknown {
  const status = own(task, 'status');
  return STATUSES.includes(status) ? status : undefined;
}

const STATUSES: readonly unknown[] = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

type MemberCheck = readonly [name: string, expected: string, fits: (value: unknown) => boolean];

const text = (value: unknown): boolean => typeof value === 'string';
const count = (value: unknown): boolean => Number.isInteger(value);

/** Members of every task of the extension. */
const MEMBERS: readonly MemberCheck[] = [
  ['taskId', 'a string', text],
  ['status', STATUSES.join(', '), (value) => STATUSES.includes(value)],
  ['createdAt', 'a string', text],
  ['lastUpdatedAt', 'a string', text],
  ['ttlMs', 'an integer of 0 or more, or null', (value) => value === null || (count(value) && (value as number) >= 0)],
  ['pollIntervalMs', 'an integer', (value) => value === undefined || count(value)],
];

/** Members that a task of the extension has in one status, except in the response that starts it. */
const BY_STATUS: ReadonlyMap<unknown, MemberCheck> = new Map<unknown, MemberCheck>([
  ['completed', ['result', 'an object', isObject]],
  ['failed', ['error', 'an object', isObject]],
  ['input_required', ['inputRequests', 'an object', isObject]],
]);

/** Methods whose result has the taskId, or those of several tasks. */
const NAMED_BY_RESULT: ReadonlySet<string> = new Set(['tasks/get', 'tasks/list', 'tasks/cancel']);

/** Rules about tasks of both eras. */
export const TASK_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'task-invalid',
      kinds: ['response', 'notification'],
      severity: 'error',
      title: 'Task with a missing or invalid member',
      topic: 'tasks',
      advice: 'Send every member of the task that the extension requires in this status.',
    },
    (seen, _state, report) => {
      // The shapes of 2025-11-25 are checked like all others.
      if (!seen.modern) return;
      for (const { task, path, starts } of tasksIn(seen)) {
        const needed = starts ? undefined : BY_STATUS.get(own(task, 'status'));
        for (const [name, expected, fits] of [...MEMBERS, ...(needed ? [needed] : [])]) {
          const value = own(task, name);
          if (fits(value)) continue;
          const fault = value === undefined ? 'is missing' : `is ${quote(value)}, expected ${expected}`;
          report({ message: `${name} ${fault}.`, path: [...path, name], fault });
        }
        if (own(task, 'result') === undefined || own(task, 'error') === undefined) continue;
        const fault = 'is set beside result, which excludes it';
        report({ message: `error ${fault}.`, path: [...path, 'error'], fault });
      }
    },
  ),
  messageRule(
    {
      id: 'task-first-status',
      kinds: ['response'],
      severity: 'error',
      title: 'Task that does not begin as working',
      topic: 'tasks',
      advice: 'Start a task with the status working.',
    },
    (seen, _state, report) => {
      // The extension of 2026-07-28 lets a task begin in any status.
      if (seen.modern) return;
      for (const { task, path, starts } of tasksIn(seen)) {
        const status = statusOf(task);
        if (!starts || status === undefined || status === 'working') continue;
        report({
          message: `The task begins as ${quote(status)}.`,
          path: [...path, 'status'],
          seqs: [seen.request!.seq],
        });
      }
    },
  ),
  messageRule(
    {
      id: 'task-named-twice',
      kinds: ['response', 'notification'],
      severity: 'warning',
      title: 'Task named again in _meta',
      topic: 'tasks',
      advice: `Leave ${META_KEY.relatedTask} out of a message whose taskId says it.`,
    },
    (seen, _state, report) => {
      const { version, method, request, params, body } = seen;
      if (version !== '2025-11-25') return;
      const isStatus = method === METHOD.taskStatus;
      if (!isStatus && !NAMED_BY_RESULT.has(request?.method ?? '')) return;
      const holder = isStatus ? params : own(body, 'result');
      const meta = isObject(holder) ? own(holder, '_meta') : undefined;
      if (!isObject(meta) || own(meta, META_KEY.relatedTask) === undefined) return;
      const path = [isStatus ? 'params' : 'result', '_meta', META_KEY.relatedTask];
      report({ message: `_meta has ${META_KEY.relatedTask}.`, path, ...(request && { seqs: [request.seq] }) });
    },
  ),
  {
    id: 'task-after-end',
    severity: 'error',
    title: 'Task changes after its end',
    topic: 'tasks',
    advice: 'Keep the status once it is completed, failed or cancelled.',
    checks: taskChecks(({ request }, { task, path, starts }, known, report) => {
      const status = own(task, 'status');
      if (starts || !known || !isTaskOver(known.status) || known.status === status) return;
      // Over HTTP, a response can come later than a newer report.
      if (request && request.seq < known.seq) return;
      report({
        message: `The status is ${quote(status)}, but was already ${quote(known.status)}.`,
        path: [...path, 'status'],
        seqs: [known.seq],
      });
    }),
  },
  {
    id: 'task-id-reused',
    severity: 'error',
    title: 'Id of another task',
    topic: 'tasks',
    advice: 'Give each task an id that no other task has.',
    checks: taskChecks(({ request }, { task, path, starts }, known, report) => {
      // A notification may come before the response that starts the task.
      if (!starts || !known || !request || known.seq > request.seq) return;
      report({
        message: `Another task already has the id ${quote(own(task, 'taskId'))}.`,
        path: [...path, 'taskId'],
        seqs: [known.seq],
      });
    }),
  },
  messageRule(
    {
      id: 'task-poll-interval',
      kinds: ['response', 'notification'],
      severity: 'warning',
      title: 'Poll interval of 0 or less',
      topic: 'tasks',
      advice: 'Send how long clients should wait between two polls, in ms, or leave the member out.',
    },
    (seen, _state, report) => {
      const name = seen.modern ? 'pollIntervalMs' : 'pollInterval';
      for (const { task, path } of tasksIn(seen)) {
        const interval = own(task, name);
        if (typeof interval !== 'number' || interval > 0) continue;
        report({ message: `${name} is ${interval}.`, path: [...path, name] });
      }
    },
  ),
  {
    id: 'task-result-early',
    severity: 'error',
    title: 'Result of a task that has not ended',
    topic: 'tasks',
    advice: 'Send the result only once the status is completed or failed.',
    checks: taskChecks(({ modern, request }, { task, path }, known, report) => {
      const status = own(task, 'status');
      if (isTaskOver(status)) return;
      const early = ['result', 'error'].find((name) => own(task, name) !== undefined);
      if (modern && early !== undefined) {
        report({ message: `The task has a ${early}, but its status is ${quote(status)}.`, path: [...path, early] });
      }
      if (known?.earlyResult === undefined || !request || request.seq < known.earlyResult) return;
      report({
        message: `tasks/result was already answered, but the status is ${quote(status)}.`,
        path: [...path, 'status'],
        seqs: [known.earlyResult],
      });
    }),
  },
  {
    id: 'task-input-reused',
    severity: 'error',
    title: 'Input key of a task used twice',
    topic: 'tasks',
    advice: 'Use a new key for each request for input of a task, because clients answer each key once.',
    checks: taskChecks(({ modern }, { task, path }, known, report) => {
      const requests = own(task, 'inputRequests');
      if (!modern || !known || !isObject(requests)) return;
      for (const [key, request] of Object.entries(requests)) {
        const before = known.inputs.get(textHash(key));
        if (!before || before.hash === textHash(JSON.stringify(request))) continue;
        report({
          message: `${quote(key)} was already the key of another request for input.`,
          path: [...path, 'inputRequests', key],
          seqs: [before.seq],
        });
      }
    }),
  },
  messageRule(
    {
      id: 'task-not-named',
      kinds: ['response'],
      severity: 'error',
      title: 'Result of a task that does not name the task',
      topic: 'tasks',
      advice: `Put the taskId into _meta of the result, under ${META_KEY.relatedTask}.`,
    },
    ({ version, body, request }, _state, report) => {
      if (version !== '2025-11-25' || request?.method !== 'tasks/result') return;
      const result = own(body, 'result');
      const meta = isObject(result) ? own(result, '_meta') : undefined;
      if (!isObject(result) || taskIdIn(isObject(meta) ? own(meta, META_KEY.relatedTask) : undefined)) return;
      report({ message: 'The result does not name its task.', path: ['result'], seqs: [request.seq] });
    },
  ),
];
