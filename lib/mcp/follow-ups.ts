import { setMembers } from '@/lib/json/members';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { InputStep, LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, type RequestId } from '@/lib/wire/message';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import type { TaskFacts, TaskWish } from '@/lib/wire/task';
import type { ClientHandler, ClientHandlers } from './answering';
import type { Engine, RequestHandle } from './engine';
import { readPages } from './listing';
import type { RequestOptions, RequestOutcome } from './requests';

/** Most times that one request is sent again because its answers ask for input. */
export const INPUT_ROUNDS = 10;

/** One of our requests, as it was last sent. */
interface SentRequest {
  readonly id: RequestId;
  readonly method: string;
  /** JSON text. */
  readonly params: string | undefined;
}

/** The connection, as far as {@link followUp} needs it. */
export interface FollowUpPort {
  /** Sends the same method with other params, under a new id. Throws ConnectionError. */
  resend(params: string | undefined): { readonly id: RequestId; readonly outcome: Promise<RequestOutcome> };
  /** Reads the whole list of tools again. */
  readTools(): Promise<void>;
  readonly handlers: ClientHandlers;
  /** Called before the handlers are asked for the input that an answer wants. */
  startRound(request: SentRequest): InputRound;
  /** Resolves when a lost session has been replaced; false if it was not. */
  renewed(): Promise<boolean>;
  /**
   * Returns true if a refusal may mean that the session is lost. Sending the same request again tells, because the
   * server did not run it. Absent: the connection finds out by itself.
   */
  doubtsSession?(): boolean;
  /** Called before the request is sent again. */
  onRetry(request: SentRequest, reason: string): void;
}

/** Collects the input that one answer asks for. */
interface InputRound {
  /** Aborted when the request is given up. */
  readonly signal: AbortSignal;
  /** Called for each answered question. */
  onInput(key: string): void;
  /** Called when the round is complete or, with a reason, given up. */
  end(reason?: string): void;
}

/**
 * Sends a request again where its answer calls for it, and resolves with the last answer. Never rejects. These answers
 * call for it:
 * - the server wants input first (`input_required`, 2026-07-28): the handlers supply it;
 * - the server refused the headers of a call: it is repeated once, after the tools, which define headers, are read
 *   again;
 * - the server forgot the session: the request is repeated once in the next session;
 * - the server answered 400, and may have forgotten the session: the request is repeated once to find out.
 */
export async function followUp(
  first: RequestOutcome,
  request: SentRequest,
  port: FollowUpPort,
): Promise<RequestOutcome> {
  let outcome = first;
  let sent = request;
  let relisted = false;
  let doubted = false;
  let renewed = false;
  for (let round = 0; round < INPUT_ROUNDS; round++) {
    const { params } = sent;
    let next: Pick<SentRequest, 'params'> | undefined = await inputFor(
      outcome,
      { ...sent, params: request.params },
      port,
    );
    let reason = 'with the input that the server asked for.';
    if (next === undefined && !relisted && isHeaderMismatch(outcome, sent.method)) {
      relisted = true;
      await port.readTools();
      next = { params };
      reason = 'its headers were refused, and the tools have been read again.';
    }
    if (next === undefined && !doubted && isRefused(outcome) && port.doubtsSession?.()) {
      doubted = true;
      next = { params };
      reason = 'the server may have forgotten the session, and refused it unread.';
    }
    if (next === undefined && !renewed && isSessionLoss(outcome) && (await port.renewed())) {
      renewed = true;
      next = { params };
      reason = 'its session was lost, so the server did not run it, and a new session is open.';
    }
    if (next === undefined) return outcome;
    port.onRetry(sent, reason);
    try {
      const again = port.resend(next.params);
      sent = { id: again.id, method: request.method, params: next.params };
      outcome = await again.outcome;
    } catch {
      // The server went away, so the last answer is final.
      return outcome;
    }
  }
  return outcome;
}

function isHeaderMismatch(outcome: RequestOutcome, method: string): boolean {
  return outcome.kind === 'error' && outcome.error.code === RPC_CODE.headerMismatch && method === 'tools/call';
}

/** True if the server refused the request unread because it had forgotten the session. */
function isSessionLoss(outcome: RequestOutcome): boolean {
  return (outcome.kind === 'error' || outcome.kind === 'lost') && outcome.http?.code === 'session-lost';
}

/** True for HTTP 400, with which many servers refuse a session that they don’t know. */
function isRefused(outcome: RequestOutcome): boolean {
  const http = outcome.kind === 'error' || outcome.kind === 'lost' ? outcome.http : undefined;
  return http?.status === 400 && !isSessionLoss(outcome);
}

/**
 * Returns the params of the next round: the params of the first round, the answers to this round's questions, and the
 * server's state, unchanged. Returns undefined if the result asks nothing, or if a question stays unanswered.
 */
async function inputFor(
  outcome: RequestOutcome,
  sent: SentRequest,
  port: FollowUpPort,
): Promise<{ readonly params: string } | undefined> {
  if (port.handlers.size === 0 || outcome.kind !== 'result' || !isObject(outcome.result)) return undefined;
  if (own(outcome.result, 'resultType') !== 'input_required') return undefined;
  const state = own(outcome.result, 'requestState');
  const questions = questionsIn(own(outcome.result, 'inputRequests') ?? {}, port.handlers);
  const answers = questions && (await answersTo(questions, sent, port));
  if (answers === undefined) return undefined;
  const added: [string, string][] = [
    ...(answers.length > 0 ? [['inputResponses', `{${answers.join(',')}}`] satisfies [string, string]] : []),
    ...(state !== undefined ? [['requestState', JSON.stringify(state)] satisfies [string, string]] : []),
  ];
  return { params: setMembers(sent.params ?? '{}', added) };
}

