import { readdirSync, statSync } from 'node:fs';
import { isProcOurs } from './pid-space';

/** Whether a process has this file open; undefined where the system does not tell, or not us. */
export function hasOpen(pid: number, path: string): boolean | undefined {
  if (!isProcOurs()) return undefined;
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
