import type { Baseline } from '@/features/check/lib/baseline';
import { type Budget, readBudgetLimit } from '@/features/check/lib/budget';
import {
  type CheckSettings,
  extendedSettings,
  hiddenBy,
  onlyStricter,
  readCheckSettings,
} from '@/features/check/lib/check-settings';
import { CHECK_OUTPUTS } from '@/features/check/lib/outputs/registry';
import { rateReport } from '@/features/check/lib/rate-report';
import { type CheckFinding, type CheckReport, hasFailed } from '@/features/check/lib/report';
import { choiceOf } from '@/proxy/cli/choice';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue } from '@/proxy/cli/grammar';
import { checkReports, writeReports } from '@/proxy/commands/shared/report-files';
import { type FoundSettings, readFoundSettings, readSettingsFiles } from '@/proxy/commands/shared/settings-file';
import { mayUseSettings } from '@/proxy/commands/shared/team-options';
import { findBaseline } from './find-baseline';
import { type Locate, readLocation } from './repository-place';

/** Milliseconds for the whole check of a server, without and with much to do, and for one step. */
export const CHECK_MS = { whole: 120_000, longWhole: 600_000, step: 10_000 } as const;

const FAIL_ON: readonly CheckFinding['severity'][] = ['error', 'warning', 'info'];

/** How a check ends. */
export interface CheckEnd {
  readonly settings: CheckSettings | undefined;
  readonly failOn: CheckFinding['severity'];
  readonly baseline: Baseline | undefined;
  readonly budget: Budget;
  /** Finds the place of sources in the repository; undefined if no report needs it. */
  readonly locate: Locate | undefined;
}

/** Reads `--fail-on`, `--budget`, `--baseline` and the outputs. Throws an ExitError. */
export async function readCheckEnd(context: Pick<CommandContext, 'request' | 'version'>): Promise<CheckEnd> {
  const { request } = context;
  const { given } = request;
  const settings = await readSettings(lastValue(given, 'settings'));
  const failOn = readFailOn(lastValue(given, 'fail-on') ?? settings?.failOn);
  const onStdout = CHECK_OUTPUTS.filter(({ option, to }) => to === 'stdout' && option && given.has(option));
  if (onStdout.length > 1) {
    throw usageError('`--json` and `--report github` both print the report: remove one of them.');
  }
  for (const { option, to } of CHECK_OUTPUTS) if (option !== undefined && to === 'file') checkReports(given, option);
  return {
    settings,
    failOn,
    baseline: await findBaseline(context),
    budget: { ...settings?.budget, ...readBudget(given.get('budget') ?? []) },
    locate: readLocation(request),
  };
}

/** Reads `--budget NAME=MOST,…`. Throws an ExitError. */
function readBudget(values: readonly string[]): Budget {
  const limits = values
    .flatMap((value) => value.split(','))
    .map((word) => {
      const [, name = '', most = ''] = /^([^=]*)=?(.*)$/s.exec(word)!;
      const limit = readBudgetLimit(name, most);
      if (typeof limit === 'string') throw usageError(`\`--budget ${word.slice(0, 60)}\` is invalid: ${limit}.`);
      return limit;
    });
  return Object.assign({}, ...limits);
}

/**
 * Reads the file of `--settings`, or that of the working directory if there is one. What hides problems in a file that
 * nobody named counts only if a person agrees. Throws an ExitError.
 */
async function readSettings(named: string | undefined): Promise<CheckSettings | undefined> {
  const files = await readSettingsFiles(named);
  const settings = joinedSettings(files);
  if (!settings || named !== undefined) return settings;
  const isHiding = files.some((file) => hiddenBy(readFoundSettings(file, readCheckSettings)).length > 0);
  if (!isHiding || (await mayUseSettings(files))) return settings;
  return files.map((file) => onlyStricter(readFoundSettings(file, readCheckSettings))).reduce(extendedSettings);
}

/** Returns the settings of files that extend one another; undefined if there are none. */
export function joinedSettings(files: readonly FoundSettings[]): CheckSettings | undefined {
  return files.length === 0
    ? undefined
    : files.map((file) => readFoundSettings(file, readCheckSettings)).reduce(extendedSettings);
}

/** Reads the value of `--fail-on`. Throws an ExitError. */
export function readFailOn(word = 'error'): CheckEnd['failOn'] {
  return choiceOf('--fail-on', word, FAIL_ON);
}

/**
 * Prints a report and writes its files. `overview` is printed after a text report; it gets the sources without what the
 * baseline accepts. Returns the exit code. Throws an ExitError if a file can’t be written.
 */
export async function endCheck(
  whole: CheckReport,
  { baseline, settings, budget, locate }: CheckEnd,
  { request: { given }, printText }: Pick<CommandContext, 'request' | 'printText'>,
  overview?: (sources: CheckReport['sources']) => string,
): Promise<ExitCode> {
  const rated = rateReport(whole, { baseline, budget, settings });
  const sources = locate ? rated.sources.map((source) => ({ ...source, ...locate(source) })) : rated.sources;
  const report = { ...rated, sources };
  const printed = CHECK_OUTPUTS.find(({ option, to }) => to === 'stdout' && (!option || given.has(option)));
  printText(printed!.format(report));
  if (overview && !printed!.option) printText(`\n${overview(report.sources)}`);
  for (const { option, to, format } of CHECK_OUTPUTS) {
    if (to === 'stdout' || option === undefined) continue;
    await writeReports(given, option, () => format(report));
  }
  return hasFailed(report) ? EXIT.serverError : EXIT.fine;
}
