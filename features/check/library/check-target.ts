import { type Baseline, readBaseline } from '@/features/check/lib/baseline';
import type { Budget } from '@/features/check/lib/budget';
import { type CheckSettings, readBudget, readCheckSettings } from '@/features/check/lib/check-settings';
import { jsonReport } from '@/features/check/lib/outputs/json';
import { rateReport } from '@/features/check/lib/rate-report';
import type { CheckedSource } from '@/features/check/lib/report';
import { readCalls } from '@/features/check/proxy/check/calls';
import { CHECK_MS, joinedSettings, readFailOn } from '@/features/check/proxy/check/check-options';
import { checkNamed } from '@/features/check/proxy/check/check-recordings';
import { checkServer, stepsFor } from '@/features/check/proxy/check/check-server';
import { findBaseline } from '@/features/check/proxy/check/find-baseline';
import { pinsStep } from '@/features/check/proxy/check/pins';
import { SessionRecordings } from '@/features/check/proxy/check/session-recordings';
import { isObject } from '@/lib/json/value';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { requireRecordingName } from '@/proxy/cli/page-options';
import { namedFile } from '@/proxy/commands/shared/file-access';
import { type ForHosts, forHosts } from '@/proxy/commands/shared/for-hosts';
import { readSettingsFiles } from '@/proxy/commands/shared/settings-file';
import type { Target } from '@/proxy/library/api';
import { clientOf } from '@/proxy/library/client-of';
import { requireOptions } from '@/proxy/library/known-options';
import { launchOf, type OwnPackage, serverOptionsOf } from '@/proxy/library/launch-target';
import { givenOptions, NO_STATUS, runQuietly } from '@/proxy/library/quiet-run';
import type { CheckOptions, CheckReport } from './check-types';
import { CHECK_OPTION_NAMES } from './option-names';

/** A server, or recordings. */
type Checked = Target | { readonly recordings: readonly string[] };

/** Checks as the subcommand does, and rejects like it. */
export async function checkTarget(what: Checked, options: CheckOptions, own: OwnPackage): Promise<CheckReport> {
  requireOptions('check', CHECK_OPTION_NAMES, options);
  const settings = await settingsOf(options.settings);
  const failOn = readFailOn(options.failOn ?? settings?.failOn);
  const budget = { ...settings?.budget, ...budgetOf(options.budget) };
  const baseline = await baselineOf(options.baseline, own);
  const at = new Date().toISOString();
  const sources =
    isObject(what) && 'recordings' in what
      ? await recordingSources(what.recordings, options, own)
      : await serverSources(what, options, own);
  const whole = { version: own.version, sources, failOn, accepted: 0, at };
  const rated = rateReport(whole, { baseline, budget, settings });
  return JSON.parse(jsonReport(rated)) as CheckReport;
}

/** Reads the file that the option names, that of the working directory, or the value itself. Throws an ExitError. */
async function settingsOf(given: CheckOptions['settings']): Promise<CheckSettings | undefined> {
  if (given === false) return undefined;
  if (given === undefined || typeof given === 'string') return joinedSettings(await readSettingsFiles(given));
  const ofFile = ['extends', 'options'].find((name) => name in given);
  if (ofFile !== undefined) throw usageError(`\`${ofFile}\` works only in a file: name that as \`settings\`.`);
  const settings = readCheckSettings(given, closest);
  if (typeof settings !== 'string') return settings;
  throw usageError(`The \`settings\` can’t be used: ${settings.replace(/[.?]$/, '')}.`);
}

/** Reads an earlier report: its path, or the report itself. Throws an ExitError. */
async function baselineOf(given: CheckOptions['baseline'], own: OwnPackage): Promise<Baseline | undefined> {
  if (given === undefined) return undefined;
  if (typeof given === 'string') return findBaseline(fileContext(own, given));
  const baseline = readBaseline(JSON.stringify(given));
  if (typeof baseline !== 'string') return baseline;
  throw usageError(`The \`baseline\` is not a report of a check: ${baseline}.`);
}

function hostsOf(given: CheckOptions['for'] = []): Promise<ForHosts | undefined> {
  return forHosts('`for`', typeof given === 'string' ? [given] : given);
}

function budgetOf(given: CheckOptions['budget'] = {}): Budget {
  const budget = readBudget(given);
  if (typeof budget !== 'string') return budget;
  throw usageError(`The \`budget\` can’t be used: ${budget}.`);
}

function fileContext({ version }: OwnPackage, baseline?: string) {
  return { version, request: { given: givenOptions({ baseline }) } };
}

async function recordingSources(
  files: readonly string[],
  { pins, record, for: hosts }: CheckOptions,
  own: OwnPackage,
): Promise<readonly CheckedSource[]> {
  if (pins !== undefined) throw usageError('`pins` plays calls, so it needs a server, not a recording.');
  if (record !== undefined) throw usageError('`record` records a server: remove it.');
  if (files.length === 0) throw usageError('`recordings` is empty: name a recording.');
  return checkNamed(files, fileContext(own), await hostsOf(hosts));
}

async function serverSources(
  target: Target,
  options: CheckOptions,
  own: OwnPackage,
): Promise<readonly CheckedSource[]> {
  const { allow, pins, record, timeoutMs, requestTimeoutMs, signal } = options;
  const hosts = await hostsOf(options.for);
  const calls = readCalls(allow);
  if (record !== undefined) requireRecordingName(record, 'record');
  const pinned = pins === undefined ? [] : [await pinsStep(await namedFile(pins, fileContext(own)))];
  const wholeMs = timeoutMs ?? (calls === 'none' && pins === undefined ? CHECK_MS.whole : CHECK_MS.longWhole);
  const serverOptions = serverOptionsOf(target, options);
  const client = { ...clientOf({ ...options, timeoutMs: undefined }), handshakeMs: requestTimeoutMs };
  const launch = await launchOf(serverOptions, own.home);
  const { sources } = await runQuietly(signal, ({ onClose }) =>
    checkServer(launch, {
      server: { options: serverOptions, json: true, client, isUnattended: true },
      version: own.version,
      status: NO_STATUS,
      limits: { wholeMs, stepMs: requestTimeoutMs ?? CHECK_MS.step },
      hosts,
      steps: stepsFor(pinned, calls, hosts),
      ...(record !== undefined && { recordings: new SessionRecordings(record) }),
      onClose,
    }),
  );
  return sources;
}
