import { useCallback, useSyncExternalStore } from 'react';

/** The used part of a Storage. Every call may throw. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'draft:';

/**
 * The user's input by key, in memory and in the tab's storage, so that it survives a reload. Without storage, only the
 * reload loses it.
 */
export class Drafts {
  readonly #storage: () => DraftStorage;
  readonly #values = new Map<string, unknown>();
  readonly #listeners = new Set<() => void>();

  /** `storage` is called each time, since even reading the property may throw. */
  constructor(storage: () => DraftStorage) {
    this.#storage = storage;
  }

  /** Returns the draft, or undefined. The value stays the same object until it is set. */
  get(key: string): unknown {
    if (!this.#values.has(key)) this.#values.set(key, this.#read(key));
    return this.#values.get(key);
  }

  /** Sets a JSON value; undefined deletes the draft. */
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
      // An older text must not come back after a reload if the new one doesn't fit.
      storage.removeItem(PREFIX + key);
      if (value !== undefined) storage.setItem(PREFIX + key, JSON.stringify(value));
    } catch {
      // Storage is full or forbidden, so the draft stays in memory only.
    }
  }
}

const tabDrafts = new Drafts(() => window.sessionStorage);

/**
 * State that survives unmounting and reloads of this tab, shared by all components that use the key. Values are JSON. A
 * key whose values change their type needs a new name. Not for secrets.
 */
export function useDraft<T>(key: string, initial: T): [T, (next: T | ((current: T) => T)) => void] {
  const stored = useSyncExternalStore(
    tabDrafts.subscribe,
    () => tabDrafts.get(key) as T | undefined,
    () => undefined,
  );
  const set = useCallback(
    (next: T | ((current: T) => T)) => {
      const held = tabDrafts.get(key) as T | undefined;
      const current = held === undefined ? initial : held;
      tabDrafts.set(key, typeof next === 'function' ? (next as (current: T) => T)(current) : next);
    },
    [key, initial],
  );
  return [stored === undefined ? initial : stored, set];
}

/** A setting that this browser keeps as text. Without storage, it lasts only until a reload. */
export class StoredSetting<T> {
  readonly #key: string;
  readonly #read: (text: string | null) => T;
  readonly #write: (value: T) => string;
  readonly #listeners = new Set<() => void>();
  #value: { readonly value: T } | undefined;

  /** `read` takes null if nothing is stored. */
  constructor(key: string, read: (text: string | null) => T, write: (value: T) => string) {
    this.#key = key;
    this.#read = read;
    this.#write = write;
  }

  readonly get = (): T => {
    this.#value ??= { value: this.#read(this.#stored()) };
    return this.#value.value;
  };

  readonly set = (value: T): void => {
    this.#value = { value };
    try {
      window.localStorage.setItem(this.#key, this.#write(value));
    } catch {
      // Storage is unavailable, so the setting lasts only until a reload.
    }
    for (const listener of [...this.#listeners]) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #stored(): string | null {
    try {
      return window.localStorage.getItem(this.#key);
    } catch {
      return null;
    }
  }
}

/** Returns a setting with a few possible words. The first one is the default. */
export function storedChoice<T extends string>(key: string, words: readonly [T, ...T[]]): StoredSetting<T> {
  return new StoredSetting(key, (text) => words.find((word) => word === text) ?? words[0], String);
}

/** Returns the value of a setting and a function to change it. */
export function useStoredSetting<T>(setting: StoredSetting<T>, onServer: T): [T, (value: T) => void] {
  return [useSyncExternalStore(setting.subscribe, setting.get, () => onServer), setting.set];
}
