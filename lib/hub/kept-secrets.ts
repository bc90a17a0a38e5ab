import { ConnectionError, type MaskedFields } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** What is masked in a live connection's newest http frames, for the person who asks. In memory only, and bounded. */
export class KeptSecrets {
  readonly #frames = new Map<number, MaskedFields>();
  #characters = 0;
  #over = false;

  keep(seq: number, fields: MaskedFields): void {
    if (this.#over) return;
    this.#frames.set(seq, fields);
    this.#characters += lengthOf(fields);
    for (const [oldest, dropped] of this.#frames) {
      if (this.#frames.size <= LIMITS.revealFrames && this.#characters <= LIMITS.revealCharacters) break;
      this.#frames.delete(oldest);
      this.#characters -= lengthOf(dropped);
    }
  }

  /** Throws ConnectionError `not-kept`. */
  get(seq: number, field: number | 'url'): string {
    const found = this.#frames.get(seq)?.find(([place]) => place === field);
    if (!found) throw new ConnectionError(NOT_KEPT);
    return found[1];
  }

  /** The connection is over: everything goes, and nothing is kept any more. */
  forget(): void {
    this.#over = true;
    this.#frames.clear();
    this.#characters = 0;
  }
}

/** What is masked is not to be had any more. */
export const NOT_KEPT: Failure = {
  code: 'not-kept',
  message:
    'This value is not kept: mcp-inspect keeps what you gave, the session and cookies, while the connection lives.',
  advice: 'Restart the connection, then look at a newer request.',
};

function lengthOf(fields: MaskedFields): number {
  return fields.reduce((sum, [, value]) => sum + value.length, 0);
}
