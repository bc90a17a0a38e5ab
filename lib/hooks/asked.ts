import { useSyncExternalStore } from 'react';

/** Something that one part of the page asks of another, far from it. */
export interface PageRequest<T> {
  /** Asks for something; undefined ends it. */
  readonly ask: (wish: T | undefined) => void;
  /** Returns what was asked for; undefined for nothing. */
  readonly use: () => T | undefined;
}

/** Makes a place where a part of the page asks for one thing at a time. */
export function newAsked<T>(): PageRequest<T> {
  let asked: T | undefined;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    ask(wish) {
      asked = wish;
      for (const listener of [...listeners]) listener();
    },
    use: () =>
      useSyncExternalStore(
        subscribe,
        () => asked,
        () => undefined,
      ),
  };
}
