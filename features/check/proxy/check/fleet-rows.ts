import type { Baseline } from '@/features/check/lib/baseline';
import { type FleetChange, fleetChanges } from '@/features/check/lib/fleet-changes';
import { type CheckedSource, type CheckFinding, countSeverities } from '@/features/check/lib/report';
import { formatCount } from '@/lib/wire/format';
import { table } from '@/proxy/cli/table';
import type { CheckedEntry } from './check-config';

/** The files of a fleet, in its folder. */
export const FLEET_FILES = { page: 'index.html', json: 'fleet.json' } as const;

/** One server of a config, as a check found it. Server text is raw. */
export interface FleetServer {
  readonly name: string;
  readonly reached: boolean;
  /** Why it was not reached. */
  readonly failure?: string;
  /** Its own name and version. */
  readonly server?: string;
  readonly eras: readonly string[];
  readonly tools?: number;
  readonly tokens?: number;
  readonly p95Ms?: number;
  /** Problems that no baseline accepts. */
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** Absent without a baseline, and for a server that could not be reached. */
  readonly changes?: readonly FleetChange[];
}

/** A server, and the problems that are counted. */
export interface FleetRow {
  readonly server: FleetServer;
  readonly problems: readonly CheckFinding[];
}

/** The servers of a config, for the page and the file. */
export interface Fleet {
  readonly config: string;
  /** Version of mcp-inspect. */
  readonly version: string;
  /** ISO 8601. */
  readonly at: string;
  readonly passed: boolean;
  readonly hasBaseline: boolean;
  /** Problems that the baseline accepts. */
  readonly accepted: number;
  readonly rows: readonly FleetRow[];
  /** Servers of the baseline that the config does not have. */
  readonly removed: readonly string[];
  /** Problems of the config itself. */
  readonly shared: readonly CheckFinding[];
}

/** Returns a row for each server, with the problems that are left in the report. */
export function fleetRows(
  entries: readonly CheckedEntry[],
  reported: readonly CheckedSource[],
  baseline: Baseline | undefined,
): readonly FleetRow[] {
  return entries.map(({ name, sources, failure }) => {
    const { facts } = sources[0]!;
    const problems = findingsOfEntry(reported, name);
    const { error, warning, info } = countSeverities(problems);
    const { server, tools, tokens, p95Ms } = facts;
    return {
      problems,
      server: {
        name,
        reached: !failure,
        ...(failure && { failure: failure.message }),
        ...(server !== undefined && { server }),
        eras: [...new Set(sources.flatMap((source) => source.facts.era ?? []))],
        ...(tools !== undefined && { tools }),
        ...(tokens !== undefined && { tokens }),
        ...(p95Ms !== undefined && { p95Ms }),
        errors: error,
        warnings: warning,
        infos: info,
        ...(baseline && !failure && { changes: fleetChanges(baseline.sources.get(name), facts) }),
      },
    };
  });
}

/** Returns the problems of one server of the config, or of the config itself. */
export function findingsOfEntry(sources: readonly CheckedSource[], name: string | undefined): readonly CheckFinding[] {
  return sources
    .filter(({ entry }) => entry === name)
    .flatMap(({ steps }) => steps.flatMap(({ findings }) => findings));
}

const HEADINGS = ['SERVER', 'STATE', 'VERSION', 'ERA', 'TOOLS', 'TOKENS', 'PROBLEMS'];

/** Formats a row for each server: up or not, what it is, and how many problems are left in the report. */
export function matrixText(rows: readonly FleetRow[], width: number | undefined): string {
  const cells = rows.map(({ server }) => [
    server.name,
    server.failure === undefined ? 'up' : `no: ${server.failure}`,
    server.server ?? '',
    server.eras.join(' + '),
    server.tools === undefined ? '' : String(server.tools),
    server.tokens === undefined ? '' : `~${formatCount(server.tokens)}`,
    problemsText(server),
  ]);
  return table(HEADINGS, cells, width);
}

/** Says how many problems a server has: `1 error, 2 hints`, or `none`. */
export function problemsText({ errors, warnings, infos }: FleetServer): string {
  const counts = [
    [errors, 'error'],
    [warnings, 'warning'],
    [infos, 'hint'],
  ] as const;
  return (
    counts
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`)
      .join(', ') || 'none'
  );
}
