import { stringEnd } from '@/lib/wire/json-scan';
import { LIMITS } from '@/lib/wire/limits';
import { isObject } from '@/lib/wire/message';
import { parseExact } from './exact-json';
import { USUAL } from './normalise';

/**
 * What a server calls things now that it called otherwise when it was recorded: cursors, ids of sessions and tasks, UUIDs,
 * `requestState`. Learnt from answers, beside each other, and put into what is sent after them.
 */
export class Renaming {
  readonly #names = new Map<string, string>();

  /** Learns from two answers to the same request, as JSON texts. Never throws. */
  learn(recorded: string, live: string): void {
    try {
      this.#walk(parseExact(recorded), parseExact(live), undefined);
    } catch {
      // What is no JSON names nothing.
    }
  }

  /** JSON text with each string that is such a name replaced; what else there is stays as it was written. */
  apply(text: string): string {
    if (this.#names.size === 0) return text;
    let written = '';
    let copied = 0;
    for (let at = text.indexOf('"'); at >= 0; ) {
      const end = stringEnd(text, at);
      if (end < 0) break;
      const name =
        end - at - 2 <= LIMITS.opaqueChars ? this.#names.get(JSON.parse(text.slice(at, end)) as string) : undefined;
      if (name !== undefined) {
        written += text.slice(copied, at) + JSON.stringify(name);
        copied = end;
      }
      at = text.indexOf('"', end);
    }
    return written + text.slice(copied);
  }

  #walk(recorded: unknown, live: unknown, key: string | undefined): void {
    if (typeof recorded === 'string' && typeof live === 'string') this.#strings(recorded, live, key);
    else if (Array.isArray(recorded) && Array.isArray(live)) {
      for (const [at, item] of recorded.entries()) this.#walk(item, live[at], key);
    } else if (isObject(recorded) && isObject(live)) {
      for (const [name, member] of Object.entries(recorded)) {
        if (Object.hasOwn(live, name)) this.#walk(member, live[name], name);
      }
    }
  }

  #strings(recorded: string, live: string, key: string | undefined): void {
    if (recorded === live) return;
    if (/^\s*[{[]/.test(recorded) && /^\s*[{[]/.test(live)) this.learn(recorded, live);
    else if (USUAL.isOpaque(recorded, key) && USUAL.isOpaque(live, key)) this.#name(recorded, live);
    else if (USUAL.text(recorded, key) === USUAL.text(live, key)) {
      const [were, are] = [USUAL.opaqueParts(recorded), USUAL.opaqueParts(live)];
      for (const [at, was] of were.entries()) if (are[at] !== undefined) this.#name(was, are[at]);
    }
  }

  #name(recorded: string, live: string): void {
    if (this.#names.size < LIMITS.rulesMemory) this.#names.set(recorded, live);
  }
}
