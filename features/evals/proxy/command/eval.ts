import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAllowance } from '@/features/chat/proxy/command/allowance';
import { LoadedModels } from '@/features/chat/proxy/command/chat-models';
import { readChatSettings } from '@/features/chat/proxy/command/model-options';
import { compareEvals, readEvalReport } from '@/features/evals/lib/compare-evals';
import type { CommandSetup } from '@/features/evals/lib/evals-api';
import { junitEvals } from '@/features/evals/lib/junit-evals';
import { CasesError } from '@/features/evals/lib/read-cases';
import { type EvalReport, evalReport } from '@/features/evals/lib/report';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { momentNow, systemClock } from '@/lib/wire/clock';
import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import {
  type CommandContext,
  lastValue,
  type ParsedOptions,
  type RunCommand,
  readCountOption,
} from '@/proxy/cli/grammar';
import { readFileArgument } from '@/proxy/commands/headless/call-arguments';
import { readClientOptions } from '@/proxy/commands/headless/client-options';
import { endWith, exitCodeOf } from '@/proxy/commands/headless/on-server';
import { MOST_JOBS } from '@/proxy/commands/shared/config-servers';
import { namedFile } from '@/proxy/commands/shared/file-access';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { checkReports, writeReports } from '@/proxy/commands/shared/report-files';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { makeFolder, ownRecordingsFolder } from '@/proxy/files/data-folder';
import { writeErrorReason } from '@/proxy/files/private-files';
import type { EvalPlan } from '../eval-plan';
import { EvalSession } from '../eval-session';
import { type EvalWriter, evalsFolder, type KeptEval, KeptEvals } from '../kept-evals';
import { planCases, readCasesFile } from './eval-plan';
import { comparisonText, evalText } from './eval-text';
import { attemptRecordings } from './run-log';

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
  const { version, home, printNote, printText, status } = context;
  const { files, given, resumed } = await readSetup(context);
  const jobs = readCountOption('jobs', lastValue(given, 'jobs') ?? '2', MOST_JOBS);
  const [allow, settings, client] = [
    readAllowance(given),
    await readChatSettings(given),
    await readClientOptions(given),
  ];
  const before = await readEarlier(lastValue(given, 'baseline'), context);
  checkReports(given, 'report.junit');
  const models = new LoadedModels({
    version,
    allowLinkLocal: given.has('allow-link-local'),
    baseUrl: lastValue(given, 'model-option.url'),
    printNote,
    refusesOthers: true,
  });
  const secrets = new CaptureRedactor([]);
  const planning = { home, version, client, settings, secrets, printNote };
  const plans: EvalPlan[] = [];
  for (const file of files) {
    const loadModel = (name: string, folder: string) => models.load(name, folder);
    plans.push(await planCases(await readCasesFile(file), given, { ...planning, loadModel }));
  }
  secrets.addGivenSecrets(models.keys.values());
  const session = new EvalSession(plans, {
    allow,
    jobs,
    secrets,
    earlier: resumed?.attempts ?? [],
    within: runWithin,
    ...attemptRecordings(recordFolder(given), version, secrets, printNote),
  });
  let writer: EvalWriter | undefined;
  let isDone = false;
  const close = async (): Promise<void> => {
    status.end();
    await session.close();
    await writer?.end(isDone);
  };
  onSignals(close, () => {
    if (session.isStopped) return false;
    session.stop();
    return true;
  });
  try {
    status.show('Starting the servers… Ctrl-C stops');
    await session.check().catch((error: unknown) => {
      throw error instanceof CasesError ? usageError(error.message) : error;
    });
    writer = await keep(context, resumed, { files, given }, plans, session.counts.planned, secrets);
    const show = (): void => status.show(`${session.counts.made} of ${session.counts.planned} runs… Ctrl-C stops`);
    show();
    isDone = await session.run(writer, show);
    status.end();
    const report = evalReport(session.attempts);
    const comparison = before && compareEvals(before, report);
    if (given.has('json')) printText(terminalJson({ ...report, ...(comparison && { comparison }) }));
    else {
      const width = process.stdout.isTTY ? process.stdout.columns : undefined;
      printText([evalText(report, width), ...(comparison ? ['', comparisonText(comparison, width)] : [])].join('\n'));
    }
    await writeReports(given, 'report.junit', () => junitEvals(report));
    noteRefusals(report, printNote);
    if (writer?.failure !== undefined) printNote(`mcp-inspect: ${writer.failure}`);
    if (!isDone) {
      const again =
        writer && !writer.head.isMasked ? ` Continue with \`mcp-inspect eval --resume ${writer.head.id}\`.` : '';
      printNote(`mcp-inspect: Interrupted after ${session.counts.made} of ${session.counts.planned} runs.${again}`);
      return EXIT.interrupted;
    }
    if (session.hadNoServers) return EXIT.noConnection;
    return report.totals.failed + report.totals.errors > 0 ? EXIT.serverError : EXIT.fine;
  } finally {
    await close();
  }
}

