import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { InputStep, TaskStep } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import { METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import { isTaskOver, type TaskFacts, taskFacts } from '@/lib/wire/task';
import type { ClientHandlers } from '../answering';
import type { RequestHandle } from '../engine';
import { outcomeOf, type RequestOptions, type RequestOutcome } from '../requests';
import { TaskInput } from './task-input';

/** Milliseconds between two polls if the server names none, or 0. */
export const POLL_MS = 1000;
/** Bounds of the server's own interval, and the longest wait after errors. */
export const POLL_LEAST_MS = 100;
export const POLL_MOST_MS = 60_000;
/** Errors in a row after which a task is given up: with doubled waits, more than a minute. */
export const POLL_ERRORS = 8;

/** Waits as long as the server needs: `tasks/result` is answered when the task ends. */
const ENDLESS: RequestOptions = { timeoutMs: Number.POSITIVE_INFINITY, maxMs: Number.POSITIVE_INFINITY };

/** Errors that a server would repeat. */
const FINAL_CODES: ReadonlySet<number> = new Set([RPC_CODE.invalidParams, RPC_CODE.methodNotFound]);

/** The connection, as far as a task needs it. */
export interface FollowedTaskPort {
  readonly clock: Clock;
  readonly handlers: ClientHandlers;
  /** Sends a request about the task. Throws ConnectionError. */
  send(method: string, params: string, options?: RequestOptions): RequestHandle;
  /** Cancels one of these requests. */
  cancelRequest(id: RequestId): void;
  /** True while the connection is open, even if the server can't be reached. */
  isOpen(): boolean;
  /** True if the server takes `tasks/cancel`. */
  readonly canCancel: boolean;
  logStep(step: TaskStep): void;
  logInput(id: RequestId, step: InputStep): void;
  /** A question of the task will never be answered. */
  onRefused?(reason: string): void;
  /** Gets each report on the task. */
  onReport?(facts: TaskFacts): void;
}

/** Follows one task to its end: polls it, collects its input, and fetches its result. */
export class FollowedTask {
  readonly #port: FollowedTaskPort;
  readonly #taskId: string;
  /** A task of the extension: its result is in the response to `tasks/get`. */
  readonly #isModern: boolean;
  readonly #input: TaskInput;
  #facts: TaskFacts;
  /** Settles the task, for whatever reason comes first. */
  #settle: (outcome: RequestOutcome) => void = () => {};
  #settled = false;
  #errors = 0;
  #polledAt = Number.NEGATIVE_INFINITY;
  #polling = false;
  #cancelTimer: (() => void) | undefined;
  /** Id of the open `tasks/result`. */
  #resultId: RequestId | undefined;
  #cancelAsked = false;

  constructor(facts: TaskFacts, isModern: boolean, port: FollowedTaskPort) {
    this.#port = port;
    this.#taskId = facts.taskId;
    this.#isModern = isModern;
    this.#facts = facts;
    this.#input = new TaskInput({
      handlers: port.handlers,
      update: (responses) => void this.#update(responses),
      logStep: (id, step) => port.logInput(id, step),
      onRefused: (reason) => port.onRefused?.(reason),
    });
  }

  /** Resolves with the outcome of the call that the task stands for. Never rejects. Call it once. */
  follow(): Promise<RequestOutcome> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#onFacts(this.#facts);
    });
  }

  /** Asks the server to cancel the task. A second time, stops following it. */
  cancel(): void {
    if (this.#cancelAsked || !this.#port.canCancel) {
      const why = this.#port.canCancel ? 'you stopped waiting for it' : 'the server takes no tasks/cancel';
      this.#leave('left', `${why}, so it may still be running.`, { kind: 'cancelled' });
      return;
    }
    this.#cancelAsked = true;
    void this.#ask('tasks/cancel').then(({ kind, result }) => {
      const facts = kind === 'result' ? taskFacts(result) : undefined;
      // A modern server only acknowledges: the task may go on, and even complete.
      if (facts?.taskId === this.#taskId) this.#onFacts(facts);
      else this.wake();
    });
  }

  /** Polls soon, because the server reported a change. */
  wake(): void {
    if (this.#settled || this.#polling) return;
    this.#schedule(Math.max(0, this.#polledAt + POLL_LEAST_MS - this.#port.clock.now()));
  }

  /** Stops, because the connection has ended. */
  stop(): void {
    this.#end({ kind: 'lost' });
  }

  #onFacts(facts: TaskFacts): void {
    if (this.#settled) return;
    this.#facts = facts;
    this.#port.onReport?.(facts);
    if (facts.status === 'cancelled') this.#end({ kind: 'cancelled' });
    else if (isTaskOver(facts.status)) this.#onOver();
    else {
      // The server answers a blocked `tasks/result` at the end, and asks its questions on the stream of it.
      if (facts.status === 'input_required' && !this.#isModern) this.#fetchResult();
      this.#schedule(this.#intervalMs);
    }
  }

  /** A modern task comes with its result, unless its creation already says that it is over. */
  #onOver(): void {
    if (this.#isModern) this.wake();
    else this.#fetchResult();
  }

  get #intervalMs(): number {
    const { pollMs = 0 } = this.#facts;
    const wanted = pollMs > 0 ? Math.min(Math.max(pollMs, POLL_LEAST_MS), POLL_MOST_MS) : POLL_MS;
    return Math.min(wanted * 2 ** this.#errors, Math.max(wanted, POLL_MOST_MS));
  }

  #schedule(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#port.clock.after(ms, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    if (this.#settled || this.#polling) return;
    this.#cancelTimer?.();
    this.#polling = true;
    const { id, kind, result, error } = await this.#ask('tasks/get');
    this.#polling = false;
    this.#polledAt = this.#port.clock.now();
    if (this.#settled) return;
    const facts = kind === 'result' ? taskFacts(result) : undefined;
    if (facts === undefined) {
      this.#onFailure(
        error
          ? `tasks/get was answered with error ${error.code}: ${error.message.slice(0, 300)}`
          : kind === 'result'
            ? 'the response to tasks/get names no task and status'
            : 'tasks/get was not answered in time',
        kind === 'lost',
        error?.code,
      );
      return;
    }
    this.#errors = 0;
    if (this.#isModern && this.#endInline(facts, result as JsonObject)) return;
    if (this.#isModern && facts.status === 'input_required') this.#input.collect(id!, result as JsonObject);
    this.#onFacts(facts);
  }

  /** Ends a modern task with the result or error in this response. Returns false if it goes on. */
  #endInline({ status }: TaskFacts, response: JsonObject): boolean {
    if (!isTaskOver(status) || status === 'cancelled') return false;
    const outcome = outcomeOf({
      ...(status === 'completed' && Object.hasOwn(response, 'result') && { result: response.result }),
      ...(status === 'failed' && { error: own(response, 'error') ?? 'The task failed' }),
    });
    if (outcome?.kind === 'result') this.#end({ ...outcome, heldBy: 'tasks/get' });
    else if (outcome) this.#end(outcome);
    else this.#leave('given-up', 'it is completed, but the response to tasks/get has no result.', { kind: 'lost' });
    return true;
  }

  /** Waits longer after each failure. A server that can't be reached is tried as long as the connection is open. */
  #onFailure(what: string, isLost: boolean, code = 0): void {
    if (!this.#port.isOpen()) this.#end({ kind: 'lost' });
    else if (FINAL_CODES.has(code) || (!isLost && this.#errors >= POLL_ERRORS)) {
      this.#leave('given-up', `${what}.`, { kind: 'lost' });
    } else {
      this.#errors = Math.min(this.#errors + 1, POLL_ERRORS);
      this.#schedule(this.#intervalMs);
    }
  }

  #fetchResult(): void {
    if (this.#resultId !== undefined) return;
    const asking = this.#ask('tasks/result', {}, ENDLESS, (id) => {
      this.#resultId = id;
    });
    void asking.then((outcome) => {
      this.#resultId = undefined;
      if (this.#settled) return;
      if (outcome.kind === 'result') this.#end({ kind: 'result', result: outcome.result, heldBy: 'tasks/result' });
      else if (outcome.error) this.#onResultError(outcome.error);
      else this.#onFailure('tasks/result was not answered', outcome.kind === 'lost');
    });
  }

  /** An error before the end only says that there is no result yet. */
  #onResultError(error: NonNullable<Asked['error']>): void {
    if (isTaskOver(this.#facts.status)) this.#end({ kind: 'error', error });
    else this.#onFailure(`tasks/result was answered with error ${error.code}: ${error.message.slice(0, 300)}`, false);
  }

  async #update(responses: string): Promise<void> {
    await this.#ask('tasks/update', { inputResponses: responses });
    this.wake();
  }

  /** Sends a request about the task. Never rejects. */
  async #ask(
    method: string,
    more: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
    onSent: (id: RequestId) => void = () => {},
  ): Promise<Asked> {
    const members = Object.entries(more).map(([name, text]) => `,${JSON.stringify(name)}:${text}`);
    try {
      const { id, outcome } = this.#port.send(
        method,
        `{"taskId":${JSON.stringify(this.#taskId)}${members.join('')}}`,
        options,
      );
      onSent(id);
      return { id, result: undefined, error: undefined, ...(await outcome) };
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      return { id: undefined, kind: 'lost', result: undefined, error: undefined };
    }
  }

  #leave(phase: TaskStep['phase'], reason: string, outcome: RequestOutcome): void {
    if (this.#settled) return;
    this.#port.logStep({ phase, reason });
    const task = {
      code: 'task-given-up',
      message: `Task ${this.#taskId} was given up: ${reason}`,
      advice: 'Ask for its result later.',
    };
    this.#end(outcome.kind === 'lost' ? { kind: 'lost', task } : outcome);
  }

  #end(outcome: RequestOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelTimer?.();
    this.#input.stop();
    if (this.#resultId !== undefined) this.#port.cancelRequest(this.#resultId);
    this.#settle(outcome);
  }
}

/** The outcome of a request about the task. */
interface Asked {
  readonly id: RequestId | undefined;
  readonly kind: RequestOutcome['kind'];
  readonly result: unknown;
  readonly error: Extract<RequestOutcome, { kind: 'error' }>['error'] | undefined;
}

/** Returns true if a notification says that a poll would bring news. */
export function isNews(params: unknown): boolean {
  const status = isObject(params) ? own(params, 'status') : undefined;
  return typeof status === 'string' && (status === 'input_required' || isTaskOver(status));
}

/** Notifications about tasks, of both eras. */
export const TASK_NOTIFICATIONS = [METHOD.taskStatus, METHOD.taskChanged] as const;
