import { setMembers } from '@/lib/wire/json-text';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own, type RequestId } from '@/lib/wire/message';
import type { ClientHandler } from './inbound';
import type { Outcome } from './outcome';

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
  readonly handlers: ReadonlyMap<string, ClientHandler>;
  /** The request is about to be sent again. */
  retrying(asked: Asked, reason: string): void;
}

/** The headers that repeat a message do not match it (2026-07-28, HTTP). */
const HEADER_MISMATCH = -32020;

/**
 * Sends a request again where its answer says how, and resolves with the last answer: a server that wants input first gets
 * it from the handlers (`input_required`, 2026-07-28), and a call whose headers were refused is repeated once the tools, which
 * say what headers they want, have been read again. Anything else is the answer. Never rejects.
 */
export async function followUp(first: Outcome, sent: Asked, port: FollowUpPort): Promise<Outcome> {
  let outcome = first;
  let asked = sent;
  let relisted = false;
  for (let rounds = 0; rounds < LIMITS.inputRounds; rounds++) {
    const { params } = asked;
    let next: Pick<Asked, 'params'> | undefined = await inputFor(outcome, sent.params, port.handlers);
    let reason = 'with the input that the server asked for.';
    if (next === undefined && !relisted && isMismatch(outcome, asked.method)) {
      relisted = true;
      await port.readTools();
      next = { params };
      reason = 'its headers were refused, and the tools have been read again.';
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

/**
 * The params for the next round: those of the first one, the answers to this round's questions, and the state exactly as it
 * came. undefined if the result is no such question, or if one of them is of a kind that nobody here answers.
 */
async function inputFor(
  outcome: Outcome,
  params: string | undefined,
  handlers: FollowUpPort['handlers'],
): Promise<{ readonly params: string } | undefined> {
  if (handlers.size === 0 || outcome.kind !== 'result' || !isObject(outcome.result)) return undefined;
  if (own(outcome.result, 'resultType') !== 'input_required') return undefined;
  const questions = own(outcome.result, 'inputRequests') ?? {};
  const state = own(outcome.result, 'requestState');
  if (!isObject(questions)) return undefined;
  const answers: [string, JsonObject][] = [];
  for (const [key, question] of Object.entries(questions)) {
    const method = isObject(question) ? own(question, 'method') : undefined;
    const handler = typeof method === 'string' ? handlers.get(method) : undefined;
    if (handler === undefined) return undefined;
    try {
      answers.push([key, await handler(own(question as JsonObject, 'params'))]);
    } catch {
      return undefined;
    }
  }
  const added: JsonObject = {
    ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
    ...(state !== undefined && { requestState: state }),
  };
  return { params: setMembers(params ?? '{}', added) };
}
