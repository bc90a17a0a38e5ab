import { canonicalJson } from '@/lib/session/canonical-json';
import type { ReadMessage } from '@/lib/session/read-messages';
import { whenAborted } from './when-aborted';

/** undefined: there will be none. */
type Answer = ReadMessage | undefined;

/** What was asked of the client, under ids of our own, and still waits. */
export class Questions {
  readonly #open = new Map<string, (answer?: ReadMessage) => void>();
  /** By the id that a question had when it was recorded: the one that it has now. */
  readonly #ids = new Map<string, string>();
  #last = 0;
  #closed = false;

  /** Gives a question an id; `recorded`, if it had one. `answered` resolves with what the client answered, or when it never will. */
  ask(signal: AbortSignal, recorded?: string): { readonly id: string; readonly answered: Promise<Answer> } {
    const ours = String(++this.#last);
    if (recorded !== undefined) this.#ids.set(canonicalJson(recorded), ours);
    const answered = new Promise<Answer>((resolve) => {
      const done = (answer?: ReadMessage): void => {
        this.#open.delete(canonicalJson(ours));
        forget();
        resolve(answer);
      };
      this.#open.set(canonicalJson(ours), done);
      let forget = (): void => {};
      forget = whenAborted(signal, () => done());
      if (this.#closed) done();
    });
    return { id: ours, answered };
  }

  /** The client answered; false if nothing waited under this id. */
  answered(id: string, answer: ReadMessage): boolean {
    const done = this.#open.get(canonicalJson(id));
    done?.(answer);
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
