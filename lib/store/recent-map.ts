import { LIMITS } from '@/lib/wire/limits';

/** A Map of bounded size: what was set longest ago goes first. */
export class RecentMap<K, V> extends Map<K, V> {
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > LIMITS.rulesMemory) this.delete(this.keys().next().value as K);
    return this;
  }
}
