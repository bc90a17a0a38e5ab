import { idKey, isObject, own, type RequestId } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { Message } from '../classify';
import type { InboxState, Question } from './state';

/** Questions of one log that are told of, the newest of those that are over. */
export const QUESTIONS_KEPT = 200;

/** What servers ask of clients. */
const ASKING: ReadonlySet<unknown> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/** What of ours a server may ask something for. */
const CALLS: ReadonlySet<unknown> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Calls under way that are told of as possible askers. */
const MOST_CALLS = 5;

/** After these nobody waits for an answer any more. */
const ENDS: ReadonlySet<unknown> = new Set(['exit', 'failed', 'closed', 'session-lost', 'recording-ends']);

/** The input that an answer to a call of ours asks for. */
interface InputRound {
  readonly call: number;
  readonly seq: number;
  readonly questions: readonly { readonly input: string; readonly method: string; readonly params: unknown }[];
}

/**
 * Follows what the server asks of us: requests of its own, and in the modern era the input that an answer asks for, which waits
 * from the moment somebody is asked. Each is numbered in the order of the log, so every page calls it the same.
 */
export class InboxReader {
  readonly #carrier: (seq: number) => number | undefined;
  readonly #questions = new Map<string, Question>();
  /** Keys of those that wait, oldest first. */
  readonly #waiting = new Set<string>();
  /** Calls of ours under way, oldest first. */
  readonly #calls = new Set<number>();
  /** By the id of our request. */
  readonly #rounds = new Map<string, InputRound>();
  /** How many requests under the id of one that waits are to be answered before it: what we refuse, we refuse at once. */
  readonly #twice = new Map<string, number>();
  #asked = 0;
  #modern = false;
  #state: InboxState | undefined;

  /** `carrier` tells the HTTP exchange that a frame travelled on. */
  constructor(carrier: (seq: number) => number | undefined) {
    this.#carrier = carrier;
  }

  /** The same object until something changes. */
  get state(): InboxState {
    if (this.#state === undefined) {
      const all = [...this.#questions.values()];
      this.#state = {
        waiting: all.filter(({ status }) => status === 'waiting'),
        over: all.filter(({ status }) => status !== 'waiting').reverse(),
      };
    }
    return this.#state;
  }

