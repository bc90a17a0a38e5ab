import { readFileSync } from 'node:fs';
import { isProcOurs } from './pid-space';

/**
 * What tells a process from all others that had its number: when it started, in clock ticks since the machine did, which no
 * change of the clock changes. undefined for one that is not there, and where the system does not tell in a file.
 */
export function processStart(pid: number): number | undefined {
  if (!isProcOurs()) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name, which may have anything in it, and ends at the last parenthesis.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    return Number.isFinite(ticks) ? ticks : undefined;
  } catch {
    return undefined;
  }
}
