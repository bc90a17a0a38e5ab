import { useMemo, useSyncExternalStore } from 'react';
import { type HostReader, hostReader } from '@/lib/host/host-reader';
import { type HostView, hostView } from '@/lib/host/host-view';
import type { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';

/** Milliseconds of reading at a time: half a frame at 60 Hz. */
const SLICE_MS = 8;
/** Milliseconds between two views of a session that goes on. Sorting thousands of tools takes some. */
const REFRESH_MS = 250;

/** How a host uses a server, as far as the log is read. */
export interface SeenHost {
  readonly reader: HostReader;
  /** Undefined until the log is read. */
  readonly view: HostView | undefined;
  /** How far it is read, in frames. */
  readonly progress: { readonly done: number; readonly of: number };
}

/** Reads a log while somebody looks at it, in slices, and builds the view at most a few times a second. */
class HostFeed {
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  #seen: SeenHost;
  #version = -1;
  #state: Log['state'] | undefined;
  #leave = () => {};
  #cancel: (() => void) | undefined;

  constructor(log: Log) {
    this.#log = log;
    const reader = hostReader(log);
    this.#seen = { reader, view: undefined, progress: reader.progress };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#leave = this.#log.subscribe(() => this.#wake(REFRESH_MS));
      this.#wake(0);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#leave();
      this.#cancel?.();
      this.#cancel = undefined;
    };
  };

  readonly seen = (): SeenHost => this.#seen;

  #wake(afterMs: number): void {
    this.#cancel ??= systemClock.after(this.#seen.view ? afterMs : 0, () => {
      this.#cancel = undefined;
      this.#read();
    });
  }

  #read(): void {
    const { reader } = this.#seen;
    const until = systemClock.now() + SLICE_MS;
    const state = reader.read(() => systemClock.now() >= until);
    if (state === 'behind') this.#wake(0);
    // Frames that were asked for arrive as a change of the log.
    if (state !== 'done' && this.#seen.view) return;
    if (state !== 'done') this.#set({ reader, view: undefined, progress: reader.progress });
    else if (reader.version !== this.#version || this.#log.state !== this.#state) {
      this.#version = reader.version;
      this.#state = this.#log.state;
      this.#set({ reader, view: hostView(this.#log, reader), progress: reader.progress });
    }
  }

  #set(seen: SeenHost): void {
    this.#seen = seen;
    for (const listener of [...this.#listeners]) listener();
  }
}

const FEEDS = new WeakMap<Log, HostFeed>();

/** Returns how the host of a session uses the server. Renders again when that changes, a few times a second. */
export function useHost(log: Log): SeenHost {
  const feed = useMemo(() => {
    const known = FEEDS.get(log) ?? new HostFeed(log);
    FEEDS.set(log, known);
    return known;
  }, [log]);
  return useSyncExternalStore(feed.subscribe, feed.seen, feed.seen);
}
