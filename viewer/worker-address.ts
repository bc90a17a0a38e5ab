import type { WorkerName } from '@/lib/wire/worker-address';
import WORKERS from './worker-texts';

export type { WorkerName };

/** Classic, because browsers do not load module workers from blob URLs of a `file:` page. */
export const WORKER_TYPE = 'classic';

const addresses = new Map<string, string>();

/** Returns a blob URL for a Worker's script, whose text is in this file. Trusted Types allow no other URL. */
export function workerAddress(name: Exclude<WorkerName, 'pdf' | 'share'> | 'recordings'): string {
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const address = URL.createObjectURL(new Blob([WORKERS[name]], { type: 'text/javascript' }));
  addresses.set(name, address);
  return address;
}

/** True for the URLs of our workers, the only scripts that Trusted Types may load. */
export function isWorkerAddress(address: string): boolean {
  return Array.from(addresses.values()).includes(address);
}
