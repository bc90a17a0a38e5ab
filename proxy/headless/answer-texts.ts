import { outcomeOf } from '@/lib/mcp/outcome';
import { members } from '@/lib/wire/json-text';
import { idKey, isObject, own, type RequestId, type RpcError } from '@/lib/wire/message';
import { jsonOf } from './json-of';

/** Catches the lines that answer certain requests: parsing loses what exact output must keep. */
export class AnswerTexts {
  readonly #waiting = new Map<string, (line: string) => void>();
  /** Sees each line with answers until everything is answered. */
  #whole: ((line: string, messages: readonly unknown[]) => void) | undefined;

  /** Resolves with the first line from now on that answers `id`; a batch that holds the answer counts. Never rejects. */
  next(id: RequestId): Promise<string> {
    return new Promise((resolve) => this.#waiting.set(idKey(id), resolve));
  }

  /**
   * Calls `onLine` with each line from now on that answers one of `ids`, and resolves when all are answered: at once
   * for none. An error without an id answers all of them, since servers refuse a whole message so. Never rejects.
   */
  all(ids: readonly RequestId[], onLine: (line: string) => void): Promise<void> {
    const open = new Set(ids.map(idKey));
    if (open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whole = (line, messages) => {
        const answers = messages.filter(isAnswer).filter(({ id }) => open.delete(idKey(id)));
        const refused = messages.some(isNamelessError);
        if (answers.length > 0 || refused) onLine(line);
        if (open.size > 0 && !refused) return;
        this.#whole = undefined;
        resolve();
      };
    });
  }

  /** Takes a line of the server's. Never throws. */
  see(line: string): void {
    if (this.#waiting.size === 0 && !this.#whole) return;
    const messages = messagesIn(line);
    this.#whole?.(line, messages);
    for (const message of messages) {
      const key = isAnswer(message) ? idKey(message.id) : undefined;
      if (key === undefined) continue;
      this.#waiting.get(key)?.(line);
      this.#waiting.delete(key);
    }
  }
}

/** The messages of a line: several in a batch, none if it is no JSON. */
export function messagesIn(line: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(line);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return [];
  }
}

/** True for responses, as the engine tells them. */
export function isAnswer(message: unknown): message is { readonly id: RequestId } {
  if (!isObject(message) || typeof own(message, 'method') === 'string') return false;
  const id = own(message, 'id');
  return (typeof id === 'string' || typeof id === 'number') && outcomeOf(message) !== undefined;
}

/** True for an error that names no request: of a text that was not understood, or of a batch that was refused. */
function isNamelessError(message: unknown): boolean {
  return isObject(message) && own(message, 'id') == null && isObject(own(message, 'error'));
}

/** A protocol error in one sentence. */
export function errorSentence({ code, message, data }: RpcError): string {
  return `The server answered with error ${code}: ${message}${data === undefined ? '' : ` ${jsonOf(data)}`}`;
}

/** The text of a response's `result` as the server wrote it. In a batch, which nobody asked for, it is written anew. */
export function resultText(line: string, result: unknown): string {
  if (line.trimStart().startsWith('[')) return jsonOf(result);
  const member = members(line).findLast(({ key }) => key === 'result');
  return member === undefined ? jsonOf(result) : line.slice(member.start, member.end);
}
