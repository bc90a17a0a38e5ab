import { resolve } from 'node:path';
import { readBaseline } from '@/lib/check/baseline';
import { type CheckSettings, readCheckSettings } from '@/lib/check/check-settings';
import { jsonReport } from '@/lib/check/outputs/json';
import { rateReport } from '@/lib/check/rate-report';
import type { CheckedSource } from '@/lib/check/report';
import { isObject } from '@/lib/json/value';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { callSteps, readCalls } from '@/proxy/commands/check/calls';
import { CHECK_MS, readFailOn, readSettings } from '@/proxy/commands/check/check-options';
import { checkRecording } from '@/proxy/commands/check/check-recordings';
import { checkServer } from '@/proxy/commands/check/check-server';
import { SURVIVAL_STEPS } from '@/proxy/commands/check/survival';
import { openErrorText } from '@/proxy/recorder/open-file';
import type { CheckOptions, CheckReport, Target } from './api';
import { clientOf } from './client-of';
import { requireOptions } from './known-options';
import { launchOf, type OwnPackage, serverOptionsOf } from './launch-target';
import { NO_STATUS, runQuietly } from './quiet-run';

/** A server, or recordings. */
type Checked = Target | { readonly recordings: readonly string[] };

/** Checks as the subcommand does, and rejects like it. */
export async function checkTarget(what: Checked, options: CheckOptions, own: OwnPackage): Promise<CheckReport> {
  requireOptions('check', options);
  const settings = await settingsOf(options.settings);
  const failOn = readFailOn(options.failOn ?? settings?.failOn);
  const { baseline } = options;
  const accepted = baseline && readBaseline(JSON.stringify(baseline));
  if (typeof accepted === 'string') throw usageError(`The \`baseline\` is not a report of a check: ${accepted}.`);
  const at = new Date().toISOString();
  const sources =
    isObject(what) && 'recordings' in what
      ? await recordingSources(what.recordings)
      : await serverSources(what, options, own);
  const whole = { version: own.version, sources, failOn, accepted: 0, at };
  const rated = rateReport(whole, { baseline: accepted, budget: settings?.budget ?? {}, settings });
  return JSON.parse(jsonReport(rated)) as CheckReport;
}

/** Reads the file that the option names, that of the working directory, or the value itself. Throws an ExitError. */
async function settingsOf(given: CheckOptions['settings']): Promise<CheckSettings | undefined> {
  if (given === false) return undefined;
  if (given === undefined || typeof given === 'string') return readSettings(given);
  const settings = readCheckSettings(given, closest);
  if (typeof settings !== 'string') return settings;
  throw usageError(`The \`settings\` can’t be used: ${settings.replace(/[.?]$/, '')}.`);
}

async function recordingSources(files: readonly string[]): Promise<readonly CheckedSource[]> {
  const sources: CheckedSource[] = [];
  for (const file of files) {
    const source = await checkRecording(resolve(file), { status: NO_STATUS }).catch((error: unknown) => {
      throw usageError(`\`${file}\` can’t be checked. ${openErrorText(error, 'of the recording')}`);
    });
    sources.push({ ...source, file });
  }
  return sources;
}

async function serverSources(
  target: Target,
  options: CheckOptions,
  own: OwnPackage,
): Promise<readonly CheckedSource[]> {
  const { allow, timeoutMs, requestTimeoutMs, signal } = options;
  const calls = readCalls(allow);
  const wholeMs = timeoutMs ?? (calls === 'none' ? CHECK_MS.whole : CHECK_MS.longWhole);
  const serverOptions = serverOptionsOf(target, options);
  const client = { ...clientOf({ ...options, timeoutMs: undefined }), handshakeMs: requestTimeoutMs };
  const launch = await launchOf(serverOptions, own.home);
  const { sources } = await runQuietly(signal, ({ onClose }) =>
    checkServer(launch, {
      server: { options: serverOptions, json: true, client, isUnattended: true },
      version: own.version,
      status: NO_STATUS,
      limits: { wholeMs, stepMs: requestTimeoutMs ?? CHECK_MS.step },
      steps: [...callSteps(calls), ...SURVIVAL_STEPS],
      onClose,
    }),
  );
  return sources;
}
