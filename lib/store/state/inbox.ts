import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, type RequestId } from '@/lib/wire/message';
import { METHOD } from '@/lib/wire/protocol-names';
import { relatedTask, taskIdIn } from '@/lib/wire/task';
import type { Message } from '../classify';
import { PREVIEW_CHARS } from '../rows/labels';
import type { InboxState, Question } from './state';

/**
 * Most questions kept per log. The oldest closed ones are dropped first, then waiting ones after those that a person
 * can answer: of a flood, the client refuses all others.
 */
export const QUESTIONS_KEPT = 200;

/** Requests that servers send. */
const ASKING: ReadonlySet<unknown> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/** Client requests during which a server may send requests. */
const CALLS: ReadonlySet<unknown> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Most calls in flight that are listed as the possible cause of a request. */
const MOST_CALLS = 5;

/** Events that end all open requests. */
const ENDS: ReadonlySet<unknown> = new Set(['exit', 'failed', 'closed', 'session-lost', 'recording-ends']);

/** The status of a question whose task has ended. */
const TASK_ENDS: ReadonlyMap<unknown, Question['status']> = new Map([
  ['completed', 'answered'],
  ['failed', 'refused'],
  ['cancelled', 'withdrawn'],
]);

/** The input that a response to a call requests. */
interface InputRound {
  readonly call: number;
  readonly seq: number;
  readonly questions: readonly { readonly input: string; readonly method: string; readonly params: unknown }[];
}

/**
 * Tracks requests from the server and, in the modern era, input requested by responses. Keys are numbered in the order
 * of the log, so every page uses the same ones.
 */
export class InboxReader {
  readonly #carrier: (seq: number) => number | undefined;
  readonly #taskCall: (taskId: string | undefined) => number | undefined;
  readonly #questions = new Map<string, Question>();
  /** Keys of waiting questions, oldest first. */
  readonly #waiting = new Set<string>();
  /** Calls in flight, oldest first. */
  readonly #calls = new Set<number>();
  /** Input rounds by the id of the client's request. */
  readonly #rounds = new Map<string, InputRound>();
  /**
   * Number of later requests that reuse the id of a waiting one. The client refuses them at once, so their responses
   * come first.
   */
  readonly #reusedIds = new Map<string, number>();
  #lastKey = 0;
  #modern = false;
  #state: InboxState | undefined;

  /** `carrier` returns the HTTP exchange of a frame, `taskCall` the call that started a task. */
  constructor(
    carrier: (seq: number) => number | undefined,
    taskCall: (taskId: string | undefined) => number | undefined,
  ) {
    this.#carrier = carrier;
    this.#taskCall = taskCall;
  }

  /** The same object until it changes. */
  get state(): InboxState {
    if (this.#state === undefined) {
      const all = [...this.#questions.values()];
      this.#state = {
        waiting: all.filter(({ status }) => status === 'waiting'),
        closed: all.filter(({ status }) => status !== 'waiting').reverse(),
      };
    }
    return this.#state;
  }

