/** Where one client is in a recording: of things that are alike, which one is next. */
export class Playhead<T> {
  readonly #next = new Map<readonly T[], number>();

  /** The next of these, in order; after the last one, the last again. Never of none. */
  take(items: readonly T[]): { readonly item: T; readonly again: boolean } {
    const at = this.#next.get(items) ?? 0;
    this.#next.set(items, at + 1);
    return { item: items[Math.min(at, items.length - 1)]!, again: at >= items.length };
  }

  /** Begins anew. */
  rewind(): void {
    this.#next.clear();
  }
}
