import type { Asked } from './asked';

/** Requests that are answered even if the client says nothing any more. */
export class Debts {
  readonly #open = new Set<Asked>();
  #onPaid: (() => void) | undefined;

  add(asked: Asked): void {
    this.#open.add(asked);
  }

  /** It was answered, or waits for the client. */
  paid(asked: Asked): void {
    this.#open.delete(asked);
    if (this.#open.size === 0) this.#onPaid?.();
  }

  /** Resolves once there is none. */
  async allPaid(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onPaid = resolve;
    });
  }
}
