/** What is used of a Storage; every call may throw. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'draft:';

/**
 * What the user typed, by key: kept in memory, and in the tab's storage to survive a reload. Storage that is full or forbidden
 * costs only the reload.
 */
export class Drafts {
  readonly #storage: () => DraftStorage;
  readonly #values = new Map<string, unknown>();
  readonly #listeners = new Set<() => void>();

  /** `storage` is asked at each use, since even getting it may throw. */
  constructor(storage: () => DraftStorage) {
    this.#storage = storage;
  }

  /** The draft, or undefined. The same value until it is set. */
  get(key: string): unknown {
    if (!this.#values.has(key)) this.#values.set(key, this.#read(key));
    return this.#values.get(key);
  }

  /** Keeps a value that JSON can hold; undefined forgets the draft. */
  set(key: string, value: unknown): void {
    this.#values.set(key, value);
    this.#write(key, value);
    for (const listener of [...this.#listeners]) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #read(key: string): unknown {
    try {
      const text = this.#storage().getItem(PREFIX + key);
      return text === null ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  #write(key: string, value: unknown): void {
    try {
      const storage = this.#storage();
      // An older text must not come back at the next reload if the new one doesn't fit.
      storage.removeItem(PREFIX + key);
      if (value !== undefined) storage.setItem(PREFIX + key, JSON.stringify(value));
    } catch {
      // It stays in memory.
    }
  }
}
