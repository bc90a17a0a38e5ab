import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareEvals, readEvalReport } from '@/lib/evals/compare-evals';
import { junitEvals } from '@/lib/evals/junit-evals';
import { type EvalReport, evalReport } from '@/lib/evals/report';
import { planRuns, runAll } from '@/lib/evals/run-evals';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, type GivenOptions, lastValue, type RunCommand, readCount } from '@/proxy/cli/grammar';
import { makeFolder } from '@/proxy/files/data-folder';
import { writeErrorReason } from '@/proxy/files/private-files';
import { readFileArgument } from '../call-arguments';
import { readAllowance } from '../chat/allowance';
import { ChatModels } from '../chat/chat-models';
import { readChatSettings } from '../chat/model-options';
import { readClientOptions } from '../client-options';
import { MOST_JOBS } from '../config-servers';
import { terminalJson } from '../format-content';
import { endWith, exitCodeOf } from '../on-server';
import { writeReports } from '../report-files';
import { CaseRunner, NOT_STARTED } from './case-runner';
import { type EvalPlan, planFile } from './eval-plan';
import { comparisonText, evalText } from './eval-text';

/** Runs files of cases with models, and reports which tools the models picked. */
export const run: RunCommand = async (context) => {
  try {
    return await evaluate(context, endWith);
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
};

/** As {@link run}. `onSignals` gets what ends the servers, and what Ctrl-C does first. */
export async function evaluate(context: CommandContext, onSignals: typeof endWith): Promise<ExitCode> {
  const { request, version, printNote, printText, status } = context;
  const { given, words } = request;
  const jobs = readCount('jobs', lastValue(given, 'jobs') ?? '2', MOST_JOBS);
  const [allow, settings, client] = [
    readAllowance(given),
    await readChatSettings(given),
    await readClientOptions(given),
  ];
  const before = await readEarlier(lastValue(given, 'against'));
  const models = new ChatModels({
    ...{ version, allowLinkLocal: given.has('allow-link-local'), baseUrl: lastValue(given, 'model-url') },
    ...{ printNote, refusesOthers: true },
  });
  const plans: EvalPlan[] = [];
  for (const file of words) plans.push(await planFile(file, given, models, context));
  const folder = recordFolder(given);
  const secrets = new CaptureRedactor(models.keys.values());
  const shared = { version, allow, given: settings, client, folder, secrets, printNote };
  const planned = plans
    .flatMap((plan, index) => {
      const runner = new CaseRunner(plan, index + 1, shared);
      return planRuns(plan.settings.cases, plan.models, plan.repeats).map((one) => ({ runner, one }));
    })
    .map((entry, index) => ({ ...entry, number: index + 1 }));
  const stop = new AbortController();
  const close = async (): Promise<void> => {
    stop.abort();
    status.end();
    await Promise.all([...new Set(planned.map(({ runner }) => runner))].map((runner) => runner.close()));
  };
  onSignals(close, () => {
    if (stop.signal.aborted) return false;
    stop.abort();
    return true;
  });
  let done = 0;
  try {
    const runs = await runAll(
      planned,
      jobs,
      async ({ runner, one, number }) => {
        status.show(`${done} of ${planned.length} runs… Ctrl-C stops`);
        const result = await runner.run(one, number, stop.signal);
        done++;
        return result;
      },
      stop.signal,
    );
    status.end();
    const interrupted = stop.signal.aborted;
    const report = evalReport(runs);
    const comparison = before && compareEvals(before, report);
    if (given.has('json')) printText(terminalJson({ ...report, ...(comparison && { comparison }) }));
    else {
      const width = process.stdout.isTTY ? process.stdout.columns : undefined;
      printText([evalText(report, width), ...(comparison ? ['', comparisonText(comparison, width)] : [])].join('\n'));
    }
    await writeReports(given, 'junit', () => junitEvals(report));
    noteRefusals(report, printNote);
    if (interrupted) {
      printNote(`mcp-inspect: Interrupted after ${runs.length} of ${planned.length} runs.`);
      return EXIT.interrupted;
    }
    if (runs.every(({ facts }) => facts.failure?.code === NOT_STARTED)) return EXIT.noConnection;
    return report.totals.failed > 0 ? EXIT.serverError : EXIT.fine;
  } finally {
    await close();
  }
}

/** Reads the report of an earlier run. Rejects with an ExitError if the file is none. */
async function readEarlier(path: string | undefined): Promise<EvalReport | undefined> {
  if (path === undefined) return undefined;
  const report = readEvalReport(await readFileArgument(path, 'after `--against`'));
  if (report) return report;
  throw usageError(`\`${path}\` is not a report: give a file with the output of \`mcp-inspect eval --json\`.`);
}

/** Makes the folder for recordings. Throws an ExitError unless it is new or empty. */
function recordFolder(given: GivenOptions): string | undefined {
  const name = lastValue(given, 'record');
  if (name === undefined) return undefined;
  const folder = resolve(name);
  try {
    makeFolder(folder);
    if (readdirSync(folder).length === 0) return folder;
  } catch (error) {
    const reason = isFailure(error) ? error.message : writeErrorReason(error);
    throw usageError(`The folder \`${name}\` can’t be used: ${reason}. Name another after \`--record\`.`);
  }
  throw usageError(`The folder \`${name}\` is not empty: name a new one after \`--record\`.`);
}

function noteRefusals({ totals }: EvalReport, printNote: (line: string) => void): void {
  if (totals.refused === 0) return;
  const calls = totals.refused === 1 ? '1 call was' : `${totals.refused} calls were`;
  printNote(
    `mcp-inspect: ${calls} refused, because nobody allowed it. Add \`--allow read-only\`, \`--allow all\` or names of tools.`,
  );
}
