import { outcomeOf } from '@/lib/mcp/outcome';
import { members } from '@/lib/wire/json-text';
import { idKey, isObject, own, type RequestId } from '@/lib/wire/message';
import { jsonOf } from './json-of';

/** Catches the lines that answer certain requests: parsing loses what exact output must keep. */
export class AnswerTexts {
  readonly #waiting = new Map<string, (line: string) => void>();

  /** Resolves with the first line from now on that answers `id`; a batch that holds the answer counts. Never rejects. */
  next(id: RequestId): Promise<string> {
    return new Promise((resolve) => this.#waiting.set(idKey(id), resolve));
  }

  /** Takes a line of the server's. Never throws. */
  see(line: string): void {
    if (this.#waiting.size === 0) return;
    for (const message of messagesIn(line)) {
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

/** The text of a response's `result` as the server wrote it. In a batch, which nobody asked for, it is written anew. */
export function resultText(line: string, result: unknown): string {
  if (line.trimStart().startsWith('[')) return jsonOf(result);
  const member = members(line).findLast(({ key }) => key === 'result');
  return member === undefined ? jsonOf(result) : line.slice(member.start, member.end);
}
