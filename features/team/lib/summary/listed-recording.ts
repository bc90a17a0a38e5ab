import { readSummary, SummaryError } from './read-summary';
import type { RecordingSummary } from './recording-summary';
import { quantileUs, singlesOf, TimeBuckets } from './time-buckets';

/** Tools of a recording that a list can be searched by: those that were called, most calls first. */
const LISTED_TOOLS = 50;

/** A row in a list of a bucket's recordings: the part of a summary that is shown and searched. Plain JSON. */
export interface ListedRecording {
  /** Key of the recording, below the prefix of the address. */
  readonly key: string;
  /** Id in its header. */
  readonly id: string;
  /** Start, ISO 8601 in UTC; '' if the header has none. */
  readonly at: string;
  readonly durationMs: number;
  readonly frames: number;
  readonly bytes: number;
  readonly server: string;
  /** The server's own name, if it is another. */
  readonly info?: string;
  readonly version?: string;
  readonly host?: string;
  /** Requests of any method, and those that failed. */
  readonly requests: number;
  readonly errors: number;
  /** The p95 of tool calls, within 9 %. Other requests do not count: `initialize` has the start of the server. */
  readonly p95Ms?: number;
  /** Each of them instead, if they are few. */
  readonly singlesMs?: readonly number[];
  /** Names of the tools that were called, and of those with failed calls. Flat, since 100,000 rows are read at once. */
  readonly tools: readonly string[];
  readonly failed?: readonly string[];
  /** Findings that are errors or warnings. */
  readonly problems: number;
  readonly tags: readonly string[];
  readonly author?: string;
  readonly commit?: string;
  readonly ci?: string;
  /** Recorded by `check`: most of its calls and errors are probes. */
  readonly check?: true;
  /** Frames are missing, or the end. */
  readonly incomplete?: true;
}

/** Why a summary is not listed. */
export type UnlistedReason = 'newer' | 'invalid' | 'other-recording' | 'large';

/**
 * Reads a summary that anybody may have written. `sha256` is the digest in its key, which the summary has to name.
 * Returns the reason if it can't be listed.
 */
export function readListed(bytes: Uint8Array, key: string, sha256: string): ListedRecording | UnlistedReason {
  try {
    const summary = readSummary(bytes);
    return summary.sha256 === sha256 ? listedSummary(summary, key) : 'other-recording';
  } catch (error) {
    if (error instanceof SummaryError) return error.code;
    throw error;
  }
}

/** Returns the row of a summary. `key`: of the recording, or the path of its file. */
export function listedSummary(summary: RecordingSummary, key: string): ListedRecording {
  const { id, at, durationMs, frames, bytes, server, host, requests, tools, problems, tags, complete } = summary;
  const { author, commit, ci } = summary;
  const info = server.info ?? server.title;
  const called = tools.filter(({ calls }) => calls > 0).slice(0, LISTED_TOOLS);
  const times = new TimeBuckets();
  for (const tool of tools) times.addAll(tool.times ?? []);
  const singlesMs = singlesOf(tools, times.times);
  const p95Us = singlesMs ? undefined : quantileUs(times.times, 0.95);
  const failed = called.filter(({ errors }) => errors > 0).map(({ name }) => name);
  return {
    key,
    id,
    at,
    durationMs,
    frames,
    bytes,
    server: server.name || (info ?? ''),
    ...(info !== undefined && info !== server.name && server.name !== '' && { info }),
    ...(server.version !== undefined && { version: server.version }),
    ...(host && { host: host.name }),
    requests: requests.calls,
    errors: requests.errors,
    ...(p95Us !== undefined && { p95Ms: p95Us / 1000 }),
    ...(singlesMs && { singlesMs }),
    tools: called.map(({ name }) => name),
    ...(failed.length > 0 && { failed }),
    problems: problems.reduce((sum, { severity, count }) => sum + (severity === 'info' ? 0 : count), 0),
    tags,
    ...(author !== undefined && { author }),
    ...(commit !== undefined && { commit }),
    ...(ci && { ci: ci.name }),
    ...(summary.mode === 'check' && { check: true as const }),
    ...(!complete && { incomplete: true as const }),
  };
}
