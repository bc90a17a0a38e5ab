import type { ConfigEntry } from '@/lib/wire/server-config';

/** A fact about a host that an entry of its config breaks. */
export interface EntryObstacle {
  /** Id of the fact, which never changes. */
  readonly fact: string;
  /** The fault, the habit of the host, and advice, as sentences. */
  readonly words: string;
  readonly source: string;
  /** Day of the source, ISO 8601. */
  readonly on: string;
}

/** Finds what the host with this id stumbles over in an entry of its config. */
export type EntryCheck = (host: string, entry: ConfigEntry) => readonly EntryObstacle[];
