import { canonicalJson } from '@/lib/session/canonical-json';
import type { ServerQuestion } from '@/lib/session/recorded-session';
import { whenAborted } from './when-aborted';

/** What was asked of the client, under ids of our own, and still waits. */
export class Questions {
  readonly #open = new Map<string, () => void>();
  /** By the id that a question had when it was recorded: the one that it has now. */
  readonly #ids = new Map<string, string>();
  #last = 0;
  #closed = false;

  /** Gives a question an id. `answered` resolves when the client has answered, or never will. */
  ask({ id }: ServerQuestion, signal: AbortSignal): { readonly id: string; readonly answered: Promise<void> } {
    const ours = String(++this.#last);
    this.#ids.set(canonicalJson(id), ours);
    const answered = new Promise<void>((resolve) => {
      const done = (): void => {
        this.#open.delete(canonicalJson(ours));
        forget();
        resolve();
      };
      this.#open.set(canonicalJson(ours), done);
      let forget = (): void => {};
      forget = whenAborted(signal, done);
      if (this.#closed) done();
    });
    return { id: ours, answered };
  }

  /** The client answered; false if nothing waited under this id. */
  answered(id: string): boolean {
    const done = this.#open.get(canonicalJson(id));
    done?.();
    return done !== undefined;
  }

  /** The client says nothing any more: no question waits, now or later. */
  close(): void {
    this.#closed = true;
    for (const done of [...this.#open.values()]) done();
  }

  /** The present id of a question that the recording calls `id`. */
  idOf(id: string): string | undefined {
    return this.#ids.get(canonicalJson(id));
  }
}
