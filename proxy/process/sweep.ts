/** Name of the variable that marks the processes of one run, so that they can be found without their parents. */
export const MARK = 'MCP_INSPECT_RUN';

/**
 * Ends the processes of a killed run: those with `mark` in their environment, those in `groups`, their sessions, and
 * the children of all of these. Stops them until no look finds another one, sends each SIGTERM once, and SIGKILL to
 * what is left after a second. Resolves once a few looks in a row find nothing.
 *
 * The reaper passes the text of this function to another Node process, so it may use nothing outside itself.
 */
export async function endRun(mark: string, groups: readonly number[]): Promise<void> {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const GRACE_MS = 1000;
  const LOOK_MS = 20;
  /** A process can take a moment to show its environment after its start. */
  const QUIET_LOOKS = 5;
  /** A process that outlives SIGKILL this long is stuck in the kernel, or belongs to another user. */
  const GIVE_UP_MS = 5000;

  interface Row {
    readonly pid: number;
    readonly parent: number;
    readonly group: number;
    readonly session: number;
    /** With the pid, it identifies a process. */
    readonly start: string;
    readonly marked: boolean;
    readonly stopped: boolean;
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
    const [state = 'X', parent, group, session] = fields;
    if ('ZX'.includes(state)) return undefined;
    const marked = `\0${textOf(`/proc/${pid}/environ`)}`.includes(`\0${mark}\0`);
    const [at, up, of] = [Number(parent), Number(group), Number(session)];
    const start = fields[19] ?? '';
    return { pid: Number(pid), parent: at, group: up, session: of, start, marked, stopped: state === 'T' };
  }

  /** Elsewhere `ps` shows the environment after the arguments. It shows no sessions. */
  function psRow(line: string): Row | undefined {
    const [, pid, parent, group, state = 'Z', rest = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (state.startsWith('Z')) return undefined;
    const marked = ` ${rest} `.includes(` ${mark} `);
    const [at, up, stopped] = [Number(parent), Number(group), state.startsWith('T')];
    return { pid: Number(pid), parent: at, group: up, session: 0, start: '', marked, stopped };
  }

  function rows(): Row[] {
    const all =
      process.platform === 'linux'
        ? readdirSync('/proc')
            .filter((name) => /^\d+$/.test(name))
            .map(linuxRow)
        : execFileSync('/bin/ps', ['-A', '-E', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,command='], { encoding: 'latin1' })
            .split('\n')
            .map(psRow);
    return all.filter((row) => row !== undefined && row.pid > 1 && row.pid !== process.pid) as Row[];
  }

  /** Processes found before: a child is still one of the run when its parent is gone. */
  const known = new Set<string>();
  const nameOf = ({ pid, start }: Row): string => `${pid} ${start}`;

  function find(): Row[] {
    const all = rows();
    const found = new Set(all.filter((row) => row.marked || groups.includes(row.group) || known.has(nameOf(row))));
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      const pids = new Set([...found].map(({ pid }) => pid));
      // Each server began its own session, so all processes in it descend from that server.
      const sessions = new Set([...found].map(({ session }) => session).filter((session) => session > 1));
      for (const row of all) if (pids.has(row.parent) || sessions.has(row.session)) found.add(row);
    }
    return [...found];
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
  const asked = new Set<string>();
  for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() - begun < GIVE_UP_MS; quiet++) {
    const found = find();
    const waiting = found.filter((row) => !asked.has(nameOf(row)));
    const isNew = found.some((row) => !known.has(nameOf(row)));
    for (const row of found) known.add(nameOf(row));
    if (found.length > 0) quiet = -1;
    if (performance.now() - begun >= GRACE_MS) {
      // By group, because a process that keeps forking would outrun one signal after another.
      for (const row of found) signal(-row.group, 'SIGKILL');
    } else if (isNew || waiting.some(({ stopped }) => !stopped)) {
      // A stopped process starts no other, which nothing would connect with the run once its parent is gone. It may
      // take a moment to stop, and starts one more meanwhile.
      for (const row of waiting) if (!row.stopped) signal(row.pid, 'SIGSTOP');
    } else {
      for (const row of waiting) {
        asked.add(nameOf(row));
        signal(row.pid, 'SIGTERM');
        signal(row.pid, 'SIGCONT');
      }
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
