import type { ConfigEntry, ConfigOddity } from '@/lib/wire/server-config';

/** A fact about hosts that an entry of a config breaks. */
export interface EntryObstacle {
  /** Id of the fact, which never changes. */
  readonly fact: string;
  /** The fault, the habit of the host, and advice, as sentences. */
  readonly words: string;
  /** Absent for a fault in every host, which needs no source. */
  readonly source?: string;
  /** Day of the source, ISO 8601. */
  readonly on?: string;
  /** Only users report it. */
  readonly isReported?: true;
}

/** The surroundings of an entry. */
export interface EntryPlace {
  /** Id of the host that reads the config; '' if it is not known. */
  readonly host: string;
  readonly platform: string;
  /** Oddities of the file, which few readers accept. */
  readonly oddities: readonly ConfigOddity[];
  /** Paths in the entry that lead nowhere on this machine. */
  readonly missing: readonly string[];
  /** Path of its program, if this shell finds it. */
  readonly program: string | undefined;
}

/** Finds what hosts stumble over in an entry of a config. */
export type EntryCheck = (entry: ConfigEntry, place: EntryPlace) => readonly EntryObstacle[];
