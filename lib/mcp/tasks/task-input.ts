import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { InputStep } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import type { ClientHandler, ClientHandlers } from '../answering';

/** Most inputs that one task may ask for. A server that asks for more is taken to loop. */
export const TASK_INPUTS = 200;

interface Question {
  readonly key: string;
  readonly method: string;
  readonly params: unknown;
  readonly handler: ClientHandler;
}

/** The task, as far as {@link TaskInput} needs it. */
interface TaskInputPort {
  readonly handlers: ClientHandlers;
  /** Sends the answers: JSON text of `inputResponses`. */
  update(responses: string): void;
  /** `id`: the request whose response asks for the input. */
  logStep(id: RequestId, step: InputStep): void;
  /** A question will never be answered. */
  onRefused(reason: string): void;
}

/**
 * Collects the input that a modern task asks for. Each response to `tasks/get` repeats what is still open, so a key is
 * asked once.
 */
export class TaskInput {
  readonly #port: TaskInputPort;
  readonly #asked = new Set<string>();
  readonly #stop = new AbortController();

  constructor(port: TaskInputPort) {
    this.#port = port;
  }

  /** Asks for the new inputs in the result of request `id`. They are sent when all of them are given. */
  collect(id: RequestId, result: JsonObject): void {
    const requests = own(result, 'inputRequests');
    const open = Object.entries(isObject(requests) ? requests : {}).filter(([key]) => !this.#asked.has(key));
    if (open.length === 0 || this.#stop.signal.aborted) return;
    const fresh = open.slice(0, Math.min(LIMITS.waitingQuestions, TASK_INPUTS - this.#asked.size));
    if (fresh.length === 0) {
      this.#giveUp(id, `the task asks for more than ${TASK_INPUTS} inputs`);
      return;
    }
    const keys = fresh.map(([key]) => key);
    for (const key of keys) this.#asked.add(key);
    this.#port.logStep(id, { phase: 'asked', keys });
    const questions = fresh.map(([key, request]) => this.#questionOf(key, request));
    void this.#answer(id, questions);
  }

  /** Drops all open questions, because the task has ended. */
  stop(): void {
    this.#stop.abort(new Error('the task has ended'));
  }

  #questionOf(key: string, request: unknown): Question | string {
    const method = isObject(request) ? own(request, 'method') : undefined;
    const handler = typeof method === 'string' ? this.#port.handlers.get(method) : undefined;
    if (handler === undefined) return `mcp-inspect has no answer to ${JSON.stringify(method ?? null).slice(0, 100)}`;
    return { key, method: method as string, params: own(request as JsonObject, 'params'), handler };
  }

  async #answer(id: RequestId, asked: readonly (Question | string)[]): Promise<void> {
    const round = new AbortController();
    const signal = AbortSignal.any([round.signal, this.#stop.signal]);
    const ask = async (question: Question | string): Promise<string> => {
      if (typeof question === 'string') throw new Error(question);
      const { key, method, params, handler } = question;
      const result = await handler(params, { method, id, key, signal });
      this.#port.logStep(id, { phase: 'given', key });
      return `${JSON.stringify(key)}:${result}`;
    };
    try {
      this.#port.update(`{${(await Promise.all(asked.map(ask))).join(',')}}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isStopped = this.#stop.signal.aborted;
      this.#port.logStep(id, { phase: 'given-up', reason });
      // One question failed, so the others of its round need no answer.
      round.abort(new Error(reason));
      if (!isStopped) this.#port.onRefused(reason);
    }
  }

  /** Asks for nothing more. */
  #giveUp(id: RequestId, reason: string): void {
    this.#stop.abort(new Error(reason));
    this.#port.logStep(id, { phase: 'given-up', reason });
    this.#port.onRefused(reason);
  }
}
