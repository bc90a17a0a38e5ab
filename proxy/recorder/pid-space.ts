import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Where the numbers of processes mean the same as here, as six hexadecimal digits: this machine, since it was started, and of its
 * namespaces of processes this one. A folder may be seen from several (containers on one volume, a home in the network), and in
 * each of them another process has our number, or none.
 */
export const PID_SPACE = createHash('sha256')
  .update(
    `${hostname()}\n${told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))}\n${told(ownNamespace)}`,
  )
  .digest('hex')
  .slice(0, 6);

/** Whether `/proc` has the processes of this space, under the numbers that they have here. */
export function isProcOurs(): boolean {
  return told(() => readlinkSync('/proc/self')) === String(process.pid);
}

function ownNamespace(): string {
  return readlinkSync('/proc/self/ns/pid');
}

/** '' where the system does not tell. */
function told(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}
