import { LIMITS } from '@/lib/wire/limits';

/** What is used of this tab's storage; every call may throw where the user forbids storage. */
type TabStorage = Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'mcp-inspect.settled-recordings';

/** Keys of recordings of which it is settled whether they begin: over reloads, and gone with the tab. Of very many the newest. */
export class SettledKeys {
  readonly #storage: () => TabStorage;
  readonly #keys: Set<string>;

  constructor(storage: () => TabStorage) {
    this.#storage = storage;
    this.#keys = new Set(read(storage));
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Where nothing can be stored it is so until the next reload. */
  add(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    try {
      this.#storage().setItem(KEY, JSON.stringify([...this.#keys].slice(-LIMITS.pageRecordings)));
    } catch {
      // Then the proxy still knows those that it records.
    }
  }
}

function read(storage: () => TabStorage): readonly string[] {
  try {
    const held: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
    return Array.isArray(held) ? held.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}
