import { isObject, own } from '@/lib/json/value';
import type { RememberedEra } from '@/lib/mcp/handshake';
import { readBeside, writeBeside } from '@/proxy/files/data-folder';
import { sha256Of } from '@/proxy/files/native-codecs';

/** Servers whose era is remembered. Those probed longest ago go first. */
export const ERAS_KEPT = 200;

const FILE = 'eras.json';

/**
 * Remembers the eras that auto mode found, so that it need not probe a server at each start. Stored beside the
 * recordings, under hashes of the servers' commands and URLs.
 */
export class ServerEras {
  readonly #folder: string;

  /** `folder` is the folder of recordings. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the remembered era of the server with this identity, however old. Never throws. */
  read(server: string): RememberedEra | undefined {
    return this.#read().get(keyOf(server));
  }

  /** Stores an era, or deletes it. Never throws: without a stored era, the server is probed again. */
  remember(server: string, found: RememberedEra | undefined): void {
    const eras = this.#read();
    const before = eras.get(keyOf(server));
    if (before?.at === found?.at) return;
    eras.delete(keyOf(server));
    if (found) eras.set(keyOf(server), found);
    const newest = [...eras].sort(([, a], [, b]) => b.at.localeCompare(a.at)).slice(0, ERAS_KEPT);
    try {
      writeBeside(this.#folder, FILE, { servers: Object.fromEntries(newest) });
    } catch {
      // For example, the disk is read-only.
    }
  }

  #read(): Map<string, RememberedEra> {
    const content = readBeside(this.#folder, FILE);
    const servers = isObject(content) ? own(content, 'servers') : undefined;
    const entries = isObject(servers) ? Object.entries(servers) : [];
    return new Map(entries.filter((entry): entry is [string, RememberedEra] => isRemembered(entry[1])));
  }
}

function keyOf(server: string): string {
  return sha256Of(Buffer.from(server));
}

function isRemembered(value: unknown): value is RememberedEra {
  if (!isObject(value)) return false;
  const [era, server, at] = [own(value, 'era'), own(value, 'server'), own(value, 'at')];
  // Date.parse accepts other notations of any length, and this text goes into the log.
  const isTime = typeof at === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(at) && !Number.isNaN(Date.parse(at));
  return (era === 'legacy' || era === 'modern') && typeof server === 'string' && isTime;
}
