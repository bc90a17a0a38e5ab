import { readdirSync, readFileSync } from 'node:fs';

/** A running process, as /proc describes it. */
interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/**
 * Returns the bytes that a process that leads a group, the rest of its group and all descendants have in memory
 * (resident set). undefined where there is no /proc, or if the process is gone.
 */
export function treeMemory(leader: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const entries = runningProcesses();
  const tree = new Set([leader]);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent, group } of entries) if (tree.has(parent) || group === leader) tree.add(pid);
  }
  const sizes = [...tree].flatMap((pid) => residentBytes(pid) ?? []);
  return residentBytes(leader) === undefined ? undefined : sizes.reduce((sum, one) => sum + one, 0);
}

function runningProcesses(): readonly ProcessEntry[] {
  try {
    return readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? (processEntry(entry) ?? []) : []));
  } catch {
    return [];
  }
}

function processEntry(pid: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain parentheses. State, parent and group follow the last one.
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}

function residentBytes(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return found ? Number(found[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}