interface Setup {
  readonly files: readonly string[];
  readonly given: ParsedOptions;
}

/** Options that only say what happens with the results, or may hold secrets. They are not taken over. */
const NOT_KEPT: ReadonlySet<string> = new Set(['resume', 'json', 'report.junit', 'baseline', 'out', 'record', 'input']);

/** Reads what to run: the command line, or that of the eval to resume. Rejects with an ExitError. */
async function readSetup({ request }: CommandContext): Promise<Setup & { readonly resumed?: KeptEval }> {
  const { given, words } = request;
  const id = lastValue(given, 'resume');
  if (id === undefined) {
    if (words.length === 0) throw usageError('`eval` needs a file of cases, or `--resume ID`.');
    return { files: words, given };
  }
  if (words.length > 0) throw usageError('`--resume` runs the files of the earlier eval: remove the others.');
  const resumed = await readKept(id);
  const { from } = resumed.head;
  if (!('command' in from)) throw usageError('That eval was started on the page: resume it there.');
  const { cwd, files, options } = from.command;
  if (cwd !== process.cwd()) throw usageError(`That eval ran in \`${cwd}\`: change to that directory.`);
  return { files, given: new Map([...options, ...given]), resumed };
}

/** Reads a kept eval. Rejects with an ExitError. */
async function readKept(id: string): Promise<KeptEval> {
  const evals = keptEvals();
  const ids = evals.ids();
  try {
    return await evals.readToResume(id);
  } catch (error) {
    if (ids.includes(id) && isFailure(error)) throw usageError(`${error.message} ${error.advice}`);
    const [newest] = ids;
    const advice = newest === undefined ? 'no eval is kept.' : `the newest is \`${newest}\`.`;
    throw usageError(`There is no eval \`${id.slice(0, 60)}\`: ${advice}`);
  }
}

function keptEvals(): KeptEvals {
  return new KeptEvals(evalsFolder(ownRecordingsFolder()));
}

/** Begins to keep the results. An eval also runs where nothing can be written. Rejects with an ExitError. */
async function keep(
  { printNote, request }: CommandContext,
  resumed: KeptEval | undefined,
  { files, given }: Setup,
  plans: readonly EvalPlan[],
  planned: number,
  secrets: CaptureRedactor,
): Promise<EvalWriter | undefined> {
  if (request.given.has('record')) return undefined;
  try {
    if (resumed) return (await keptEvals().continue(resumed.head.id)).writer;
    const options = [...given].filter(([name]) => !NOT_KEPT.has(name));
    const command: CommandSetup = { cwd: process.cwd(), files, options };
    const about = {
      at: momentNow(systemClock).at,
      title: files.join(', '),
      planned,
      from: { command },
      cases: plans.reduce((sum, { settings }) => sum + settings.cases.length, 0),
      models: [...new Set(plans.flatMap(({ models }) => models.map(({ id }) => id)))],
    };
    return await keptEvals().create(about, secrets);
  } catch (error) {
    if (resumed && isFailure(error)) throw usageError(`${error.message} ${error.advice}`);
    const reason = isFailure(error) ? error.message : writeErrorReason(error);
    printNote(`mcp-inspect: The results are not kept, so this eval can’t be resumed: ${reason}.`);
    return undefined;
  }
}

/** Reads the report of an earlier run. Rejects with an ExitError if the file is something else. */
async function readEarlier(file: string | undefined, context: CommandContext): Promise<EvalReport | undefined> {
  if (file === undefined) return undefined;
  const report = readEvalReport(await readFileArgument((await namedFile(file, context)).path, 'after `--baseline`'));
  if (report) return report;
  throw usageError(`\`${file}\` is not a report: give a file with the output of \`mcp-inspect eval --json\`.`);
}

/** Makes the folder for recordings. Throws an ExitError unless it is new or empty. */
function recordFolder(given: ParsedOptions): string | undefined {
  if ((lastValue(given, 'record') ?? 'off') !== 'off')
    throw usageError('`--record` of an eval can only be off: record chats and servers with `--out FOLDER`.');
  const name = lastValue(given, 'out');
  if (name === undefined) return undefined;
  const folder = resolve(name);
  try {
    makeFolder(folder);
    if (readdirSync(folder).length === 0) return folder;
  } catch (error) {
    const reason = isFailure(error) ? error.message : writeErrorReason(error);
    throw usageError(`The folder \`${name}\` can’t be used: ${reason}. Name another after \`--out\`.`);
  }
  throw usageError(`The folder \`${name}\` is not empty: name a new one after \`--out\`.`);
}

function noteRefusals({ totals }: EvalReport, printNote: (line: string) => void): void {
  if (totals.refused === 0) return;
  const [calls, them] = totals.refused === 1 ? ['1 call was', 'it'] : [`${totals.refused} calls were`, 'them'];
  printNote(
    `mcp-inspect: ${calls} refused, because nobody allowed ${them}. Add \`--allow read-only\`, \`--allow all\` or names of tools.`,
  );
}
