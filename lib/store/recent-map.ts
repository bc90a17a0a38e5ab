import { LIMITS } from '@/lib/wire/limits';

/** A Map of bounded size: what was set longest ago goes first. */
export class RecentMap<K, V> extends Map<K, V> {
  /** Goes on from what was dropped last: from the beginning it would step over all that was deleted before. */
  #oldest: Iterator<K> | undefined;

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > LIMITS.rulesMemory) {
      this.#oldest ??= this.keys();
      this.delete(this.#oldest.next().value as K);
    }
    return this;
  }
}
