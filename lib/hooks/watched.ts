import { useMemo, useSyncExternalStore } from 'react';
import type { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';

/** A value derived from a log while somebody watches it. It follows a while after the log changed. */
export abstract class Watched<T> {
  protected readonly log: Log;
  readonly #listeners = new Set<() => void>();
  #value: T;
  #leave = () => {};
  #cancel: (() => void) | undefined;

  constructor(log: Log, value: T) {
    this.log = log;
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#leave = this.log.subscribe(() => this.wake(this.restMs()));
      // The log may have changed while nobody watched.
      this.wake(0);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#leave();
      this.#cancel?.();
      this.#cancel = undefined;
    };
  };

  /** Milliseconds from a change of the log to the next `derive`. */
  protected abstract restMs(): number;

  /** Derives a value and sets it, or wakes itself again. */
  protected abstract derive(): void;

  /** Derives after this many milliseconds, unless that is about to happen anyway. */
  protected wake(afterMs: number): void {
    this.#cancel ??= systemClock.after(afterMs, () => {
      this.#cancel = undefined;
      this.derive();
    });
  }

  protected set(value: T): void {
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Returns a hook with what `Derived` derives from a log: one for each log, however many components watch. */
export function watchedBy<T>(Derived: new (log: Log) => Watched<T>): (log: Log) => T {
  const ofLogs = new WeakMap<Log, Watched<T>>();
  return function useWatched(log) {
    const watched = useMemo(() => {
      const known = ofLogs.get(log) ?? new Derived(log);
      ofLogs.set(log, known);
      return known;
    }, [log]);
    return useSyncExternalStore(watched.subscribe, watched.get, watched.get);
  };
}
