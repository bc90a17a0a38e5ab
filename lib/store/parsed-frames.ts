import type { JsonSource } from '@/lib/wire/json-source';
import { LIMITS } from '@/lib/wire/limits';

/** Frames that were parsed lately, by index: a bounded number of them, and of characters, but always the newest. */
export class ParsedFrames {
  readonly #frames = new Map<number, JsonSource | undefined>();
  #characters = 0;

  /** The frame at `index`, read only if it isn't here; undefined if it is not JSON. */
  get(index: number, read: () => JsonSource | undefined): JsonSource | undefined {
    if (this.#frames.has(index)) return this.#frames.get(index);
    const source = read();
    this.keep(index, source);
    return source;
  }

  /** Takes the frame at `index`, which somebody else has parsed. */
  keep(index: number, source: JsonSource | undefined): void {
    this.#frames.set(index, source);
    this.#characters += source?.length ?? 0;
    for (const [oldest, dropped] of this.#frames) {
      const fits = this.#frames.size <= LIMITS.parsedMessages && this.#characters <= LIMITS.parsedCharacters;
      if (fits || oldest === index) break;
      this.#frames.delete(oldest);
      this.#characters -= dropped?.length ?? 0;
    }
  }
}
