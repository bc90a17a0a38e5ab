import { idKey, type JsonObject, type RequestId } from '@/lib/json/value';
import type { ClientFeature } from '@/lib/wire/connection-settings';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { eraOf } from './versions';

/** Who asks a client for something, and how long. */
export interface HandlerContext {
  readonly method: string;
  /** Of the server's request; in the modern era of our request, which it answers by asking. */
  readonly id: RequestId;
  /** The name of the question among those of the same answer (modern era). */
  readonly key?: string;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Answers what a server asks of a client, with the JSON text of a result. A {@link ErrorResponse} that it throws or rejects with
 * is the answer, any other error as an internal one.
 */
export type ClientHandler = (params: unknown, asking: HandlerContext) => string | Promise<string>;

/** Who answers, by method. */
export type ClientHandlers = ReadonlyMap<string, ClientHandler>;

/** An error as the answer to what a server asks. */
export class ErrorResponse extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

const ELICITATION_SINCE: ProtocolVersion = '2025-06-18';
const ELICITATION_MODES_SINCE: ProtocolVersion = '2025-11-25';

/** The client capabilities that promise these features in a version's words; what it doesn't have is left out. */
export function capabilitiesFor(features: readonly ClientFeature[], version: string): JsonObject {
  const has = (feature: ClientFeature): boolean => features.includes(feature);
  const modes = version >= ELICITATION_MODES_SINCE;
  const elicits = version >= ELICITATION_SINCE && (has('elicitation') || (modes && has('elicitation-url')));
  return {
    ...(has('roots') && { roots: eraOf(version) === 'legacy' ? { listChanged: true } : {} }),
    ...(has('sampling') && { sampling: {} }),
    ...(elicits && {
      elicitation: modes ? { ...(has('elicitation') && { form: {} }), ...(has('elicitation-url') && { url: {} }) } : {},
    }),
  };
}

/** A request of the server's. */
export interface ServerRequest {
  readonly method: string;
  readonly params: unknown;
  readonly id: RequestId;
  /** The id as the server wrote it. */
  readonly idText: string;
}

/** What answering needs of the engine. */
export interface AnsweringPort {
  handler(method: string): ClientHandler | undefined;
  reply(text: string): void;
  /** Our requests under way that a server may ask something about. */
  calls(): readonly RequestId[];
  /** Somebody here thinks about an answer, or nobody any more. */
  thinking(busy: boolean): void;
}

interface Running {
  readonly id: RequestId;
  readonly stop: AbortController;
  /** Keys of our requests that it may be asked for. */
  readonly calls: Set<string>;
  readonly reply: (body: string) => void;
}

const INTERNAL_ERROR = -32603;
const METHOD_NOT_FOUND = new ErrorResponse(-32601, 'Method not found');
/** The answer would be taken for the other one's. */
const TWICE = new ErrorResponse(-32600, 'Another request with this id waits for an answer');
const TOO_MANY = new ErrorResponse(INTERNAL_ERROR, `${LIMITS.waitingQuestions} requests wait for an answer already`);

/**
 * Answers what the server asks of us (legacy era): pings at once, other methods by their handlers, which may take as long as
 * a person does. Each request gets one answer, unless it was called off or the connection ends.
 */
export class Answering {
  readonly #port: AnsweringPort;
  /** Oldest first. */
  readonly #running = new Set<Running>();

  constructor(port: AnsweringPort) {
    this.#port = port;
  }

  asked({ method, params, id, idText }: ServerRequest): void {
    const reply = (body: string): void => this.#port.reply(`{"jsonrpc":"2.0","id":${idText},${body}}`);
    const handler = this.#port.handler(method);
    if (method === 'ping') reply('"result":{}');
    else if (handler === undefined) reply(errorBody(METHOD_NOT_FOUND));
    else if (this.#find(id) !== undefined) reply(errorBody(TWICE));
    else if (this.#running.size >= LIMITS.waitingQuestions) reply(errorBody(TOO_MANY));
    else {
      const stop = new AbortController();
      const running = { id, stop, calls: new Set(this.#port.calls().map(idKey)), reply };
      this.#running.add(running);
      this.#port.thinking(true);
      Promise.resolve(params)
        .then((value) => handler(value, { method, id, signal: stop.signal }))
        .then(
          (result) => this.#answer(running, `"result":${result}`),
          (error) => this.#answer(running, errorBody(error)),
        );
    }
  }

  /** The request with this id needs no answer of ours any more. */
  drop(id: RequestId): void {
    const running = this.#find(id);
    if (running !== undefined) this.#end(running);
  }

  /** None does: whoever asked is gone. */
  dropAll(): void {
    for (const running of [...this.#running]) this.#end(running);
  }

  /**
   * Our request `id` is over. What was asked for its sake, and for no other that is under way, is refused unless the server
   * has answered it.
   */
  callOver(id: RequestId, answered: boolean): void {
    for (const running of [...this.#running]) {
      const asker = running.calls.delete(idKey(id));
      if (!asker || answered || running.calls.size > 0) continue;
      this.#end(running);
      running.reply(errorBody(new ErrorResponse(INTERNAL_ERROR, 'The request that this was asked for was given up')));
    }
  }

  #find(id: RequestId): Running | undefined {
    return [...this.#running].find((one) => idKey(one.id) === idKey(id));
  }

  #answer(running: Running, body: string): void {
    if (this.#forget(running)) running.reply(body);
  }

  #end(running: Running): void {
    this.#forget(running);
    running.stop.abort();
  }

  /** False if it is over already. */
  #forget(running: Running): boolean {
    const found = this.#running.delete(running);
    if (found) this.#port.thinking(this.#running.size > 0);
    return found;
  }
}

function errorBody(error: unknown): string {
  const { code, message } = error instanceof ErrorResponse ? error : { code: INTERNAL_ERROR, message: String(error) };
  return `"error":${JSON.stringify({ code, message })}`;
}
