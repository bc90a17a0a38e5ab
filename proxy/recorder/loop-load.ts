import { performance } from 'node:perf_hooks';

/** Begins to measure; what it returns says which share of the time since then, 0 to 1, this process had something to do. */
export type LoadSince = () => () => number;

/** That of this thread's event loop. */
export const loopLoad: LoadSince = () => {
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).utilization;
};
