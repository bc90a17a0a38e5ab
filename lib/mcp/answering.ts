import { LIMITS } from '@/lib/wire/limits';
import { idKey, type RequestId } from '@/lib/wire/message';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { relatedTask } from '@/lib/wire/task';

/** The server's question that a handler answers. */
export interface HandlerContext {
  readonly method: string;
  /** Id of the server's request. In the modern era, the id of our request whose answer asks the question. */
  readonly id: RequestId;
  /** Name of the question within that answer (modern era). */
  readonly key?: string;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/**
 * Answers one kind of request from a server and returns the JSON text of a result. A thrown {@link ErrorResponse} is
 * sent as that error, any other error as an internal one.
 */
export type ClientHandler = (params: unknown, context: HandlerContext) => string | Promise<string>;

/** Handlers by method. */
export type ClientHandlers = ReadonlyMap<string, ClientHandler>;

/** A JSON-RPC error that answers a server's request. */
export class ErrorResponse extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ErrorResponse';
    this.code = code;
  }
}

/** A request from the server. */
export interface ServerRequest {
  readonly method: string;
  readonly params: unknown;
  readonly id: RequestId;
  /** The id as the server wrote it. */
  readonly idText: string;
}

/** The engine, as far as {@link Answering} needs it. */
interface AnsweringPort {
  handler(method: string): ClientHandler | undefined;
  reply(text: string): void;
  /** Ids of our pending requests that may have caused the server's request. */
  pendingCalls(): readonly RequestId[];
  /** Called when the first handler starts (true) and when the last one ends (false). */
  onBusy(busy: boolean): void;
}

interface Running {
  readonly id: RequestId;
  readonly stop: AbortController;
  /** Keys of our requests that may have caused the server's request. */
  readonly calls: Set<string>;
  /** The task that the server's request names. */
  readonly taskId: string | undefined;
  readonly reply: (body: string) => void;
}

const METHOD_NOT_FOUND = new ErrorResponse(RPC_CODE.methodNotFound, 'Method not found');
/** The answers to both requests would carry the same id. */
const DUPLICATE_ID = new ErrorResponse(
  RPC_CODE.invalidRequest,
  'Another request with this id is still waiting for an answer',
);
const TOO_MANY = new ErrorResponse(
  RPC_CODE.internalError,
  `${LIMITS.waitingQuestions} requests already wait for an answer`,
);
const CALL_ENDED = new ErrorResponse(RPC_CODE.internalError, 'The call that caused this request was given up');

/**
 * Answers the requests of a legacy server. Pings are answered at once, other methods by their handlers, which may wait
 * for a person. Each request gets one answer, unless the server cancels it or the connection ends.
 */
export class Answering {
  readonly #port: AnsweringPort;
  /** Oldest first. */
  readonly #running = new Set<Running>();

  constructor(port: AnsweringPort) {
    this.#port = port;
  }

  /** Refuses a request that can't be read. `id`: as the server wrote it. */
  refuse(id: string, why: string): void {
    const error = new ErrorResponse(RPC_CODE.invalidRequest, why);
    this.#port.reply(`{"jsonrpc":"2.0","id":${id},${errorBody(error)}}`);
  }

  handleRequest({ method, params, id, idText }: ServerRequest): void {
    const reply = (body: string): void => this.#port.reply(`{"jsonrpc":"2.0","id":${idText},${body}}`);
    const handler = this.#port.handler(method);
    if (method === 'ping') reply('"result":{}');
    else if (handler === undefined) reply(errorBody(METHOD_NOT_FOUND));
    else if (this.#find(id) !== undefined) reply(errorBody(DUPLICATE_ID));
    else if (this.#running.size >= LIMITS.waitingQuestions) reply(errorBody(TOO_MANY));
    else {
      const stop = new AbortController();
      const calls = new Set(this.#port.pendingCalls().map(idKey));
      const running = { id, stop, calls, taskId: relatedTask(params), reply };
      this.#running.add(running);
      this.#port.onBusy(true);
      Promise.resolve(params)
        .then((value) => handler(value, { method, id, signal: stop.signal }))
        .then(
          (result) => this.#answer(running, `"result":${result}`),
          (error) => this.#answer(running, errorBody(error)),
        );
    }
  }

  /** Stops answering the server's request `id`. */
  drop(id: RequestId): void {
    const running = this.#find(id);
    if (running !== undefined) this.#abort(running);
  }

  /** Stops answering all requests, because the server is gone or has forgotten the session. */
  dropAll(): void {
    for (const running of [...this.#running]) this.#abort(running);
  }

  /** Called when our request `id` has ended. If it was not answered, refuses questions that only it can have caused. */
  onCallEnded(id: RequestId, answered: boolean): void {
    for (const running of [...this.#running]) {
      const caused = running.calls.delete(idKey(id));
      if (!caused || answered || running.calls.size > 0) continue;
      this.#abort(running);
      running.reply(errorBody(CALL_ENDED));
    }
  }

  /** Called when a task of ours was cancelled or given up. Refuses the questions that name it. */
  onTaskEnded(taskId: string): void {
    for (const running of [...this.#running]) {
      if (running.taskId !== taskId) continue;
      this.#abort(running);
      running.reply(errorBody(CALL_ENDED));
    }
  }

  #find(id: RequestId): Running | undefined {
    return [...this.#running].find((one) => idKey(one.id) === idKey(id));
  }

  #answer(running: Running, body: string): void {
    if (this.#remove(running)) running.reply(body);
  }

  #abort(running: Running): void {
    this.#remove(running);
    running.stop.abort();
  }

  /** Removes a request. Returns false if it was removed before. */
  #remove(running: Running): boolean {
    const found = this.#running.delete(running);
    if (found) this.#port.onBusy(this.#running.size > 0);
    return found;
  }
}

function errorBody(error: unknown): string {
  const { code, message } =
    error instanceof ErrorResponse ? error : { code: RPC_CODE.internalError, message: String(error) };
  return `"error":${JSON.stringify({ code, message })}`;
}
