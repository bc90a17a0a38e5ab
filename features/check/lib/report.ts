import type { HostState } from '@/features/host-judge';
import { SEVERITY_RANK, type Severity } from '@/lib/problems/rule';
import type { ListedKind } from './listed';

/** One problem of a server or a recording. The same problem in several frames is one finding. Server text is raw. */
export interface CheckFinding {
  /** Never changes, because people filter and accept by it. */
  readonly rule: string;
  readonly severity: Severity;
  /** The problem in a few words, without server text. */
  readonly title: string;
  /** One sentence about this case. */
  readonly message: string;
  /** Path of the field: `result.tools["echo"].inputSchema`. undefined for the whole message or session. */
  readonly path: string | undefined;
  /** Numbers of the frames with the problem in their session, oldest first, at most 50. */
  readonly frames: readonly number[];
  /** The fix, in one or two sentences. */
  readonly advice: string;
  /** Address of the section of the specification, or of the document that names a limit. */
  readonly spec: string | undefined;
  /** Ids of the hosts that it is about. Absent: it is not about hosts. */
  readonly hosts?: readonly string[];
  /** Absent: it is not a fact about hosts. */
  readonly known?: FactSource;
}

/** The source of a fact about hosts. */
export interface FactSource {
  /** A URL, or a file of a repository with its commit. */
  readonly source: string;
  /** Day of the source, ISO 8601. */
  readonly on: string;
  /** Only users report it. */
  readonly isReported: boolean;
}

/** A part of a check, with the time that it took. */
export interface CheckStep {
  readonly name: string;
  readonly ms: number;
  readonly findings: readonly CheckFinding[];
  /** Why the step did not run. */
  readonly skipped?: string;
  /** The recording whose frames its findings name. */
  readonly recording?: string;
}

/** Bytes that a server’s processes had in memory before and after many equal requests. */
export interface MemoryFact {
  readonly before: number;
  readonly after: number;
  readonly requests: number;
}

/** A text for each entry of some lists. */
export type ListTexts = Readonly<Partial<Record<ListedKind, readonly string[]>>>;

/** Whether a server works in a host, as far as a session shows it. */
export interface HostSummary {
  /** Its id. */
  readonly host: string;
  readonly title: string;
  readonly state: HostState;
  /** Number of facts that the session breaks. Each is a finding. */
  readonly obstacles: number;
  /** Sentences about what the session does not show. */
  readonly untried: readonly string[];
  /** Questions that no session answers. */
  readonly questions: readonly string[];
}

/** Facts about a checked session, for the summary. */
export interface CheckFacts {
  readonly era?: string;
  readonly version?: string;
  readonly transport?: string;
  /** The server's own name and version. */
  readonly server?: string;
  readonly tools?: number;
  readonly resources?: number;
  readonly templates?: number;
  readonly prompts?: number;
  /** Estimated tokens of all tool definitions. */
  readonly tokens?: number;
  readonly frames?: number;
  /** Milliseconds within which 95% of lists, calls, reads and prompts were answered. */
  readonly p95Ms?: number;
  /** Bytes of the largest result of a call, read or prompt. */
  readonly largestResult?: number;
  /** Names of the entries of each list, at most {@link MOST_NAMES} each. */
  readonly names?: ListTexts;
  /** Digest of the definition of each of these names, in the same order. */
  readonly digests?: ListTexts;
  readonly memory?: MemoryFact;
  /** The hosts of `--for`. */
  readonly hosts?: readonly HostSummary[];
}

/** Most names of a list in a report. */
export const MOST_NAMES = 1000;

/** One session with a server, or one recording. */
export interface CheckedSource {
  readonly name: string;
  readonly facts: CheckFacts;
  readonly steps: readonly CheckStep[];
  /** A recording's file, as it was named. */
  readonly file?: string;
  /** The server's name in the config, if all servers of one are checked. */
  readonly entry?: string;
  /** Path, from the root of the repository, of the file that stands for it in code scanning. */
  readonly location?: string;
  /** Sentences about what could not be checked. */
  readonly notes: readonly string[];
}

/** The problems of a baseline, and how many of them were found again. */
export interface BaselineUse {
  readonly problems: number;
  readonly found: number;
}

export interface CheckReport {
  /** Version of mcp-inspect. */
  readonly version: string;
  readonly sources: readonly CheckedSource[];
  /** The least severity that fails the check. */
  readonly failOn: Severity;
  /** Number of findings left out, because the baseline accepts them. */
  readonly accepted: number;
  /** Number of findings left out, because settings turn their rules off. Absent: none. */
  readonly off?: number;
  /** The content of the baseline, as a summary. Absent: there is none. */
  readonly baseline?: BaselineUse;
  /** When the check began, ISO 8601. */
  readonly at: string;
}

/** Number of findings by severity. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** A finding and where it was found. */
export interface PlacedFinding {
  readonly source: CheckedSource;
  readonly step: CheckStep;
  readonly finding: CheckFinding;
}

/** Lists the recordings of a source, in order. */
export function recordingsOf({ steps }: Pick<CheckedSource, 'steps'>): readonly string[] {
  return [...new Set(steps.flatMap(({ recording }) => recording ?? []))];
}

/** Returns all findings in the order of the report. */
export function findingsOf({ sources }: Pick<CheckReport, 'sources'>): readonly PlacedFinding[] {
  return sources.flatMap((source) =>
    source.steps.flatMap((step) => step.findings.map((finding) => ({ source, step, finding }))),
  );
}

export function countSeverities(findings: readonly CheckFinding[]): SeverityCounts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

/** True for a finding that fails the check. */
export function isFailing({ severity }: CheckFinding, failOn: Severity): boolean {
  return SEVERITY_RANK[severity] >= SEVERITY_RANK[failOn];
}

/** True if any finding fails the check. */
export function hasFailed(report: CheckReport): boolean {
  return findingsOf(report).some(({ finding }) => isFailing(finding, report.failOn));
}

/** Duration of all steps of a source, in ms. */
export function durationOf({ steps }: CheckedSource): number {
  return steps.reduce((sum, { ms }) => sum + ms, 0);
}
