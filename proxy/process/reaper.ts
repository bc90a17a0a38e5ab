import { randomBytes } from 'node:crypto';
import { atExit } from '@/proxy/files/at-exit';
import { lockLimit, MARK } from './mark';
import { type Helper, type ServerWatch, startHelper } from './spawn';
import { endRun } from './sweep';

/** Milliseconds. If a reaper ends sooner, the next one starts that much later, so that this can't spin. */
const QUICK_END_MS = 50;

/**
 * Ends what the servers of this process leave behind if this process dies first, even by SIGKILL. It is a process at
 * the other end of a pipe. It starts before the first server, and is replaced when it dies.
 *
 * The pipe ends only when no process has our end of it. A child that has not yet become the server still has a copy, so
 * every server bears the mark by then. Does nothing on Windows, where the system ends the servers of a dead process.
 */
export class Reaper implements ServerWatch {
  readonly #groups = new Set<number>();
  readonly #run: string;
  #helper: Helper | undefined;
  #startedAt = 0;

  constructor(run = randomBytes(16).toString('hex')) {
    this.#run = run;
  }

  /** Makes sure that the reaper runs. Returns the run, 32 hexadecimal digits. */
  prepare(): string {
    if (process.platform !== 'win32' && !this.#helper?.lives) this.#start();
    return this.#run;
  }

  /** Watches the group that `pid` leads, in case its members clear their environment. */
  add(pid: number): void {
    this.#groups.add(pid);
    this.#helper?.write(`add ${pid}\n`);
  }

  /** Stops watching a group that is gone, because its number may be reused. */
  delete(pid: number): void {
    if (this.#groups.delete(pid)) this.#helper?.write(`del ${pid}\n`);
  }

  #start(): void {
    // The last reaper’s end is a reason to start another one, unless this process ends too.
    if (this.#helper === undefined) atExit(() => this.dismiss());
    this.#startedAt = performance.now();
    const marks = [this.#run, lockLimit(this.#run)];
    const args = ['-c', SCRIPT, 'mcp-inspect-reaper', process.execPath, SWEEP, ...marks];
    this.#helper = startHelper('/bin/sh', args, { PATH: '/usr/bin:/bin' }, () => this.#replace());
    for (const group of this.#groups) this.#helper.write(`add ${group}\n`);
  }

  #replace(): void {
    const restart = (): void => void (this.#helper?.lives || this.#start());
    if (performance.now() - this.#startedAt >= QUICK_END_MS) restart();
    else setTimeout(restart, QUICK_END_MS).unref();
  }

  /**
   * Call this before this process ends by a signal; otherwise it happens by itself. If nothing is left to end, daemons
   * that the servers meant to leave stay, as they do with other clients.
   */
  dismiss(): void {
    if (this.#groups.size === 0) this.#helper?.write('bye\n');
  }
}

/** The reaper of this process, for everything that has no reaper of its own. It starts with the first server. */
export const ownReaper = new Reaper();

/**
 * A program for Node. Its arguments are the run, its limit and the groups. The whole mark is in no argument, since `ps`
 * would show it like a variable.
 */
const SWEEP = `(${endRun})('${MARK}=' + process.argv[1], process.argv[2], process.argv.slice(3).map(Number))`;

/**
 * Reads `add PID`, `del PID` and `bye` from stdin. When stdin ends without a `bye`, it runs Node to end the run; if
 * that fails, it ends the groups. It survives Ctrl-C and a closed terminal in a session of its own, ignoring their
 * signals. It is a shell because it waits as long as we run, and Node takes 40 MB.
 */
const SCRIPT = `trap '' HUP INT TERM QUIT
groups=' '
while read -r verb pid; do
  case "$verb $groups" in
    add*) groups="$groups$pid " ;;
    del*" $pid "*) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
    bye*) exit 0 ;;
  esac
done
"$1" -e "$2" -- "$3" "$4" $groups && exit 0
for pid in $groups; do kill -s TERM -- "-$pid"; done
sleep 1
for pid in $groups; do kill -s KILL -- "-$pid"; done
`;
