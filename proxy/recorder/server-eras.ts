import { isObject, own } from '@/lib/json/value';
import type { RememberedEra } from '@/lib/mcp/handshake';
import { readBeside, writeBeside } from '@/proxy/files/data-folder';
import { sha256Of } from '@/proxy/files/native-codecs';

/** Servers whose era is remembered; those probed longest ago are forgotten first. */
export const ERAS_KEPT = 200;

const FILE = 'eras.json';

/**
 * The eras that auto mode found, so that a server is not probed at each start. Kept beside the recordings, for the
 * owner alone, under hashes of what starts or reaches the servers.
 */
export class ServerEras {
  readonly #folder: string;

  /** `folder` is that of the recordings. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the remembered era of the server with this identity, however old. Never throws. */
  read(server: string): RememberedEra | undefined {
    return this.#read().get(keyOf(server));
  }

  /** Keeps what was found, or forgets the server. Never throws: a memory that can't be kept costs a probe. */
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
      // A read-only disk, or no folder of ours.
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
  // Date.parse takes other notations, of any length; this text goes into the log.
  const isTime = typeof at === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(at) && !Number.isNaN(Date.parse(at));
  return (era === 'legacy' || era === 'modern') && typeof server === 'string' && isTime;
}
