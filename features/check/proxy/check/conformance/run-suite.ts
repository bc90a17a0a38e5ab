import { readdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { notRequired, readSuiteChecks, type SuiteScenario } from '@/features/check/lib/conformance';
import { type Clock, systemClock } from '@/lib/wire/clock';
import { makeFolder } from '@/proxy/files/data-folder';
import { withTemporaryFolder } from '@/proxy/files/temporary-folder';
import { readNamedFile } from '@/proxy/files/user-files';
import { helperEnvironment } from '@/proxy/process/environment';
import { climbKillLadder } from '@/proxy/process/kill-ladder';
import type { Reaper } from '@/proxy/process/reaper';
import { spawnServer } from '@/proxy/process/spawn';
import type { ConformanceSuite } from './find-suite';

/** Milliseconds for all scenarios of a revision. Against a server that answers they take 3 to 10 s. */
const SUITE_MS = 180_000;
/** Milliseconds for one scenario. */
const SCENARIO_MS = 15_000;
/** Bytes of the longest results of a scenario. */
const RESULT_BYTES = 16 * 1024 * 1024;
/** Characters of its output that are kept. */
const OUTPUT_CHARS = 1024 * 1024;
/** Scenarios whose results are read. The suite has about 70. */
const MOST_SCENARIOS = 500;

/** A run of the suite. */
export interface SuiteRun {
  readonly scenarios: readonly SuiteScenario[];
  /** Why it ended before its end, in a sentence. */
  readonly wrong: string | undefined;
}

/** Runs the scenarios that `args` choose against a server at `url`. `onStart` gets what ends it before its end. */
export function runSuite(
  suite: ConformanceSuite,
  url: string,
  args: readonly string[],
  { reaper, clock = systemClock, onStart }: { reaper: Reaper; clock?: Clock; onStart(stop: () => void): void },
): Promise<SuiteRun> {
  return withTemporaryFolder(async (folder) => {
    const fixed = ['server', '--url', url, '--timeout', String(SCENARIO_MS), '--output-dir', folder];
    makeFolder(suite.cwd);
    const request = { command: suite.command, args: [...suite.args, ...fixed, ...args], cwd: suite.cwd };
    const { child, pid, tree } = await spawnServer({ ...request, env: withOwnNode() }, reaper);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk).slice(-OUTPUT_CHARS);
      });
    }
    child.stdin.on('error', () => {}).end();
    let wrong: string | undefined;
    const stop = (): void => void climbKillLadder({ tree, endStdin: () => {} }, 'SIGTERM', clock, () => {});
    onStart(stop);
    const callOff = clock.after(SUITE_MS, () => {
      wrong = `The suite was ended after ${SUITE_MS / 1000} s.`;
      stop();
    });
    const code = await new Promise<number | null>((resolve) => {
      child.once('exit', (status) => {
        tree.onLeaderExit();
        resolve(status);
      });
    });
    callOff();
    reaper.delete(pid);
    const scenarios = await readResults(folder, notRequired(output));
    // It exits with 1 if a scenario failed.
    if (code === null) wrong ??= 'The suite was stopped.';
    if (scenarios.length === 0) wrong ??= `The suite ended with code ${code}: ${lastLine(output)}`;
    return { scenarios, wrong };
  });
}

/** Returns our environment, in which npx runs on the Node that we run on: it was checked to be new enough. */
function withOwnNode(): NodeJS.ProcessEnv {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return {
    ...helperEnvironment(process.env),
    [name]: [dirname(process.execPath), process.env[name]].filter(Boolean).join(delimiter),
  };
}

/** Folders of results: `server-ping-2026-01-02T03-04-05-678Z`. */
const RESULTS = /^server-(.+)-(\d{4}-\d\d-\d\dT[\d-]+Z)$/;

/** Reads the results of all scenarios, in the order in which they ran. */
async function readResults(folder: string, optional: ReadonlySet<string>): Promise<readonly SuiteScenario[]> {
  const found = (await readdir(folder)).flatMap((entry) => {
    const [, name, at] = RESULTS.exec(entry) ?? [];
    return name !== undefined && at !== undefined ? [{ entry, name, at }] : [];
  });
  found.sort((a, b) => (a.at < b.at ? -1 : 1));
  const scenarios: SuiteScenario[] = [];
  for (const { entry, name } of found.slice(0, MOST_SCENARIOS)) {
    const { text = '' } = await readNamedFile(join(folder, entry, 'checks.json'), { most: RESULT_BYTES });
    scenarios.push({ name, checks: readSuiteChecks(text), isRequired: !optional.has(name) });
  }
  return scenarios;
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}
