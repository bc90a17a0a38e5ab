import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';

/**
 * Writes messages in order, and an answer not right behind what was told before it: clients that read both in one piece, as the
 * official SDK's, handle the answer first, and have forgotten the call when its progress is handled.
 */
export class ApartWriter {
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  /** Those that have to wait for the first of them. */
  readonly #waiting: { readonly text: string; readonly isAnswer: boolean }[] = [];
  #toldAt = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;
  #onFlushed: (() => void)[] = [];

  constructor(clock: Clock, write: (text: string) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  tell(text: string): void {
    this.#add(text, false);
  }

  answer(text: string): void {
    this.#add(text, true);
  }

  /** Resolves once all is written. */
  async flushed(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => this.#onFlushed.push(resolve));
  }

  /** Writes nothing any more. */
  end(): void {
    this.#callOff?.();
    this.#waiting.length = 0;
  }

  #add(text: string, isAnswer: boolean): void {
    this.#waiting.push({ text, isAnswer });
    if (!this.#callOff) this.#pump();
  }

  #pump(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const left = this.#toldAt + LIMITS.replayApartMs - this.#clock.now();
      if (next.isAnswer && left > 0) {
        this.#callOff = this.#clock.after(left, () => {
          this.#callOff = undefined;
          this.#toldAt = Number.NEGATIVE_INFINITY;
          this.#pump();
        });
        return;
      }
      this.#waiting.shift();
      this.#write(next.text);
      if (!next.isAnswer) this.#toldAt = this.#clock.now();
    }
    for (const resolve of this.#onFlushed.splice(0)) resolve();
  }
}
