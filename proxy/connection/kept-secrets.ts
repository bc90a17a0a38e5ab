import type { MaskedFields } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';

/** What is masked in a connection's newest http frames, for the person who asks. In memory only, bounded, until forgotten. */
export class KeptSecrets {
  readonly #frames = new Map<number, MaskedFields>();
  #characters = 0;

  keep(seq: number, fields: MaskedFields): void {
    this.#frames.set(seq, fields);
    this.#characters += lengthOf(fields);
    for (const [oldest, dropped] of this.#frames) {
      if (this.#frames.size <= LIMITS.revealFrames && this.#characters <= LIMITS.revealCharacters) break;
      this.#frames.delete(oldest);
      this.#characters -= lengthOf(dropped);
    }
  }

  get(seq: number, field: number | 'url'): string | undefined {
    return this.#frames.get(seq)?.find(([place]) => place === field)?.[1];
  }

  forget(): void {
    this.#frames.clear();
    this.#characters = 0;
  }
}

function lengthOf(fields: MaskedFields): number {
  return fields.reduce((sum, [, value]) => sum + value.length, 0);
}