/** A question in an answer, with its handler. */
interface Question {
  readonly key: string;
  readonly method: string;
  readonly params: unknown;
  readonly handler: ClientHandler;
}

function questionsIn(requests: unknown, handlers: ClientHandlers): readonly Question[] | undefined {
  if (!isObject(requests)) return undefined;
  const entries = Object.entries(requests);
  if (entries.length > LIMITS.waitingQuestions) return undefined;
  const questions = entries.map(([key, request]): Question | undefined => {
    const method = isObject(request) ? own(request, 'method') : undefined;
    const handler = typeof method === 'string' ? handlers.get(method) : undefined;
    return handler && { key, method: method as string, params: own(request as JsonObject, 'params'), handler };
  });
  return questions.every((question) => question !== undefined) ? questions : undefined;
}

/** Asks all handlers at once. Returns `"key":result` of each, or undefined if one of them fails. */
async function answersTo(
  questions: readonly Question[],
  sent: SentRequest,
  port: FollowUpPort,
): Promise<readonly string[] | undefined> {
  if (questions.length === 0) return [];
  const round = port.startRound(sent);
  const ask = async ({ key, method, params, handler }: Question): Promise<string> => {
    const result = await handler(params, { method, id: sent.id, key, signal: round.signal });
    round.onInput(key);
    return `${JSON.stringify(key)}:${result}`;
  };
  try {
    const answers = await Promise.all(questions.map(ask));
    round.end();
    return answers;
  } catch (error) {
    round.end(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** The connection, as far as {@link FollowUps} needs it. `handlers` are those at first. */
interface FollowUpsPort extends Pick<FollowUpPort, 'handlers' | 'renewed' | 'doubtsSession'> {
  readonly engine: Engine;
  isOpen(): boolean;
  logEvent(event: LifecycleEvent): void;
}

export interface FollowUpOptions extends RequestOptions {
  /** Called with the id and method of each further request. */
  readonly onAgain?: (id: RequestId, method: string) => void;
  /** Follows a task that the request starts. Absent: the task is the outcome. */
  readonly followsTask?: true;
  /** Called if input for a task is refused, with the reason. The task is then cancelled. Absent: the task waits. */
  readonly onTaskRefused?: (reason: string) => void;
  /** Runs the call as a task. */
  readonly task?: TaskWish;
  /** Gets each report on a task that is followed. */
  readonly onTaskReport?: (facts: TaskFacts) => void;
}

/** Follows up on the requests of one connection, and can stop collecting input for them. */
export class FollowUps {
  readonly #port: FollowUpsPort;
  /** Requests that input is being collected for, by the key of their id. */
  readonly #rounds = new Map<string, AbortController>();

  #handlers: ClientHandlers;

  constructor(port: FollowUpsPort) {
    this.#port = port;
    this.#handlers = port.handlers;
  }

  /** Asks these handlers from the next round on. */
  setHandlers(handlers: ClientHandlers): void {
    this.#handlers = handlers;
  }

  /** Resolves with the last answer, see {@link followUp}. `handle` is that of the first request. Never rejects. */
  async outcomeOf(
    { id, outcome }: RequestHandle,
    method: string,
    params: string | undefined,
    options: FollowUpOptions,
  ): Promise<RequestOutcome> {
    const { engine, doubtsSession } = this.#port;
    return followUp(
      await outcome,
      { id, method, params },
      {
        resend: (next) => {
          const again = engine.sendRequest(method, next, options);
          options.onAgain?.(again.id, method);
          return again;
        },
        readTools: () => readPages(engine, 'tools/list', () => this.#port.isOpen()),
        handlers: this.#handlers,
        renewed: () => this.#port.renewed(),
        ...(doubtsSession && { doubtsSession }),
        startRound: (sent) => this.#startRound(sent),
        onRetry: (sent, reason) => this.#port.logEvent({ event: 'retry', id: sent.id, method, reason }),
      },
    );
  }

  /** Stops collecting input for this request. Returns false if no input is being collected for it. */
  stopRound(id: RequestId, reason: string): boolean {
    const round = this.#rounds.get(idKey(id));
    round?.abort(new Error(reason));
    return round !== undefined;
  }

  /** Stops collecting input for all requests, because the connection ended. */
  stop(): void {
    for (const round of this.#rounds.values()) round.abort(new Error('the connection ended'));
  }

  #startRound({ id, method }: SentRequest): InputRound {
    const stop = new AbortController();
    const key = idKey(id);
    this.#rounds.set(key, stop);
    const log = (step: InputStep): void => this.#port.logEvent({ event: 'input', id, method, ...step });
    log({ phase: 'asked' });
    return {
      signal: stop.signal,
      onInput: (name) => log({ phase: 'given', key: name }),
      end: (reason) => {
        this.#rounds.delete(key);
        if (reason === undefined) return;
        log({ phase: 'given-up', reason });
        // One question failed, so the others need no answer.
        stop.abort();
      },
    };
  }
}
