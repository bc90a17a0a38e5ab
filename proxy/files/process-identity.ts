import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies the namespace in which our process ids are valid, as six hexadecimal digits: this machine since it booted,
 * and its PID namespace. Containers on one volume and machines with a network home share a folder, but not process ids.
 */
export const PID_NAMESPACE = createHash('sha256')
  .update(
    `${hostname()}\n${textOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))}\n${textOrEmpty(ownNamespace)}`,
  )
  .digest('hex')
  .slice(0, 6);

/** Returns true if `/proc` shows the processes of our namespace, under their ids here. */
function isProcUsable(): boolean {
  return textOrEmpty(() => readlinkSync('/proc/self')) === String(process.pid);
}

function ownNamespace(): string {
  return readlinkSync('/proc/self/ns/pid');
}

/** Returns '' where the system can't answer. */
function textOrEmpty(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}

/** The facts that `/proc` gives about a process. */
interface ProcessStat {
  /** False for a zombie. */
  readonly lives: boolean;
  readonly group: number;
  /** When it started, in clock ticks since boot. With its id, that identifies it even if ids are used again. */
  readonly start: number;
}

/** Returns undefined if the process does not exist, or on systems without `/proc`. */
export function processStat(pid: number): ProcessStat | undefined {
  if (!isProcUsable()) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name. It can contain anything and ends at the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { lives: !/[ZX]/.test(fields[0]!), group: Number(fields[2]), start: Number(fields[19]) };
  } catch {
    return undefined;
  }
}

/** Returns whether a process has this file open; undefined if the system can't tell, or may not tell us. */
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

/** Returns whether a process runs as this user. True where the system can’t tell. */
export function isOwnProcess(pid: number): boolean {
  if (!isProcUsable()) return true;
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** Returns true if a process runs, even a process of another user, which we may not signal. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
