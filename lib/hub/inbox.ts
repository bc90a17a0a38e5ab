import { idKey, type RequestId } from '@/lib/json/value';
import { type ClientHandler, type ClientHandlers, ErrorResponse, type HandlerContext } from '@/lib/mcp/answering';
import { ConnectionError } from '@/lib/transports/transport';
import type { QuestionAnswer } from '@/lib/wire/command';
import type { ClientFeature, Root } from '@/lib/wire/connection-settings';

interface Waiting {
  readonly resolve: (result: string) => void;
  readonly reject: (error: unknown) => void;
}

/** What one server asks of a person, until it is answered, and of us for them. */
export class Inbox {
  /** Only for what the server may ask. */
  readonly handlers: ClientHandlers;
  /** By who asks: under one id, one waits at a time. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #changed: () => void;
  #roots: readonly Root[] = [];

  /** `changed` is called when another number waits. */
  constructor(features: readonly ClientFeature[], changed: () => void) {
    this.#changed = changed;
    const person: ClientHandler = (_params, asking) => this.#ask(asking);
    const elicits = features.includes('elicitation') || features.includes('elicitation-url');
    this.handlers = new Map<string, ClientHandler>([
      ...(elicits ? [['elicitation/create', person] as const] : []),
      ...(features.includes('sampling') ? [['sampling/createMessage', person] as const] : []),
      ...(features.includes('roots') ? [['roots/list', () => JSON.stringify({ roots: this.#roots })] as const] : []),
    ]);
  }

  /** How many questions wait for a person. */
  get size(): number {
    return this.#waiting.size;
  }

  get roots(): readonly Root[] {
    return this.#roots;
  }

  /** From now on `roots/list` is answered with these. */
  setRoots(roots: readonly Root[]): void {
    this.#roots = roots;
  }

  /** Answers what waits. Throws ConnectionError `not-waiting` and `result-not-json`. */
  answer(id: RequestId, key: string | undefined, answer: QuestionAnswer): void {
    const waiting = this.#waiting.get(keyOf(id, key));
    if (waiting === undefined) throw new ConnectionError(NOT_WAITING);
    if ('error' in answer) waiting.reject(new ErrorResponse(answer.error.code, answer.error.message));
    else waiting.resolve(oneLine(answer.result));
    this.#forget(keyOf(id, key), waiting);
  }

  #ask({ id, key, signal }: HandlerContext): Promise<string> {
    const name = keyOf(id, key);
    return new Promise<string>((resolve, reject) => {
      // A request and its withdrawal may come in one piece.
      signal.throwIfAborted();
      const waiting = { resolve, reject };
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

/** JSON text without the line breaks between its tokens, since a message is one line. */
function oneLine(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new ConnectionError({
      code: 'result-not-json',
      message: `The answer is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      advice: 'Correct it, or use Raw to send bytes that are no JSON.',
    });
  }
  return text.replace(/[\r\n]/g, ' ');
}

const NOT_WAITING = {
  code: 'not-waiting',
  message: 'Nobody waits for this answer any more: it was given, or is not wanted now.',
  advice: 'See in the message log what became of the question.',
};
