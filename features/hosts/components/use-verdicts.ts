import { useMemo } from 'react';
import type { HostVerdict } from '@/features/host-judge';
import { useFrameBytes, useLogState } from '@/lib/hooks/log';
import { Watched, watchedBy } from '@/lib/hooks/watched';
import type { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import { SESSION_HOSTS } from '../lib/hosts';
import { judgeHosts } from '../lib/judge-hosts';

/** Milliseconds from a change of the log to the next verdicts. */
const REFRESH_MS = 500;
/** A log that takes long to judge is judged less often: at most a tenth of the time. */
const REST = 10;

const NONE: readonly number[] = [];

class Verdicts extends Watched<readonly HostVerdict[] | undefined> {
  #tookMs = 0;

  constructor(log: Log) {
    super(log, undefined);
  }

  protected restMs(): number {
    return Math.max(REFRESH_MS, this.#tookMs * REST);
  }

  protected derive(): void {
    const from = systemClock.now();
    const verdicts = judgeHosts(this.log, SESSION_HOSTS, new Date());
    this.#tookMs = systemClock.now() - from;
    this.set(verdicts);
  }
}

const useWatchedVerdicts = watchedBy(Verdicts);

/** Returns the verdict on each host, undefined until the log is judged. Renders again after the log changed. */
export function useVerdicts(log: Log): readonly HostVerdict[] | undefined {
  // A long log may have dropped the bytes of its handshake.
  const handshake = useLogState(log, ({ server }) => server.seq);
  useFrameBytes(
    log,
    useMemo(() => (handshake === undefined ? NONE : [handshake]), [handshake]),
  );
  return useWatchedVerdicts(log);
}
