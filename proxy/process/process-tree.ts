import { readdirSync, readFileSync } from 'node:fs';

/** The processes that one server consists of: the one we started and what that started. */
export interface ProcessTree {
  /** False once everything in the tree is known to be gone; never true again after that. */
  isAlive(): boolean;
  /** Signals the whole tree; does nothing once it is gone. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** To be called in the very `exit` event of the process we started: from then on its pid is no longer ours by itself. */
  leaderExited(): void;
}

/** Like `process.kill`, and throwing as it does. */
type Kill = (pid: number, signal: NodeJS.Signals | 0) => void;

/**
 * A POSIX process group led by the process we started with `detached`.
 *
 * Never signals a group that is not ours. Until Node has told us of the leader's exit the pid can't be reused. After
 * it, the number stays taken for as long as a member lives; so the group is asked after at the exit and then every few
 * milliseconds by whoever waits for it, and the first "no such group" is final. Between two looks the system would
 * have to hand out every other pid to come back to this one.
 *
 * A descendant that made a session of its own (`setsid`) has left the group and is not reached.
 */
export class ProcessGroup implements ProcessTree {
  readonly #pid: number;
  readonly #kill: Kill;
  readonly #hasMembers: (group: number) => boolean;
  #leaderLives = true;
  #gone = false;

  constructor(pid: number, kill: Kill = process.kill, hasMembers = hasLiveMembers) {
    // kill(-1) would be every process of the user, kill(0) our own group.
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

  leaderExited(): void {
    this.#leaderLives = false;
    this.isAlive();
  }

  #send(signal: NodeJS.Signals | 0): boolean {
    try {
      this.#kill(-this.#pid, signal);
      return true;
    } catch {
      // ESRCH: nobody there. EPERM: nobody whom we may signal, so nobody of ours.
      return false;
    }
  }
}

/**
 * True if the group has a member that is not a zombie. Where nobody reaps orphans (containers without an init),
 * zombies would make a dead group look alive for ever. Without /proc the answer is true: the caller has asked kill().
 */
function hasLiveMembers(group: number): boolean {
  if (process.platform !== 'linux') return true;
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return true;
  }
  return entries.some((entry) => /^\d+$/.test(entry) && isLiveMember(entry, group));
}

function isLiveMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, a parenthesis too; after the last one come state, parent and group.
    const [state, , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(memberOf) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

/**
 * A process tree on Windows, which has no groups and no signals: `taskkill /T` walks from the process we started to its
 * children. Once that process is gone the walk has no start, so what it left behind is not reached.
 */
export class WindowsTree implements ProcessTree {
  readonly #taskkill: (args: readonly string[]) => void;
  #lives = true;

  /** `taskkill` runs the program of that name for our process with these further arguments. */
  constructor(taskkill: (args: readonly string[]) => void) {
    this.#taskkill = taskkill;
  }

  isAlive(): boolean {
    return this.#lives;
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#lives) this.#taskkill(signal === 'SIGKILL' ? ['/T', '/F'] : ['/T']);
  }

  leaderExited(): void {
    this.#lives = false;
  }
}