  addMessage(seq: number, direction: Direction, { kind, id, method, body }: Message): void {
    if (direction === 'to-server') {
      if (kind === 'request' && CALLS.has(method)) this.#calls.add(seq);
      if (kind === 'notification' && method === METHOD.taskStatus) this.#onTaskStatus(seq, own(body, 'params'));
      else if (kind === 'response' && this.#isTask(id, own(body, 'result'))) return;
      else if (kind === 'response' || kind === 'error')
        this.#addResponse(id, kind === 'error' ? 'refused' : 'answered', seq);
      return;
    }
    const params = own(body, 'params');
    if (kind === 'request' && !this.#modern && id !== undefined && id !== null) {
      if (this.#find(id, undefined) !== undefined)
        this.#reusedIds.set(idKey(id), (this.#reusedIds.get(idKey(id)) ?? 0) + 1);
      else if (ASKING.has(method)) this.#add({ seq, id, method: method!, calls: this.#callersOf(seq, params) }, params);
    } else if (method === 'notifications/cancelled' && isObject(params)) {
      this.#closeById(own(params, 'requestId'), undefined, 'withdrawn', seq);
    } else if (method === 'notifications/elicitation/complete' && isObject(params)) {
      this.#onElicitationComplete(own(params, 'elicitationId'), seq);
    }
  }

  /** Called when a client request was answered or given up. */
  onSettled(seq: number, answer?: { readonly seq: number; readonly message?: Message }): void {
    this.#calls.delete(seq);
    const { kind, id, body } = answer?.message ?? {};
    if (!answer || kind !== 'response' || id === undefined || id === null) return;
    const result = own(body!, 'result');
    if (!isObject(result)) return;
    // A task asks in the responses to its polls.
    const taskId = own(result, 'status') === 'input_required' ? taskIdIn(result) : undefined;
    if (own(result, 'resultType') !== 'input_required' && taskId === undefined) return;
    const requests = own(result, 'inputRequests');
    const questions = Object.entries(isObject(requests) ? requests : {})
      .slice(0, LIMITS.waitingQuestions)
      .map(([input, request]) => ({
        input,
        method: textOrJson(isObject(request) ? own(request, 'method') : undefined),
        params: isObject(request) ? own(request, 'params') : undefined,
      }));
    this.#rounds.set(idKey(id), { call: this.#taskCall(taskId) ?? seq, seq: answer.seq, questions });
    const [oldest] = this.#rounds.keys();
    if (this.#rounds.size > QUESTIONS_KEPT) this.#rounds.delete(oldest!);
  }

  addLifecycle(seq: number, event: LifecycleEvent | undefined): void {
    if (event?.event === 'open') this.#modern = event.era === 'modern';
    if (event?.event === 'input') this.#onInput(seq, event);
    if (event?.event === 'standing-answer') this.#onStandingAnswer(seq, event);
    if (event !== undefined && ENDS.has(event.event)) {
      for (const key of [...this.#waiting]) this.#close(key, 'lost', seq);
    }
  }

  #onInput(seq: number, event: Extract<LifecycleEvent, { event: 'input' }>): void {
    const { id } = event;
    if (event.phase === 'given') {
      this.#closeById(id, event.key, 'answered', seq);
      return;
    }
    if (event.phase === 'asked') this.#ask(id, event.keys);
    else this.#withdraw(id, seq);
  }

  /** Adds the questions of a response; of a task, those that it has not asked before. */
  #ask(id: RequestId, keys: readonly string[] | undefined): void {
    const round = this.#rounds.get(idKey(id));
    for (const { input, method, params } of round?.questions ?? []) {
      if (keys && !keys.includes(input)) continue;
      this.#add({ seq: round!.seq, id, input, method, calls: [round!.call] }, params);
    }
    // The polls of a task that waits would fill the memory.
    if (keys) this.#rounds.delete(idKey(id));
  }

  #withdraw(id: RequestId, seq: number): void {
    this.#rounds.delete(idKey(id));
    for (const key of [...this.#waiting]) {
      const question = this.#questions.get(key)!;
      if (question.input !== undefined && idKey(question.id) === idKey(id)) this.#close(key, 'withdrawn', seq);
    }
  }

  /** Called before the answer is sent. */
  #onStandingAnswer(seq: number, { id, key }: Extract<LifecycleEvent, { event: 'standing-answer' }>): void {
    const found = this.#find(id, key);
    if (found === undefined) return;
    this.#questions.set(found, { ...this.#questions.get(found)!, standingSeq: seq });
    this.#state = undefined;
  }

  #add(asked: Pick<Question, 'seq' | 'id' | 'input' | 'method' | 'calls'>, params: unknown): void {
    const key = `q${++this.#lastKey}`;
    const elicitation = isObject(params) ? own(params, 'elicitationId') : undefined;
    const message = isObject(params) ? (own(params, 'message') ?? lastMessage(params)) : undefined;
    this.#questions.set(key, {
      key,
      ...asked,
      status: 'waiting',
      ...(typeof message === 'string' && { message: message.slice(0, PREVIEW_CHARS) }),
      ...(typeof elicitation === 'string' && { elicitation }),
    });
    this.#waiting.add(key);
    this.#state = undefined;
    if (this.#questions.size <= QUESTIONS_KEPT) return;
    const closed = [...this.#questions.keys()].find((one) => !this.#waiting.has(one));
    const dropped = closed ?? [...this.#waiting][LIMITS.waitingQuestions]!;
    this.#questions.delete(dropped);
    this.#waiting.delete(dropped);
  }

  /** Adds the client's response to the question with this id, or to a later request that reused the id. */
  #addResponse(id: unknown, status: Question['status'], seq: number): void {
    const twice = typeof id === 'string' || typeof id === 'number' ? this.#reusedIds.get(idKey(id)) : undefined;
    if (twice) this.#reusedIds.set(idKey(id as RequestId), twice - 1);
    else this.#closeById(id, undefined, status, seq);
  }

  /** Returns true if the client runs the request as a task, and will answer it later (2025-11-25). */
  #isTask(id: unknown, result: unknown): boolean {
    const task = isObject(result) ? own(result, 'task') : undefined;
    const taskId = isObject(task) ? own(task, 'taskId') : undefined;
    const key = this.#find(id, undefined);
    if (key === undefined || typeof taskId !== 'string') return false;
    this.#questions.set(key, { ...this.#questions.get(key)!, task: taskId });
    return true;
  }