  addMessage(seq: number, direction: Direction, { kind, id, method, body }: Message): void {
    if (direction === 'to-server') {
      if (kind === 'request' && CALLS.has(method)) this.#calls.add(seq);
      if (kind === 'response' || kind === 'error') this.#answered(id, kind === 'error' ? 'refused' : 'answered', seq);
      return;
    }
    const params = own(body, 'params');
    if (kind === 'request' && !this.#modern && id !== undefined && id !== null) {
      if (this.#find(id, undefined) !== undefined) this.#twice.set(idKey(id), (this.#twice.get(idKey(id)) ?? 0) + 1);
      else if (ASKING.has(method)) this.#add({ seq, id, method: method!, calls: this.#callersOf(seq) }, params);
    } else if (method === 'notifications/cancelled' && isObject(params)) {
      this.#end(own(params, 'requestId'), undefined, 'withdrawn', seq);
    } else if (method === 'notifications/elicitation/complete' && isObject(params)) {
      this.#complete(own(params, 'elicitationId'), seq);
    }
  }

  /** Our request `seq` was answered, or will not be. */
  onSettled(seq: number, answer?: { readonly seq: number; readonly message: Message }): void {
    this.#calls.delete(seq);
    const id = answer?.message.id;
    if (answer?.message.kind !== 'response' || id === undefined || id === null) return;
    const result = own(answer.message.body, 'result');
    if (!isObject(result) || own(result, 'resultType') !== 'input_required') return;
    const requests = own(result, 'inputRequests');
    const questions = Object.entries(isObject(requests) ? requests : {})
      .slice(0, LIMITS.waitingQuestions)
      .map(([input, request]) => ({
        input,
        method: String(isObject(request) ? own(request, 'method') : ''),
        params: isObject(request) ? own(request, 'params') : undefined,
      }));
    this.#rounds.set(idKey(id), { call: seq, seq: answer.seq, questions });
    const [oldest] = this.#rounds.keys();
    if (this.#rounds.size > QUESTIONS_KEPT) this.#rounds.delete(oldest!);
  }

  addLifecycle(seq: number, event: LifecycleEvent | undefined): void {
    if (event?.event === 'open') this.#modern = event.era === 'modern';
    if (event?.event === 'input') this.#input(seq, event);
    if (event !== undefined && ENDS.has(event.event)) {
      for (const key of [...this.#waiting]) this.#settle(key, 'lost', seq);
    }
  }

  #input(seq: number, event: Extract<LifecycleEvent, { event: 'input' }>): void {
    const { id } = event;
    if (event.phase === 'given') {
      this.#end(id, event.key, 'answered', seq);
      return;
    }
    const round = this.#rounds.get(idKey(id));
    if (round === undefined) return;
    for (const { input, method, params } of round.questions) {
      if (event.phase === 'asked') this.#add({ seq: round.seq, id, input, method, calls: [round.call] }, params);
      else this.#end(id, input, 'withdrawn', seq);
    }
    if (event.phase === 'given-up') this.#rounds.delete(idKey(id));
  }

  #add(asked: Pick<Question, 'seq' | 'id' | 'input' | 'method' | 'calls'>, params: unknown): void {
    const key = `q${++this.#asked}`;
    const elicitation = isObject(params) ? own(params, 'elicitationId') : undefined;
    const message = isObject(params) ? own(params, 'message') : undefined;
    this.#questions.set(key, {
      key,
      ...asked,
      status: 'waiting',
      ...(typeof message === 'string' && { message: message.slice(0, LIMITS.previewChars) }),
      ...(typeof elicitation === 'string' && { elicitation }),
    });
    this.#waiting.add(key);
    this.#state = undefined;
    if (this.#questions.size <= QUESTIONS_KEPT) return;
    const oldest = [...this.#questions.keys()].find((one) => !this.#waiting.has(one)) ?? [...this.#waiting][0]!;
    this.#questions.delete(oldest);
    this.#waiting.delete(oldest);
  }

  /** Our answer: to the question under this id, unless it is the one to a request that came under the same id since. */
  #answered(id: unknown, status: Question['status'], seq: number): void {
    const twice = typeof id === 'string' || typeof id === 'number' ? this.#twice.get(idKey(id)) : undefined;
    if (twice) this.#twice.set(idKey(id as RequestId), twice - 1);
    else this.#end(id, undefined, status, seq);
  }

  /** What waits under this id, or as this input of it, is over. */
  #end(id: unknown, input: string | undefined, status: Question['status'], seq: number): void {
    const key = this.#find(id, input);
    if (key !== undefined) this.#settle(key, status, seq);
  }

  #find(id: unknown, input: string | undefined): string | undefined {
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    for (const key of this.#waiting) {
      const question = this.#questions.get(key)!;
      if (idKey(question.id) === idKey(id) && question.input === input) return key;
    }
    return undefined;
  }

  #settle(key: string, status: Question['status'], endSeq: number): void {
    this.#waiting.delete(key);
    this.#twice.delete(idKey(this.#questions.get(key)!.id));
    this.#questions.set(key, { ...this.#questions.get(key)!, status, endSeq });
    this.#state = undefined;
  }

  #complete(elicitation: unknown, completeSeq: number): void {
    for (const [key, question] of this.#questions) {
      if (question.elicitation === undefined || question.elicitation !== elicitation) continue;
      this.#questions.set(key, { ...question, completeSeq });
      this.#state = undefined;
    }
  }

  /** What came on the stream of one call is asked for that call; otherwise it may be any that is under way. */
  #callersOf(seq: number): readonly number[] {
    const carrier = this.#carrier(seq);
    const calls = [...this.#calls];
    const own = carrier === undefined ? [] : calls.filter((call) => this.#carrier(call) === carrier);
    return (own.length > 0 ? own : calls).slice(-MOST_CALLS);
  }
}
