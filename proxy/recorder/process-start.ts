import { readFileSync } from 'node:fs';

/** Of /proc: clock ticks a second, the same on every system that Node runs on. */
const TICKS = 100;

/**
 * When a process of this system started, in ms since 1970, to about a second; undefined for one that is not there, and where the
 * system does not tell in a file. Numbers of processes are given anew, and in a container each run has the same.
 */
export function processStart(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, boot] = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
    // The second field is a name, which may have anything in it, and ends at the last parenthesis.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const start = Number(boot) * 1000 + (Number(ticks) * 1000) / TICKS;
    return Number.isFinite(start) ? start : undefined;
  } catch {
    return undefined;
  }
}
