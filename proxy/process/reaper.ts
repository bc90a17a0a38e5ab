import { type Helper, startHelper } from './spawn';

/**
 * Ends the servers' process groups if this process dies first, even by SIGKILL. It is a `/bin/sh` at the other end of a
 * pipe, started with the first server. If it is killed, the next `add` starts another one. Does nothing on Windows,
 * which has neither process groups nor /bin/sh.
 */
export class Reaper {
  readonly #groups = new Set<number>();
  #helper: Helper | undefined;

  /** Watches the group that `pid` leads. */
  add(pid: number): void {
    if (process.platform === 'win32') return;
    this.#groups.add(pid);
    if (this.#helper?.lives) {
      this.#helper.write(`add ${pid}\n`);
    } else {
      this.#helper = startHelper('/bin/sh', ['-c', SCRIPT], { PATH: '/usr/bin:/bin' });
      for (const group of this.#groups) this.#helper.write(`add ${group}\n`);
    }
  }

  /** Stops watching a group that is gone, because its number may be reused. */
  delete(pid: number): void {
    if (this.#groups.delete(pid)) this.#helper?.write(`del ${pid}\n`);
  }
}

/**
 * Reads `add PID` and `del PID` from stdin. When stdin ends, which happens however we died, it sends TERM to the
 * remaining groups, and KILL a second later. It survives Ctrl-C and a closed terminal in a session of its own, ignoring
 * their signals.
 */
const SCRIPT = `trap '' HUP INT TERM QUIT
groups=' '
while read -r verb pid; do
  case "$verb $groups" in
    add*) groups="$groups$pid " ;;
    del*" $pid "*) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
  esac
done
[ -z "\${groups# }" ] && exit 0
for pid in $groups; do kill -s TERM -- "-$pid"; done
sleep 1
for pid in $groups; do kill -s KILL -- "-$pid"; done
`;
