/** Version of {@link RecordingSummary}. A reader skips newer ones, and says so. */
export const SUMMARY_VERSION = 1;

/** Most bytes of a summary as JSON. A list reads one for each recording. */
export const SUMMARY_BYTES = 64 * 1024;

/**
 * What lists and questions need to know of a recording, so that they need not open it. JSON of at most
 * {@link SUMMARY_BYTES}. Texts come from servers, hosts and people.
 */
export interface RecordingSummary {
  /** {@link SUMMARY_VERSION}. */
  readonly summary: number;
  /** Id in the recording's header. */
  readonly id: string;
  /** Hex digest of the recording's file. */
  readonly sha256: string;
  /** Size of that file. */
  readonly bytes: number;
  /** Start, ISO 8601 in UTC; '' if the header has none. */
  readonly at: string;
  readonly durationMs: number;
  /** Frames without notes. */
  readonly frames: number;
  /** Program that wrote the recording, such as `mcp-inspect/0.1.0`. */
  readonly by: string;
  /** `check`: requests of `check`, many of them wrong on purpose. */
  readonly mode: 'client' | 'tap' | 'import' | 'check';
  /** The last line is an end line, and no frame is missing. */
  readonly complete: boolean;
  readonly server: {
    /** Name of the entry, as the header has it. */
    readonly name: string;
    /** `name` in the server's `serverInfo`, which stays the same however it is started. */
    readonly info?: string;
    readonly title?: string;
    readonly version?: string;
    /** Negotiated version of the protocol. */
    readonly protocol?: string;
    readonly transport: string;
  };
  /** The client, as it introduced itself, or as the tap's command line names it. */
  readonly host?: { readonly name: string; readonly version?: string };
  /** Requests of the client, whatever their method. Times are of calls only. */
  readonly requests: Counted;
  /** Tools, most called first; those that were listed and never called have 0 calls. At most `SUMMARY_TOOLS`. */
  readonly tools: readonly ToolSummary[];
  /** At least so many more. */
  readonly toolsLeftOut?: number;
  /** Failed requests, most frequent first. At most `SUMMARY_FAILURES`. */
  readonly failures: readonly FailureSummary[];
  /** Failed requests that are in none of them. */
  readonly failuresLeftOut?: number;
  /** Findings by rule, most severe first. */
  readonly problems: readonly RuleCount[];
  /** Given by the person or the CI run that pushed it. */
  readonly tags: readonly string[];
  readonly author?: string;
  /** Full hash of the git commit of the working directory. */
  readonly commit?: string;
  /** The CI run: a name such as `github`, and its address. */
  readonly ci?: { readonly name: string; readonly run?: string };
}

/** Counts and times of requests. Refusals that are expected, such as that of auto mode's probe, do not count. */
export interface Counted {
  readonly calls: number;
  /** Protocol errors, tool errors, timeouts and lost answers. */
  readonly errors: number;
  /** Cancelled by the client, or without an answer at the recording's end. Neither errors nor successes. Absent: 0. */
  readonly unfinished?: number;
  /**
   * Milliseconds from request to response at the tap, without the time that people took. Of all requests, only calls of
   * tools, resources and prompts are measured. Absent without an answered one.
   */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly maxMs?: number;
  /** Each of them, in milliseconds, if they are few; see `FEWEST_FOR_QUANTILES`. */
  readonly singlesMs?: readonly number[];
  /**
   * Answered calls by time, to put together several recordings: `[b, n]` is n calls of 2^(b/4) to 2^((b+1)/4) µs,
   * ascending. Bucket 0 also has those below 1 µs.
   */
  readonly times?: readonly (readonly [bucket: number, calls: number])[];
}

/** A tool in a recording. */
export interface ToolSummary extends Counted {
  readonly name: string;
  /** Called, but not in the server's newest list. */
  readonly unlisted?: true;
  /** Frame of the slowest answered call, and of the first that failed. */
  readonly slowest?: number;
  readonly failed?: number;
}

/** Requests that failed in the same way. */
export interface FailureSummary {
  readonly method: string;
  /** Tool, prompt or URI. */
  readonly name?: string;
  /** Code of a protocol error, or what happened instead. */
  readonly code: number | 'tool-error' | 'timeout' | 'lost' | 'error';
  /** Message of the first, cut to `SUMMARY_CHARS`. */
  readonly message?: string;
  readonly count: number;
  /** Frame of the first of these requests. */
  readonly frame: number;
}

/** Findings of one rule. */
export interface RuleCount {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly count: number;
}

/** Most tools, failures and tags in a summary. */
export const SUMMARY_TOOLS = 200;
export const SUMMARY_FAILURES = 20;
export const SUMMARY_TAGS = 20;
/** Most characters of each text in a summary. */
export const SUMMARY_CHARS = 200;
