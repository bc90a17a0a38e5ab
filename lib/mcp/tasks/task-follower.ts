import { setMembers } from '@/lib/json/members';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';
import { idKey, type RequestId } from '@/lib/wire/message';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { CALLS_AS_TASKS, declaresTasks, startedTask, type TaskWish, taskIdIn } from '@/lib/wire/task';
import type { ClientHandlers } from '../answering';
import type { Engine } from '../engine';
import type { FollowUpOptions } from '../follow-ups';
import type { RequestOutcome } from '../requests';
import { FollowedTask, isNews, TASK_NOTIFICATIONS } from './followed-task';
import { TaskStream } from './task-stream';

/** Most tasks of one connection that are followed at once. */
export const FOLLOWED_TASKS = 500;

/** The part of the handshake that tasks need. */
interface TaskTerms {
  readonly era: Era;
  readonly capabilities: JsonObject;
}

/** The connection, as far as {@link TaskFollower} needs it. */
interface TaskFollowerPort {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Returns the handlers of questions. They may change. */
  handlers(): ClientHandlers;
  isOpen(): boolean;
  terms(): TaskTerms | undefined;
  logEvent(event: LifecycleEvent): void;
}

/** Follows the tasks that one connection started, until they end. */
export class TaskFollower {
  readonly #port: TaskFollowerPort;
  /** By the key of the id of the call. */
  readonly #byCall = new Map<string, FollowedTask>();
  readonly #byTask = new Map<string, FollowedTask>();
  readonly #stream: TaskStream;

  constructor(port: TaskFollowerPort) {
    this.#port = port;
    this.#stream = new TaskStream(port.engine, port.clock);
    for (const method of TASK_NOTIFICATIONS) {
      port.engine.onNotification(method, (params) => {
        if (isNews(params)) this.#byTask.get(taskIdIn(params) ?? '')?.wake();
      });
    }
  }

  /**
   * Resolves with the outcome of a call: the one that its task brings, if `answer` starts a task. `id` is that of the
   * call as it was last sent. Never rejects.
   */
  async outcomeOf(id: RequestId, answer: RequestOutcome, options: FollowUpOptions): Promise<RequestOutcome> {
    const facts = answer.kind === 'result' ? startedTask(answer.result) : undefined;
    // Without a handshake the user writes every message.
    if (facts === undefined || this.#port.terms() === undefined) return answer;
    const { taskId } = facts;
    const { engine, handlers, clock, isOpen, logEvent } = this.#port;
    const { onTaskRefused } = options;
    if (this.#byTask.size >= FOLLOWED_TASKS || this.#byTask.has(taskId)) {
      const reason = this.#byTask.has(taskId)
        ? 'another call has started a task with the same id.'
        : `${FOLLOWED_TASKS} tasks are followed already.`;
      logEvent({ event: 'task', id, taskId, phase: 'given-up', reason });
      return answer;
    }
    const isModern = own((answer as { result: JsonObject }).result, 'resultType') === 'task';
    const task = new FollowedTask(facts, isModern, {
      clock,
      handlers: handlers(),
      isOpen,
      canCancel: isModern || declaresTasks(this.#port.terms()?.capabilities, ['cancel']),
      send: (method, params, given) => {
        const handle = engine.sendRequest(method, params, {
          ...given,
          trace: options.trace,
          onAnswer: options.onAnswer,
        });
        options.onAgain?.(handle.id, method);
        return handle;
      },
      cancelRequest: (request) => void engine.cancel(request, 'The task has ended'),
      logStep: (step) => logEvent({ event: 'task', id, taskId, ...step }),
      logInput: (asking, step) => logEvent({ event: 'input', id: asking, method: 'tasks/get', ...step }),
      ...(onTaskRefused && {
        onRefused: (reason) => {
          onTaskRefused(reason);
          task.cancel();
        },
      }),
      ...(options.onTaskReport && { onReport: options.onTaskReport }),
    });
    this.#byCall.set(idKey(id), task);
    this.#byTask.set(taskId, task);
    if (isModern) this.#stream.add(taskId);
    const outcome = await task.follow();
    this.#byCall.delete(idKey(id));
    this.#byTask.delete(taskId);
    if (isModern) this.#stream.remove(taskId);
    if (outcome.kind !== 'result' && outcome.kind !== 'error') engine.dropQuestionsOf(taskId);
    return outcome;
  }

  /** Cancels the task of a call. Returns false if the call has none that is followed. */
  cancel(id: RequestId): boolean {
    const task = this.#byCall.get(idKey(id));
    task?.cancel();
    return task !== undefined;
  }

  /** Stops following all tasks, because the connection ended. */
  stop(): void {
    this.#stream.stop();
    for (const task of [...this.#byTask.values()]) task.stop();
  }

  /**
   * Returns the params of a call that is to run as a task. A modern server decides by itself, so nothing is added for
   * it. Throws ConnectionError `no-tasks` if the server declares no tasks.
   */
  paramsFor(params: string | undefined, wish: TaskWish): string | undefined {
    const terms = this.#port.terms();
    if (terms?.era === 'modern') {
      const extensions = own(terms.capabilities, 'extensions');
      if (isObject(extensions) && own(extensions, EXTENSION.tasks) !== undefined) return params;
      throw new ConnectionError(NO_EXTENSION);
    }
    if (terms && !declaresTasks(terms.capabilities, CALLS_AS_TASKS)) throw new ConnectionError(NO_TASKS);
    return setMembers(params ?? '{}', [['task', JSON.stringify(wish)]]);
  }
}

const NO_TASKS = {
  code: 'no-tasks',
  message: 'The server does not declare the capability tasks.requests.tools.call.',
  advice: 'Call the tool without a task, or send the request as a new message.',
};

const NO_EXTENSION = {
  code: 'no-tasks',
  message: `The server does not declare the extension ${EXTENSION.tasks}.`,
  advice: 'Call the tool without a task.',
};
