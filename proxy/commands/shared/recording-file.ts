/** Columns that only the summary beside a recording in a store has. */
export type PushedRow = Readonly<Partial<Record<'author' | 'git_commit' | 'ci' | 'tags', string>>>;

/** A recording in a store. */
export interface RemoteRecording {
  /** Hex SHA-256 of its bytes. */
  readonly digest: string;
  /** Start in UTC: `2026-11-26`. */
  readonly day: string;
  /** Downloads it to a new file. Rejects with a Failure. */
  spool(path: string): Promise<void>;
  /** Reads in its summary when it began, in ISO 8601; undefined if the summary can’t be read. */
  startedAt(): Promise<string | undefined>;
  /** Reads in its summary who pushed it, and from where. Empty if the summary can’t be read. */
  pushed(): Promise<PushedRow>;
}

/** A recording that a command reads. */
export interface ReadRecording {
  /** Path of the file; key of an object. */
  readonly path: string;
  readonly remote?: RemoteRecording;
  /** As the command line names it. */
  readonly shown: string;
  /** False for a file of a folder, which is skipped with a note if it can't be read. */
  readonly isNamed: boolean;
}
