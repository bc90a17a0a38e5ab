import { type ClientHandler, type ClientHandlers, ErrorResponse, type HandlerContext } from '@/lib/mcp/answering';
import { ConnectionError } from '@/lib/transports/transport';
import type { ClientCapabilities } from '@/lib/wire/client-capabilities';
import type { Root } from '@/lib/wire/connection-settings';
import { idKey, type QuestionAnswer, type RequestId } from '@/lib/wire/message';

/** A question of the server that waits for its answer. */
export interface OpenQuestion {
  /** Id of its request; of our own request whose answer asks it (2026-07-28). */
  readonly id: RequestId;
  /** Name of the question within that answer. */
  readonly key?: string;
  readonly method: string;
  readonly params: unknown;
}

interface Waiting extends OpenQuestion {
  readonly resolve: (result: string) => void;
  readonly reject: (error: unknown) => void;
}

/** A server's open questions to the person, and our answers to `roots/list`. */
export class Inbox {
  readonly #handlers: Readonly<Record<'elicitation' | 'sampling' | 'roots', readonly [string, ClientHandler]>>;
  /** Open questions by request id and key, one at a time under each. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #changed: () => void;
  #roots: readonly Root[] = [];

  /**
   * `changed` is called when the number of open questions changes. `standing` returns the answer to a question that
   * needs no person, and logs its use.
   */
  constructor(
    changed: () => void,
    standing: (params: unknown, asking: HandlerContext) => QuestionAnswer | undefined = () => undefined,
  ) {
    this.#changed = changed;
    const person: ClientHandler = (params, asking) => {
      // A request and its cancellation may arrive in one chunk.
      asking.signal.throwIfAborted();
      const answer = standing(params, asking);
      if (answer === undefined) return this.#ask(params, asking);
      if ('error' in answer) throw refusalOf(answer);
      return oneLine(answer.result);
    };
    this.#handlers = {
      elicitation: ['elicitation/create', person],
      sampling: ['sampling/createMessage', person],
      roots: ['roots/list', () => JSON.stringify({ roots: this.#roots })],
    };
  }

  /** Returns handlers for the requests that a server may send to a client with these capabilities. */
  handlersFor(capabilities: ClientCapabilities): ClientHandlers {
    const { elicitation, sampling, roots } = this.#handlers;
    return new Map([
      ...(capabilities.elicitation ? [elicitation] : []),
      ...(capabilities.sampling ? [sampling] : []),
      ...(capabilities.roots ? [roots] : []),
    ]);
  }

  /** Number of open questions. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Open questions, oldest first. The objects stay the same. */
  get questions(): readonly OpenQuestion[] {
    return [...this.#waiting.values()];
  }

  get roots(): readonly Root[] {
    return this.#roots;
  }

  /** Sets the answer to `roots/list`. */
  setRoots(roots: readonly Root[]): void {
    this.#roots = roots;
  }

  /** Returns the open question that this answer is for. Throws like {@link answer}. */
  question(id: RequestId, key: string | undefined, answer: QuestionAnswer): Pick<Waiting, 'method' | 'params'> {
    if ('result' in answer) oneLine(answer.result);
    return this.#find(id, key);
  }

  /** Answers a question. Throws ConnectionError `not-waiting` and `result-not-json`. */
  answer(id: RequestId, key: string | undefined, answer: QuestionAnswer): void {
    const waiting = this.#find(id, key);
    if ('error' in answer) waiting.reject(refusalOf(answer));
    else waiting.resolve(oneLine(answer.result));
    this.#forget(keyOf(id, key), waiting);
  }

  /** Withdraws every open question, because the connection ended. */
  close(): void {
    for (const [name, waiting] of [...this.#waiting]) {
      waiting.reject(new Error('The connection ended'));
      this.#forget(name, waiting);
    }
  }

  #find(id: RequestId, key: string | undefined): Waiting {
    const waiting = this.#waiting.get(keyOf(id, key));
    if (waiting === undefined) throw new ConnectionError(NOT_WAITING);
    return waiting;
  }

  #ask(params: unknown, { method, id, key, signal }: HandlerContext): Promise<string> {
    const name = keyOf(id, key);
    return new Promise<string>((resolve, reject) => {
      const waiting = { method, params, id, ...(key !== undefined && { key }), resolve, reject };
      this.#waiting.set(name, waiting);
      signal.addEventListener('abort', () => {
        reject(signal.reason);
        this.#forget(name, waiting);
      });
      this.#changed();
    });
  }

  #forget(name: string, waiting: Waiting): void {
    if (this.#waiting.get(name) !== waiting) return;
    this.#waiting.delete(name);
    this.#changed();
  }
}

function keyOf(id: RequestId, key: string | undefined): string {
  return JSON.stringify([idKey(id), key ?? null]);
}

function refusalOf({ error }: Extract<QuestionAnswer, { error: unknown }>): ErrorResponse {
  return new ErrorResponse(error.code, error.message);
}

/** Returns JSON text without line breaks between tokens, since a message is one line. */
function oneLine(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new ConnectionError({
      code: 'result-not-json',
      message: `The answer is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      advice: 'Correct it, or use Raw to send bytes that are not JSON.',
    });
  }
  return text.replace(/[\r\n]/g, ' ');
}

const NOT_WAITING = {
  code: 'not-waiting',
  message: 'This question is no longer open: it was answered or cancelled.',
  advice: 'See the message log for what happened to it.',
};
