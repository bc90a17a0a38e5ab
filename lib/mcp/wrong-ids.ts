import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { METHODS } from '@/lib/protocol/methods';
import type { Clock } from '@/lib/wire/clock';
import type { Failure } from '@/lib/wire/lifecycle';
import { formatId, idKey, type RequestId } from '@/lib/wire/message';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { PROBE_ID } from './probe-id';
import type { PendingRequest, RequestOutcome } from './requests';

/** Milliseconds that a request goes on waiting after an answer with another id. The right one may follow. */
export const WRONG_ID_MS = 1000;

/** The engine, as far as {@link WrongIds} needs it. */
interface WrongIdsPort {
  readonly clock: Clock;
  /** Our requests that wait for an answer, oldest first. */
  pending(): readonly PendingRequest[];
  /** True for an id that we have used: a copy of an answer has it, or one that came late. */
  isUsed(id: RequestId): boolean;
  /** Ends the wait for an answer to this request. */
  giveUp(request: PendingRequest, unusable: Failure): void;
}

/**
 * Finds requests whose answer came with another id, or in a form that is not a message, so that nobody waits for them
 * until a timeout. Servers answer in order, so an answer with another id belongs to the oldest request that has none.
 */
export class WrongIds {
  readonly #port: WrongIdsPort;
  /** Requests that were probably answered, by the key of their id, with what cancels the timer. */
  readonly #answered = new Map<string, () => void>();
  /** A notification was sent after the newest right answer. Some servers answer it, which they must not. */
  #hasNotified = false;
  /** The first right answer. Some servers give every answer the id of the first. */
  #first: { readonly key: string; readonly text: string } | undefined;

  constructor(port: WrongIdsPort) {
    this.#port = port;
  }

  onNotificationSent(): void {
    this.#hasNotified = true;
  }

  /** Called with each answer to a request that waits for it, and its id. */
  onRightAnswer(id: RequestId, message: JsonObject): void {
    this.#first ??= { key: idKey(id), text: JSON.stringify(message) };
    this.#hasNotified = false;
    this.#answered.get(idKey(id))?.();
    this.#answered.delete(idKey(id));
  }

  /** Called with each answer that no request waits for. */
  onOtherAnswer(message: JsonObject, outcome: RequestOutcome): void {
    const id = own(message, 'id');
    const request = this.#requestOf(id, message, outcome);
    if (request !== undefined) this.#endLater(request, failureOf(request, id, outcome));
  }

  /** Called when text that is not a message looks like the answer to the request with this id. */
  onBrokenAnswer(id: RequestId, unusable: Failure): void {
    const request = this.#port.pending().find((one) => one.id === id);
    if (request !== undefined) this.#endLater(request, unusable);
  }

  /** Ends the wait for the answer to a request, unless that comes soon. */
  #endLater(request: PendingRequest, unusable: Failure): void {
    const key = idKey(request.id);
    // A text over several lines is seen again when it is whole.
    this.#answered.get(key)?.();
    // The handshake goes on without an answer to the probe.
    if (request.id === PROBE_ID) {
      this.#answered.set(key, () => {});
      return;
    }
    const callOff = this.#port.clock.after(WRONG_ID_MS, () => {
      this.#answered.delete(key);
      if (this.#port.pending().includes(request)) this.#port.giveUp(request, unusable);
    });
    this.#answered.set(key, callOff);
  }

  /** Ends all timers. */
  stop(): void {
    for (const callOff of this.#answered.values()) callOff();
    this.#answered.clear();
  }

  #requestOf(id: unknown, message: JsonObject, outcome: RequestOutcome): PendingRequest | undefined {
    const waiting = this.#port
      .pending()
      .filter((request) => !this.#answered.has(idKey(request.id)) && METHODS.get(request.method)?.endless !== true);
    const isId = typeof id === 'string' || typeof id === 'number';
    const same = isId ? waiting.find((request) => String(request.id) === String(id)) : undefined;
    if (same !== undefined) return same;
    if (isId && this.#port.isUsed(id)) {
      return waiting.find((request) => holdsId(request, id)) ?? (this.#repeatsId(id, message) ? waiting[0] : undefined);
    }
    if (!isId && this.#hasNotified && isRefusal(outcome)) {
      this.#hasNotified = false;
      return undefined;
    }
    return waiting[0];
  }

  /** True for an answer that has the id of the first one, and is not a copy of it. */
  #repeatsId(id: RequestId, message: JsonObject): boolean {
    return this.#first?.key === idKey(id) && this.#first.text !== JSON.stringify(message);
  }
}

/** True for an error by which servers refuse a notification that they don’t know. */
function isRefusal(outcome: RequestOutcome): boolean {
  return outcome.kind === 'error' && REFUSALS.includes(outcome.error.code);
}

const REFUSALS: readonly number[] = [RPC_CODE.methodNotFound, RPC_CODE.invalidParams, RPC_CODE.invalidRequest];

/** Characters of a request that is searched for an id. Longer ones have files in them. */
const SEARCHED_CHARS = 1024 * 1024;

/** True if the params of a request have a member `id` with this value: some servers return that one. */
function holdsId({ text }: PendingRequest, id: unknown): boolean {
  if (text.length > SEARCHED_CHARS) return false;
  const sent = parseBounded(text);
  const values = isObject(sent) ? [own(sent, 'params')] : [];
  for (const value of values) {
    if (isObject(value) && own(value, 'id') === id) return true;
    if (isObject(value) || Array.isArray(value)) for (const member of Object.values(value)) values.push(member);
  }
  return false;
}

function failureOf(request: PendingRequest, id: unknown, outcome: RequestOutcome): Failure {
  const isId = typeof id === 'string' || typeof id === 'number';
  const got = isId || id === null ? formatId(id) : 'a value that can’t be an id';
  const from = isId && holdsId(request, id) ? ', which is an `id` in the params of the request' : '';
  const error =
    outcome.kind === 'error' ? ` It is error ${outcome.error.code}: ${JSON.stringify(outcome.error.message)}.` : '';
  return {
    code: 'wrong-id',
    message: `The server answered ${request.method} ${id === undefined ? 'without an id' : `with the wrong id: ${got}${from}`}. Expected ${formatId(request.id)}.${error}`,
    advice: 'Copy the `id` of each request into its response, with the same JSON type.',
  };
}
