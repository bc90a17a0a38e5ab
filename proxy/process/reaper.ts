import { type Helper, startHelper } from './spawn';

/**
 * `add PID` and `del PID` on stdin; at its end, which comes however we died, TERM and a second later KILL for the
 * groups still named. It outlives a Ctrl-C and a closed terminal, being in its own session and deaf to both.
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

/**
 * Ends the servers' process groups if this process dies without doing so, even by SIGKILL: a `/bin/sh` that waits at
 * the other end of a pipe. Started with the first server, so it costs nothing before. If somebody kills it, the next
 * `add` starts another. Windows has neither process groups nor /bin/sh, so there it does nothing.
 */
export class Reaper {
  readonly #groups = new Set<number>();
  #helper: Helper | undefined;

  /** Watches over the group that `pid` leads. */
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

  /** The group is gone: its number may soon be somebody else's. */
  delete(pid: number): void {
    if (this.#groups.delete(pid)) this.#helper?.write(`del ${pid}\n`);
  }
}
