/**
 * Ends the processes of a killed run: those with `mark` in their environment or `lockLimit` as their limit of file
 * locks, those in `groups`, and the children of all of these. Sends each SIGTERM once, and SIGKILL to what is left
 * after a second. Resolves once a few looks in a row find nothing.
 *
 * The reaper passes the text of this function to another Node process, so it may use nothing outside itself.
 */
export async function endRun(mark: string, lockLimit: string, groups: readonly number[]): Promise<void> {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const GRACE_MS = 1000;
  const LOOK_MS = 20;
  /** A look misses a process that begins meanwhile, and one can take a moment to show its environment. */
  const QUIET_LOOKS = 5;
  /**
   * A process that outlives SIGKILL this long is stuck in the kernel, or belongs to another user. On a busy machine one
   * that keeps replacing itself may only be faster, so we must have had some CPU time to look for it.
   */
  const GIVE_UP_MS = 5000;
  const GIVE_UP_CPU_MS = 2500;
  const MOST_MS = 30_000;

  interface Row {
    readonly pid: number;
    readonly parent: number;
    readonly group: number;
    readonly marked: boolean;
    /** Identifies a process, even if its pid is used again. */
    readonly name: string;
  }

  function textOf(path: string): string {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  }

  function linuxRow(pid: string): Row | undefined {
    const stat = textOf(`/proc/${pid}/stat`);
    // The name in parentheses may contain parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent, group] = fields;
    if (state === '' || 'ZX'.includes(state)) return undefined;
    const marked =
      /^Max file locks +(\d+)/m.exec(textOf(`/proc/${pid}/limits`))?.[1] === lockLimit ||
      `\0${textOf(`/proc/${pid}/environ`)}`.includes(`\0${mark}\0`);
    return { pid: Number(pid), parent: Number(parent), group: Number(group), marked, name: `${pid} ${fields[19]}` };
  }

  /** Elsewhere `ps` shows the environment after the arguments. */
  function psRow(line: string): Row | undefined {
    const [, pid = '', parent, group, state = 'Z', rest] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (state.startsWith('Z')) return undefined;
    const marked = ` ${rest} `.includes(` ${mark} `);
    return { pid: Number(pid), parent: Number(parent), group: Number(group), marked, name: pid };
  }

  /** Newest first, and each read when it is asked for: a process that keeps replacing itself does not live long. */
  function* rows(): Iterable<Row> {
    const all =
      process.platform === 'linux'
        ? readdirSync('/proc').filter((name) => /^\d+$/.test(name))
        : execFileSync('/bin/ps', ['-A', '-E', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,command='], {
            encoding: 'latin1',
          }).split('\n');
    for (const one of all.reverse()) {
      const row = process.platform === 'linux' ? linuxRow(one) : psRow(one);
      if (row !== undefined && row.pid > 1 && row.pid !== process.pid) yield row;
    }
  }

  function signal(pid: number, name: NodeJS.Signals): void {
    // kill(-1) would signal all processes of the user.
    if (Math.abs(pid) <= 1) return;
    try {
      process.kill(pid, name);
    } catch {
      // It is gone, or another user's.
    }
  }

  const begun = performance.now();
  const isLate = (): boolean => performance.now() - begun >= GRACE_MS;
  function isOver(): boolean {
    const ms = performance.now() - begun;
    const { user, system } = process.cpuUsage();
    return ms >= MOST_MS || (ms >= GIVE_UP_MS && (user + system) / 1000 >= GIVE_UP_CPU_MS);
  }
  /** Names of processes found before: a child is still one of the run when its parent is gone. */
  const known = new Set<string>();

  function end({ pid, group, name }: Row): void {
    // By group, because a process that keeps forking would outrun one signal after another.
    if (isLate()) signal(-group, 'SIGKILL');
    else if (!known.has(name)) signal(pid, 'SIGTERM');
    known.add(name);
  }

  /** Ends what it finds, and returns true if that is anything. */
  function look(): boolean {
    const found = new Set<number>();
    let others: Row[] = [];
    for (const row of rows()) {
      if (row.marked || groups.includes(row.group) || known.has(row.name)) {
        found.add(row.pid);
        end(row);
      } else others.push(row);
    }
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      const children = others.filter(({ parent }) => found.has(parent));
      others = others.filter((row) => !children.includes(row));
      for (const row of children) {
        found.add(row.pid);
        end(row);
      }
    }
    return found.size > 0;
  }

  for (let quiet = 0; quiet < QUIET_LOOKS && !isOver(); quiet++) {
    if (look()) quiet = -1;
    // No pause while something outlives SIGKILL: it may be replacing itself.
    if (quiet >= 0 || !isLate()) await new Promise((wake) => setTimeout(wake, LOOK_MS));
  }
}
