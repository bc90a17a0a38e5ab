import { setMembers } from '@/lib/json/members';
import { idKey, isObject, type JsonObject, own, type RequestId } from '@/lib/json/value';
import type { InputStep, LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { ClientHandler, ClientHandlers } from './answering';
import type { Engine, RequestHandle } from './engine';
import { readPages } from './listing';
import type { Outcome, RequestOptions } from './requests';

/** Rounds in which a server may ask for more input before it is taken for an endless one. */
export const INPUT_ROUNDS = 10;

/** What the requests need of their connection. */
export interface FollowedPort {
  readonly engine: Engine;
  readonly handlers: ClientHandlers;
  isOpen(): boolean;
  renewed?: FollowUpPort['renewed'];
  event(event: LifecycleEvent): void;
}

/** How a request is sent that may be sent again. */
export interface FollowedOptions extends RequestOptions {
  /** Is told the id of each further one. */
  readonly onAgain?: (id: RequestId) => void;
}

/** The requests that are sent again where their answers say so (see {@link followUp}). */
export class FollowedRequests {
  readonly #port: FollowedPort;
  /** Input is gathered for these; by the id's key. */
  readonly #rounds = new Map<string, AbortController>();

  constructor(port: FollowedPort) {
    this.#port = port;
  }

  /** The handle is the first one's, the outcome the last one's. Throws like the engine's `request`. */
  request(method: string, params: string | undefined, options: FollowedOptions): RequestHandle {
    const { engine, handlers, isOpen, event, renewed } = this.#port;
    const { id, seq, outcome } = engine.request(method, params, options);
    const followed = outcome.then((first) =>
      followUp(
        first,
        { id, method, params },
        {
          ask: (next) => {
            const again = engine.request(method, next, options);
            options.onAgain?.(again.id);
            return again;
          },
          readTools: () => readPages(engine, 'tools/list', isOpen),
          handlers,
          ...(renewed && { renewed }),
          asking: (asked) => this.#round(asked),
          retrying: (asked, reason) => event({ event: 'retry', id: asked.id, method, reason }),
        },
      ),
    );
    return { id, seq, outcome: followed };
  }

  /** The input that this request's answer asked for will not be given. False: it asked for none, or has it. */
  giveUp(id: RequestId, why: string): boolean {
    const round = this.#rounds.get(idKey(id));
    round?.abort(new Error(why));
    return round !== undefined;
  }

  /** Nobody waits for any input any more. */
  end(): void {
    for (const round of this.#rounds.values()) round.abort(new Error('the connection ended'));
  }

  #round({ id, method }: Asked): Round {
    const stop = new AbortController();
    const key = idKey(id);
    this.#rounds.set(key, stop);
    const tell = (step: InputStep): void => this.#port.event({ event: 'input', id, method, ...step });
    tell({ phase: 'asked' });
    return {
      signal: stop.signal,
      given: (key) => tell({ phase: 'given', key }),
      over: (why) => {
        this.#rounds.delete(key);
        if (why === undefined) return;
        tell({ phase: 'given-up', reason: why });
        // Of several questions, those that are still asked are asked for nothing.
        stop.abort();
      },
    };
  }
}

/** A request of ours, as it was last sent. */
export interface Asked {
  readonly id: RequestId;
  readonly method: string;
  /** JSON text. */
  readonly params: string | undefined;
}

/** What following up on an answer needs. */
export interface FollowUpPort {
  /** Sends the same method with other params, under a new id. Throws ConnectionError. */
  ask(params: string | undefined): { readonly id: RequestId; readonly outcome: Promise<Outcome> };
  /** Reads the list of tools again, all of it. */
  readTools(): Promise<void>;
  /** Answers what servers ask of a client, by method. */
  readonly handlers: ClientHandlers;
  /** Its answer asks for input, which the handlers are about to be asked for. */
  asking(asked: Asked): Round;
  /** Resolves when the session that was lost has a successor; false: it has none. Absent: nobody opens one. */
  renewed?(): Promise<boolean>;
  /** The request is about to be sent again. */
  retrying(asked: Asked, reason: string): void;
}

/** The time in which the input that one answer asks for is gathered. */
export interface Round {
  /** Fires when the request is given up. */
  readonly signal: AbortSignal;
  /** One of the questions was answered. */
  given(key: string): void;
  /** No more is gathered: all of it is there, or, for this reason, there will not be. */
  over(why?: string): void;
}

/** The headers that repeat a message do not match it (2026-07-28, HTTP). */
const HEADER_MISMATCH = -32020;

/**
 * Sends a request again where its answer says how, and resolves with the last answer: a server that wants input first
 * gets it from the handlers (`input_required`, 2026-07-28), a call whose headers were refused is repeated once the
 * tools, which say what headers they want, have been read again, and a request of a forgotten session once in the next
 * one. Anything else is the answer. Never rejects.
 */
export async function followUp(first: Outcome, sent: Asked, port: FollowUpPort): Promise<Outcome> {
  let outcome = first;
  let asked = sent;
  let relisted = false;
  let renewed = false;
  for (let rounds = 0; rounds < INPUT_ROUNDS; rounds++) {
    const { params } = asked;
    let next: Pick<Asked, 'params'> | undefined = await inputFor(outcome, { ...asked, params: sent.params }, port);
    let reason = 'with the input that the server asked for.';
    if (next === undefined && !relisted && isMismatch(outcome, asked.method)) {
      relisted = true;
      await port.readTools();
      next = { params };
      reason = 'its headers were refused, and the tools have been read again.';
    }
    if (next === undefined && !renewed && isForgotten(outcome) && (await port.renewed?.())) {
      renewed = true;
      next = { params };
      reason = 'its session was lost, so the server did not run it, and a new session is open.';
    }
    if (next === undefined) return outcome;
    port.retrying(asked, reason);
    try {
      const again = port.ask(next.params);
      asked = { id: again.id, method: sent.method, params: next.params };
      outcome = await again.outcome;
    } catch {
      // The server has gone in the meantime; what it said last stays the answer.
      return outcome;
    }
  }
  return outcome;
}

function isMismatch(outcome: Outcome, method: string): boolean {
  return outcome.kind === 'error' && outcome.error.code === HEADER_MISMATCH && method === 'tools/call';
}

/** The server refused it unread: it had forgotten the session. */
function isForgotten(outcome: Outcome): boolean {
  return (outcome.kind === 'error' || outcome.kind === 'lost') && outcome.http?.code === 'session-lost';
}

/**
 * The params for the next round: those of the first one, the answers to this round's questions, and the state exactly as it
 * came. undefined if the result is no such question, or if one of them is of a kind that nobody here answers, or will not be
 * answered.
 */
async function inputFor(
  outcome: Outcome,
  asked: Asked,
  port: FollowUpPort,
): Promise<{ readonly params: string } | undefined> {
  if (port.handlers.size === 0 || outcome.kind !== 'result' || !isObject(outcome.result)) return undefined;
  if (own(outcome.result, 'resultType') !== 'input_required') return undefined;
  const state = own(outcome.result, 'requestState');
  const questions = questionsIn(own(outcome.result, 'inputRequests') ?? {}, port.handlers);
  const answers = questions && (await answersTo(questions, asked, port));
  if (answers === undefined) return undefined;
  const added: [string, string][] = [
    ...(answers.length > 0 ? [['inputResponses', `{${answers.join(',')}}`] satisfies [string, string]] : []),
    ...(state !== undefined ? [['requestState', JSON.stringify(state)] satisfies [string, string]] : []),
  ];
  return { params: setMembers(asked.params ?? '{}', added) };
}

/** One of the questions of an answer, and who answers it. */
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

/** `"key":result` of each, asked at the same time; undefined if one of them gets no answer. */
async function answersTo(
  questions: readonly Question[],
  asked: Asked,
  port: FollowUpPort,
): Promise<readonly string[] | undefined> {
  if (questions.length === 0) return [];
  const round = port.asking(asked);
  const ask = async ({ key, method, params, handler }: Question): Promise<string> => {
    const result = await handler(params, { method, id: asked.id, key, signal: round.signal });
    round.given(key);
    return `${JSON.stringify(key)}:${result}`;
  };
  try {
    const answers = await Promise.all(questions.map(ask));
    round.over();
    return answers;
  } catch (error) {
    round.over(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
