import { useSyncExternalStore } from 'react';
import type { Log } from '@/lib/store/log';

/** Something small about a log that components apart from each other know of, while the page lives. */
export interface SharedByLog<T> {
  readonly use: (log: Log) => T;
  readonly get: (log: Log) => T;
  readonly set: (log: Log, value: T) => void;
}

/** Makes one, which is `initial` for every log. */
export function sharedByLog<T>(initial: T): SharedByLog<T> {
  const values = new WeakMap<Log, { readonly value: T }>();
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = (log: Log) => {
    const known = values.get(log);
    return known ? known.value : initial;
  };
  return {
    use: (log) =>
      useSyncExternalStore(
        subscribe,
        () => get(log),
        () => initial,
      ),
    get,
    set: (log, value) => {
      values.set(log, { value });
      for (const listener of [...listeners]) listener();
    },
  };
}
