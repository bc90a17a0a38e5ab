/** A step of re-run on save. `waiting`: until the server at a URL answers again. */
export type WatchPhase = 'looking' | 'watching' | 'building' | 'waiting' | 'restarting' | 'pins';

/** Why the newest save led to no running server. */
export interface WatchFailure {
  readonly what: 'build' | 'server' | 'watch';
  /** Id of the run that failed. */
  readonly run?: string;
  /** One sentence. */
  readonly message: string;
  /** One sentence. */
  readonly advice: string;
  /** The printed line that explains it. */
  readonly line?: string;
  /** The source of the failure, as `file:line`. */
  readonly place?: string;
}

/** Re-run on save for one entry, as its newest run shows it. */
export interface WatchState {
  readonly phase: WatchPhase;
  /** The folder, or the globs of the command line. */
  readonly where: string;
  /** Number of watched files. */
  readonly files: number;
  /** Why some files are not watched, as a sentence. */
  readonly limit?: string;
  /** Number of saves that led to a run. */
  readonly saves: number;
  /** The newest save. */
  readonly saved?: {
    /** ISO 8601. */
    readonly at: string;
    /** Name of the first file, relative to the watched folder. */
    readonly file: string;
    /** Number of further files. */
    readonly more: number;
  };
  /** Milliseconds from the newest save until the server was open, or had failed. */
  readonly tookMs?: number;
  /** Id of the newest run that opened, and of the one before it. */
  readonly good?: string;
  readonly before?: string;
  readonly failure?: WatchFailure;
}
