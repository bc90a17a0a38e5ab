import { homedir } from 'node:os';
import type { Preset } from '../connection/launch';
import type { Environment } from './config-file';

/** Facts of this machine and process that decide which configs are read. */
export interface DiscoveryContext {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
  readonly environment: Environment;
  /** Our user id; undefined on Windows. */
  readonly uid: number | undefined;
}

/** A config that was not read, or only in part. */
export interface SkippedConfig {
  /** Id of the host that reads it. */
  readonly host: string;
  readonly path: string;
  /** A sentence that says why, without secrets. */
  readonly reason: string;
}

/** Servers that the configs of hosts on this machine name. */
export interface Discovered {
  /** Their values are looked up once they are chosen: see `complete`. */
  readonly presets: readonly Preset[];
  readonly skipped: readonly SkippedConfig[];
}

/** Returns the context of this process. */
export function ownContext(): DiscoveryContext {
  return {
    platform: process.platform,
    home: homedir(),
    cwd: process.cwd(),
    environment: process.env,
    uid: process.getuid?.(),
  };
}

/** Reads the configs of the hosts on this machine. Starts nothing, never rejects. */
export async function discoverServers(_context: DiscoveryContext): Promise<Discovered> {
  return { presets: [], skipped: [] };
}
