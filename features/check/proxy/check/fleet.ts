import { basename, join, resolve } from 'node:path';
import { reportJson } from '@/features/check/lib/outputs/json';
import { rateReport } from '@/features/check/lib/rate-report';
import { type CheckReport, hasFailed } from '@/features/check/lib/report';
import { quietJson } from '@/lib/ci/server-text';
import { usageError } from '@/proxy/cli/exit-code';
import { makePrivateFolder, writeErrorReason, writeReport } from '@/proxy/files/private-files';
import type { CheckedEntry } from './check-config';
import type { CheckEnd } from './check-options';
import { fleetPage } from './fleet-page';
import { FLEET_FILES, type Fleet, findingsOfEntry, fleetRows } from './fleet-rows';

/** Makes the folder of a fleet, before the work that it is about. Throws an ExitError. */
export async function makeFleetFolder(folder: string): Promise<void> {
  await makePrivateFolder(resolve(folder)).catch((error: unknown) => {
    throw notWritten(folder, error);
  });
}

/** Writes the page and the JSON of a fleet. Throws an ExitError. */
export async function writeFleet(
  folder: string,
  entries: readonly CheckedEntry[],
  whole: CheckReport,
  end: Pick<CheckEnd, 'baseline' | 'budget' | 'settings'>,
  config: string,
): Promise<void> {
  const { baseline } = end;
  const rated = rateReport(whole, end);
  const { version, at, accepted } = rated;
  const rows = fleetRows(entries, rated.sources, baseline);
  const names = new Set(entries.map(({ name }) => name));
  const fleet: Fleet = {
    config: basename(config),
    version,
    at,
    passed: !hasFailed(rated),
    hasBaseline: baseline !== undefined,
    accepted,
    rows,
    removed: (baseline?.servers ?? []).filter((name) => !names.has(name)),
    shared: findingsOfEntry(rated.sources, undefined),
  };
  const files = [
    [FLEET_FILES.page, fleetPage(fleet)],
    [FLEET_FILES.json, quietJson(fleetJson(fleet, whole, rated, end), 2)],
  ] as const;
  for (const [name, text] of files) {
    await writeReport(join(resolve(folder), name), `${text}\n`).catch((error: unknown) => {
      throw notWritten(join(folder, name), error);
    });
  }
}

/** Returns what `fleet.json` holds: all problems, also accepted ones, because it is the next baseline. */
function fleetJson(
  { version, at, config, removed, rows }: Fleet,
  whole: CheckReport,
  rated: CheckReport,
  end: Pick<CheckEnd, 'budget' | 'settings'>,
): object {
  const all = reportJson(rateReport(whole, { ...end, baseline: undefined }));
  const { passed, accepted, baseline } = reportJson(rated).summary;
  return {
    mcpInspect: version,
    at,
    config,
    servers: rows.map(({ server }) => server),
    removed,
    summary: { ...all.summary, passed, accepted, ...(baseline && { baseline }) },
    problems: all.problems,
  };
}

function notWritten(path: string, error: unknown): Error {
  return usageError(`\`${path}\` can’t be written: ${writeErrorReason(error)}. Name another folder after \`--out\`.`);
}
