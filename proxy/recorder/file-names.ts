import { randomBytes } from 'node:crypto';
import { PID_NAMESPACE } from '@/proxy/files/process-identity';

/** What the name of a file of ours tells. */
interface NamedFile {
  /** The process that writes, or wrote, it. */
  readonly pid: number;
  /** Where that number means a process: see {@link PID_NAMESPACE}; undefined for a name that does not tell. */
  readonly space: string | undefined;
}

const OURS = /^\d{8,10}T\d{6}Z-[a-z0-9-]{1,40}-p(\d{1,10})(?:\.([0-9a-f]{6}))?-[0-9a-f]{8}\.mcpr\.jsonl$/;

/** A new name: when, which server, by which process, where. Two processes never make the same one. `at` is ISO 8601. */
export function newFileName(at: string, server: string, pid: number, space = PID_NAMESPACE): string {
  return `${nameStart(at, server)}-p${pid}.${space}-${randomBytes(4).toString('hex')}.mcpr.jsonl`;
}

/** A new name for one that comes from elsewhere: nobody writes it, and what deletes by age and size leaves it alone. */
export function importedFileName(at: string, server: string, gzipped: boolean): string {
  return `${nameStart(at, server)}-imported-${randomBytes(4).toString('hex')}.mcpr.${gzipped ? 'gz' : 'jsonl'}`;
}

/** True for the name of one that came from elsewhere. */
export function isImportedName(name: string): boolean {
  return /-imported-[0-9a-f]{8}\.mcpr\.(?:gz|jsonl)$/.test(name);
}

function nameStart(at: string, server: string): string {
  const words = server.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  // A year that has not four digits has a sign before it.
  return `${at.replace(/\.\d+|[-+:]/g, '')}-${words.slice(0, 40).replace(/^-+|-+$/g, '') || 'server'}`;
}

/** What a name says; undefined for files that we did not name. */
export function readFileName(name: string): NamedFile | undefined {
  const [, pid, space] = OURS.exec(name) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), space };
}
