import { Watched, watchedBy } from '@/lib/hooks/watched';
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

/** Reads a log in slices, and builds the view at most a few times a second. */
class WatchedHost extends Watched<SeenHost> {
  #version = -1;
  #state: Log['state'] | undefined;

  constructor(log: Log) {
    const reader = hostReader(log);
    super(log, { reader, view: undefined, progress: reader.progress });
  }

  protected restMs(): number {
    return this.get().view ? REFRESH_MS : 0;
  }

  protected derive(): void {
    const { reader, view } = this.get();
    const until = systemClock.now() + SLICE_MS;
    const state = reader.read(() => systemClock.now() >= until);
    if (state === 'behind') this.wake(0);
    // Frames that were asked for arrive as a change of the log.
    if (state !== 'done' && view) return;
    if (state !== 'done') this.set({ reader, view: undefined, progress: reader.progress });
    else if (reader.version !== this.#version || this.log.state !== this.#state) {
      this.#version = reader.version;
      this.#state = this.log.state;
      this.set({ reader, view: hostView(this.log, reader), progress: reader.progress });
    }
  }
}

/** Returns how the host of a session uses the server. Renders again when that changes, a few times a second. */
export const useHost = watchedBy(WatchedHost);
