import type { WorkerName } from '@/lib/wire/worker-address';
import WORKERS from './worker-texts';

export type { WorkerName };

/** Browsers load no module from an address that a file made. */
export const WORKER_TYPE = 'classic';

const addresses = new Map<string, string>();

/** The address of a Worker's script, which is a text within this file: its policy allows no other. */
export function workerAddress(name: Exclude<WorkerName, 'share'> | 'recordings'): string {
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const address = URL.createObjectURL(new Blob([WORKERS[name]], { type: 'text/javascript' }));
  addresses.set(name, address);
  return address;
}

/** Under Trusted Types every address of a script passes here: ours, and nothing else. */
export function isWorkerAddress(address: string): boolean {
  return Array.from(addresses.values()).includes(address);
}
