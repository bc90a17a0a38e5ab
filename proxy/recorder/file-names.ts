import { randomBytes } from 'node:crypto';
import { PID_NAMESPACE } from '@/proxy/files/process-identity';

/** The parts of a recording's file name. */
interface NamedFile {
  /** Id of the process that writes or wrote it. */
  readonly pid: number;
  /** Namespace of that id, see {@link PID_NAMESPACE}; absent in older names. */
  readonly space: string | undefined;
}

const OURS = /^\d{8,10}T\d{6}Z-[a-z0-9-]{1,40}-p(\d{1,10})(?:\.([0-9a-f]{6}))?-[0-9a-f]{8}\.mcpr\.jsonl$/;

/** Makes a unique name from the time (ISO 8601), the server and the process. */
export function newFileName(at: string, server: string, pid: number, space = PID_NAMESPACE): string {
  return `${nameStart(at, server)}-p${pid}.${space}-${randomBytes(4).toString('hex')}.mcpr.jsonl`;
}

/** Makes a unique name for an imported recording, which nothing writes and retention spares. */
export function importedFileName(at: string, server: string, gzipped: boolean): string {
  return `${nameStart(at, server)}-imported-${randomBytes(4).toString('hex')}.mcpr.${gzipped ? 'gz' : 'jsonl'}`;
}

/** Returns true for the name of an imported recording. */
export function isImportedName(name: string): boolean {
  return /-imported-[0-9a-f]{8}\.mcpr\.(?:gz|jsonl)$/.test(name);
}

function nameStart(at: string, server: string): string {
  const words = server.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  // A year without exactly four digits has a sign.
  return `${at.replace(/\.\d+|[-+:]/g, '')}-${words.slice(0, 40).replace(/^-+|-+$/g, '') || 'server'}`;
}

/** Reads the name of a recording; undefined for other files. */
export function readFileName(name: string): NamedFile | undefined {
  const [, pid, space] = OURS.exec(name) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), space };
}