  #onTaskStatus(seq: number, params: unknown): void {
    const status = isObject(params) ? own(params, 'status') : undefined;
    const key = [...this.#waiting].find((one) => {
      const { task } = this.#questions.get(one)!;
      return task !== undefined && isObject(params) && task === own(params, 'taskId');
    });
    const end = TASK_ENDS.get(status);
    if (key !== undefined && end !== undefined) this.#close(key, end, seq);
  }

  /** Closes the waiting question with this id and input. */
  #closeById(id: unknown, input: string | undefined, status: Question['status'], seq: number): void {
    const key = this.#find(id, input);
    if (key !== undefined) this.#close(key, status, seq);
  }

  #find(id: unknown, input: string | undefined): string | undefined {
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    for (const key of this.#waiting) {
      const question = this.#questions.get(key)!;
      if (idKey(question.id) === idKey(id) && question.input === input) return key;
    }
    return undefined;
  }

  #close(key: string, status: Question['status'], endSeq: number): void {
    this.#waiting.delete(key);
    this.#reusedIds.delete(idKey(this.#questions.get(key)!.id));
    this.#questions.set(key, { ...this.#questions.get(key)!, status, endSeq });
    this.#state = undefined;
  }

  #onElicitationComplete(elicitation: unknown, completeSeq: number): void {
    for (const [key, question] of this.#questions) {
      if (question.elicitation === undefined || question.elicitation !== elicitation) continue;
      this.#questions.set(key, { ...question, completeSeq });
      this.#state = undefined;
    }
  }

  /** Returns the call whose task the request names, or that on the same HTTP stream, otherwise all calls in flight. */
  #callersOf(seq: number, params: unknown): readonly number[] {
    const call = this.#taskCall(relatedTask(params));
    if (call !== undefined) return [call];
    const carrier = this.#carrier(seq);
    const calls = [...this.#calls];
    const own = carrier === undefined ? [] : calls.filter((call) => this.#carrier(call) === carrier);
    return (own.length > 0 ? own : calls).slice(-MOST_CALLS);
  }
}

/** Returns the text of the last message of a sampling request. */
function lastMessage(params: JsonObject): unknown {
  const messages = own(params, 'messages');
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = isObject(last) ? own(last, 'content') : undefined;
  const block: unknown = Array.isArray(content) ? content[0] : content;
  return isObject(block) ? own(block, 'text') : undefined;
}
