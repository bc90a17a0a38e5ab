import { useMemo, useSyncExternalStore } from 'react';
import type { HostVerdict } from '@/features/host-judge';
import { useFrameBytes, useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import { JUDGED_HOSTS } from '../lib/hosts';
import { judgeHosts } from '../lib/judge-hosts';

/** Milliseconds from a change of the log to the next verdicts. */
const REFRESH_MS = 500;
/** A log that takes long to judge is judged less often: at most a tenth of the time. */
const REST = 10;

const HOSTS = JUDGED_HOSTS.map(({ id }) => id);
const NONE: readonly number[] = [];

/** Judges a log while somebody looks at the verdicts, a while after it changed. */
class VerdictFeed {
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  #verdicts: readonly HostVerdict[] | undefined;
  #tookMs = 0;
  #leave = () => {};
  #cancel: (() => void) | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#leave = this.#log.subscribe(() => this.#wake(Math.max(REFRESH_MS, this.#tookMs * REST)));
      // The log may have changed while nobody looked.
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

  readonly verdicts = (): readonly HostVerdict[] | undefined => this.#verdicts;

  #wake(afterMs: number): void {
    this.#cancel ??= systemClock.after(afterMs, () => {
      this.#cancel = undefined;
      const from = systemClock.now();
      this.#verdicts = judgeHosts(this.#log, HOSTS, new Date());
      this.#tookMs = systemClock.now() - from;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}

const FEEDS = new WeakMap<Log, VerdictFeed>();

/** Returns the verdict on each host, undefined until the log is judged. Renders again after the log changed. */
export function useVerdicts(log: Log): readonly HostVerdict[] | undefined {
  const feed = useMemo(() => {
    const known = FEEDS.get(log) ?? new VerdictFeed(log);
    FEEDS.set(log, known);
    return known;
  }, [log]);
  // A long log may have dropped the bytes of its handshake.
  const handshake = useLogState(log, ({ server }) => server.seq);
  useFrameBytes(
    log,
    useMemo(() => (handshake === undefined ? NONE : [handshake]), [handshake]),
  );
  return useSyncExternalStore(feed.subscribe, feed.verdicts, feed.verdicts);
}
