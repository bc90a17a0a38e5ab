import type { Measure, Measured } from '@/features/check/lib/tool-text';
import { runWithin } from '@/proxy/commands/shared/time-limit';

/**
 * How many times the limit work may take on the clock until it counts as stopped: at first, and when it is repeated,
 * because the machine was busy with something else.
 */
const CLOCK_TIMES = [1.25, 8] as const;

/**
 * Runs work like {@link runWithin}, but `ms` is time on the processor: on a busy machine, the clock says little about
 * the work. It may be run twice, so it must not depend on an earlier run. Throws what the work throws. `usedMs`:
 * milliseconds on the processor so far.
 */
export function runMeasured(ms: number, work: () => void, usedMs = processorMs): Measured {
  for (const times of CLOCK_TIMES) {
    const before = usedMs();
    const isDone = runWithin(Math.ceil(ms * times), work);
    if (usedMs() - before > ms) return 'slow';
    if (isDone) return 'done';
  }
  return 'unknown';
}

/** Milliseconds for all schemas of a server. Thousands of usual ones take less. */
const SCHEMAS_MS = 10_000;

/** Returns what runs work as {@link runMeasured} does, until its time is over: after `leftMs`, or a time for all. */
export function measuresTogether(leftMs = Number.POSITIVE_INFINITY): Measure {
  const end = performance.now() + Math.min(leftMs, SCHEMAS_MS);
  return (ms, work) => (performance.now() < end ? runMeasured(ms, work) : 'skipped');
}

/** Node's time of one thread: since 22.15 and 23.9. */
interface ThreadTimes {
  threadCpuUsage?(): NodeJS.CpuUsage;
}

/** Milliseconds on the processor: of this thread, or of all threads before Node 22.15, which is more, never less. */
function processorMs(): number {
  const { user, system } = (process as ThreadTimes).threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}
