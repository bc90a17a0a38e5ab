import { readdirSync } from 'node:fs';
import { processStat } from '@/proxy/files/process-identity';

/** The processes of one server: the one we started and its descendants. */
export interface ProcessTree {
  /** Returns false once all processes are known to be gone, and never true again after that. */
  isAlive(): boolean;
  /** Signals the whole tree. Does nothing once it is gone. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Call this in the `exit` event of the process we started. Its pid may be reused from then on. */
  onLeaderExit(): void;
}

/** `process.kill`, or a replacement that throws like it. */
type Kill = (pid: number, signal: NodeJS.Signals | 0) => void;

/**
 * A POSIX process group, led by a process that was started with `detached`.
 *
 * It never signals a foreign group. The pid can't be reused before Node reports the leader's exit. After that, the
 * number stays taken while a member lives. The group is checked at the exit and then every few milliseconds, and the
 * first "no such group" is final. Between two checks the system would have to use up all other pids to reuse this one.
 *
 * A descendant with its own session (`setsid`) has left the group and is not reached.
 */
export class ProcessGroup implements ProcessTree {
  readonly #pid: number;
  readonly #kill: Kill;
  readonly #hasMembers: (group: number) => boolean;
  #leaderLives = true;
  #gone = false;

  constructor(pid: number, kill: Kill = process.kill, hasMembers = hasLiveMembers) {
    // kill(-1) would signal all processes of the user, kill(0) our own group.
    if (!Number.isSafeInteger(pid) || pid <= 1) throw new RangeError(`no process group: ${pid}`);
    this.#pid = pid;
    this.#kill = kill;
    this.#hasMembers = hasMembers;
  }

  isAlive(): boolean {
    if (this.#gone) return false;
    if (this.#leaderLives) return true;
    if (!this.#send(0) || !this.#hasMembers(this.#pid)) this.#gone = true;
    return !this.#gone;
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.isAlive()) this.#send(signal);
  }

  onLeaderExit(): void {
    this.#leaderLives = false;
    this.isAlive();
  }

  #send(signal: NodeJS.Signals | 0): boolean {
    try {
      this.#kill(-this.#pid, signal);
      return true;
    } catch {
      // ESRCH: no such group. EPERM: we may not signal it, so it is not ours.
      return false;
    }
  }
}

/**
 * True if the group has a member that is not a zombie. In containers without an init, nobody reaps orphans, and zombies
 * would make a dead group look alive forever. Without /proc it returns true, because the caller has checked with
 * kill().
 */
function hasLiveMembers(group: number): boolean {
  if (process.platform !== 'linux') return true;
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return true;
  }
  return entries.some((entry) => {
    const stat = /^\d+$/.test(entry) ? processStat(Number(entry)) : undefined;
    return stat?.group === group && stat.lives;
  });
}

/**
 * A process tree on Windows, which has no groups and no signals: `taskkill /T` walks from the process we started to its
 * children. Once that process is gone, its remaining children can't be reached.
 */
export class WindowsTree implements ProcessTree {
  readonly #taskkill: (args: readonly string[]) => void;
  #lives = true;

  /** `taskkill`: runs taskkill.exe on our process with these extra arguments. */
  constructor(taskkill: (args: readonly string[]) => void) {
    this.#taskkill = taskkill;
  }

  isAlive(): boolean {
    return this.#lives;
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#lives) this.#taskkill(signal === 'SIGKILL' ? ['/T', '/F'] : ['/T']);
  }

  onLeaderExit(): void {
    this.#lives = false;
  }
}
