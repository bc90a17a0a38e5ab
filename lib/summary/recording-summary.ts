/** Version of {@link RecordingSummary}. A reader skips newer ones, and says so. */
export const SUMMARY_VERSION = 1;

/** What lists and questions need to know of a recording, so that they need not open it. JSON, at most 64 KiB. */
export interface RecordingSummary {
  /** {@link SUMMARY_VERSION}. */
  readonly summary: number;
  /** Id in the recording's header. */
  readonly id: string;
  /** Hex digest of the recording's file. */
  readonly sha256: string;
  /** Size of that file. */
  readonly bytes: number;
  /** Start, ISO 8601 in UTC. */
  readonly at: string;
  readonly durationMs: number;
  readonly frames: number;
  /** Program that wrote the recording, such as `mcp-inspect/0.1.0`. */
  readonly by: string;
  readonly mode: 'client' | 'tap' | 'import';
  /** The last line is an end line, and no frame is missing. */
  readonly complete: boolean;
  readonly server: {
    /** Name of the entry; `title` and `version` as the server gave them. */
    readonly name: string;
    readonly title?: string;
    readonly version?: string;
    readonly protocol?: string;
    readonly transport: string;
  };
  /** The client, as it introduced itself. */
  readonly host?: { readonly name: string; readonly version?: string };
  /** Requests of the client, whatever their method. `errors` counts protocol errors, tool errors and lost answers. */
  readonly requests: Counted;
  /** Tools, most called first; those that were listed and never called have 0 calls. At most 200. */
  readonly tools: readonly ToolSummary[];
  readonly toolsLeftOut?: number;
  /** Findings by rule. */
  readonly problems: readonly { readonly rule: string; readonly severity: string; readonly count: number }[];
  /** What the person or the CI run that pushed it said of it. */
  readonly tags: readonly string[];
  readonly author?: string;
  /** Full hash of the git commit of the working directory. */
  readonly commit?: string;
  /** The CI run: a name such as `github`, and its address. */
  readonly ci?: { readonly name: string; readonly run?: string };
}

/** Counts and times of exchanges. */
export interface Counted {
  readonly calls: number;
  readonly errors: number;
  /** Milliseconds from request to response, at the tap. Absent without answered calls. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly maxMs?: number;
  /**
   * Answered calls by time, to put together several recordings: `[b, n]` is n calls of 2^(b/4) to 2^((b+1)/4) µs.
   */
  readonly times?: readonly (readonly [bucket: number, calls: number])[];
}

/** A tool in a recording. */
export interface ToolSummary extends Counted {
  readonly name: string;
}
