/** Fewest deletions after which a map is copied. */
const DELETIONS = 1024;

/**
 * A map whose entries come and go. V8 gives such a `Map` a new table after a few changes, and the old one keeps a link
 * to it. Once one table is in the old generation, so are all later ones: hundreds of megabytes of garbage after a
 * million requests. A copy now and then ends the chain.
 */
export class PassingMap<Key, Value> {
  #map = new Map<Key, Value>();
  #deletions = 0;

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  has(key: Key): boolean {
    return this.#map.has(key);
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value);
  }

  delete(key: Key): void {
    if (!this.#map.delete(key)) return;
    if (++this.#deletions < Math.max(DELETIONS, this.#map.size)) return;
    this.#map = new Map(this.#map);
    this.#deletions = 0;
  }

  /** Lists the keys in the order in which they came. */
  keys(): Iterable<Key> {
    return this.#map.keys();
  }
}
