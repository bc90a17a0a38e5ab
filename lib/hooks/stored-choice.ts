import { useSyncExternalStore } from 'react';

/** One of a few words, chosen by the user and kept in this browser. Storage that is forbidden costs only the reload. */
export class StoredChoice<T extends string> {
  readonly #key: string;
  readonly #words: readonly [T, ...T[]];
  readonly #listeners = new Set<() => void>();
  #chosen: T | undefined;

  /** The first of `words` is what holds until something is chosen. */
  constructor(key: string, words: readonly [T, ...T[]]) {
    this.#key = key;
    this.#words = words;
  }

  readonly get = (): T => {
    this.#chosen ??= this.#words.find((word) => word === this.#read()) ?? this.#words[0];
    return this.#chosen;
  };

  readonly set = (chosen: T): void => {
    this.#chosen = chosen;
    try {
      window.localStorage.setItem(this.#key, chosen);
    } catch {
      // It lasts until the reload.
    }
    for (const listener of [...this.#listeners]) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #read(): string | null {
    try {
      return window.localStorage.getItem(this.#key);
    } catch {
      return null;
    }
  }
}

/** What is chosen, and how to choose. */
export function useStoredChoice<T extends string>(choice: StoredChoice<T>, onServer: T): [T, (chosen: T) => void] {
  return [useSyncExternalStore(choice.subscribe, choice.get, () => onServer), choice.set];
}
