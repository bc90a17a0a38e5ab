/** Where one client is in a recording: of things that are alike, which one is next. A thing may be alike to others in more than one way. */
export class Playhead<T> {
  readonly #next = new Map<readonly T[], number>();
  readonly #taken = new Set<T>();

  /** The next of these that was not taken, in order; after the last one, the last again. Never of none. */
  take(items: readonly T[]): { readonly item: T; readonly again: boolean } {
    let at = this.#next.get(items) ?? 0;
    while (at < items.length && this.#taken.has(items[at]!)) at++;
    this.#next.set(items, at);
    const item = items[Math.min(at, items.length - 1)]!;
    this.#taken.add(item);
    return { item, again: at >= items.length };
  }

  /** Begins anew. */
  rewind(): void {
    this.#next.clear();
    this.#taken.clear();
  }
}
