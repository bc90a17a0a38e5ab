import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Where the numbers of processes mean the same as here, as six hexadecimal digits: this machine, since it was started, and of its
 * namespaces of processes this one. A folder may be seen from several (containers on one volume, a home in the network), and in
 * each of them another process has our number, or none.
 */
export const PID_NAMESPACE = createHash('sha256')
  .update(
    `${hostname()}\n${told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))}\n${told(ownNamespace)}`,
  )
  .digest('hex')
  .slice(0, 6);

/** Whether `/proc` has the processes of this space, under the numbers that they have here. */
function isProcUsable(): boolean {
  return told(() => readlinkSync('/proc/self')) === String(process.pid);
}

function ownNamespace(): string {
  return readlinkSync('/proc/self/ns/pid');
}

/** '' where the system does not tell. */
function told(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}

/**
 * What tells a process from all others that had its number: when it started, in clock ticks since the machine did, which no
 * change of the clock changes. undefined for one that is not there, and where the system does not tell in a file.
 */
export function processStart(pid: number): number | undefined {
  if (!isProcUsable()) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name, which may have anything in it, and ends at the last parenthesis.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    return Number.isFinite(ticks) ? ticks : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process has this file open; undefined where the system does not tell, or not us. */
export function hasFileOpen(pid: number, path: string): boolean | undefined {
  if (!isProcUsable()) return undefined;
  try {
    const { dev, ino } = statSync(path);
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const facts = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
      return facts?.ino === ino && facts.dev === dev;
    });
  } catch {
    return undefined;
  }
}

/** A process of another user lives as well, even though it may not be signalled. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
