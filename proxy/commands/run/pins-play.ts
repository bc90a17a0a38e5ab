import { junitXml, type TestCase } from '@/lib/check/junit-xml';
import { PINS_FILE, type Pin } from '@/lib/pins/pins-file';
import { type PlayedPin, playPins, secretsOf } from '@/lib/pins/play-pins';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import type { PinVerdict } from '@/lib/wire/pins';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import type { CommandRequest, GivenOptions } from '@/proxy/cli/grammar';
import type { Line, Output, Tone } from '@/proxy/cli/output';
import type { ConnectedServer } from '../headless/on-server';
import { changeLines, changeTexts, readCompareOptions } from '../shared/compare-report';
import { terminalJson } from '../shared/format-content';
import { writeReports } from '../shared/report-files';
import { askThrough, readPinsFile } from './pins-file';

/** A pins file that was read, and how to play it. */
export interface PinsPlay {
  readonly file: string;
  readonly text: string;
  readonly pins: readonly Pin[];
  /** Masks the variables that its calls send. */
  readonly connect: { readonly redactor: CaptureRedactor; readonly secrets: readonly string[] };
  /** Plays the calls one after another, until `signal` is aborted. */
  play(server: ConnectedServer, signal: AbortSignal): Promise<readonly PlayedPin[]>;
}

/** Reads the pins file and the options of `run`. Throws an ExitError. */
export async function readPlay({ words: [file = PINS_FILE], given }: CommandRequest): Promise<PinsPlay> {
  const how = readCompareOptions(given);
  const { text, pins } = await readPinsFile(file);
  const environment = (name: string): string | undefined => process.env[name];
  const secrets = secretsOf(pins, environment);
  const redactor = new CaptureRedactor(secrets);
  const play: PinsPlay['play'] = async ({ connection, out }, signal) => {
    const played: PlayedPin[] = [];
    for await (const one of playPins(pins, askThrough(connection, redactor, signal), how, environment)) {
      if (signal.aborted) break;
      played.push(one);
      out.status.show(`${formatCount(played.length)} of ${countOf(pins.length, 'call')}… Ctrl-C stops`);
    }
    out.status.end();
    return played;
  };
  return { file, text, pins, connect: { redactor, secrets }, play };
}

/**
 * Prints the calls and writes the files of `--junit`. `before`: the verdicts of an earlier run by name. Then calls that
 * are the same as before are only counted.
 */
export async function printReport(
  file: string,
  played: readonly PlayedPin[],
  given: GivenOptions,
  out: Output,
  before?: ReadonlyMap<string, PinVerdict>,
): Promise<void> {
  if (out.json) out.printExact(terminalJson(reportOf(played)));
  else out.printLines([...played.flatMap((one) => pinLines(one, before)), summaryLine(played)]);
  await writeReports(given, 'junit', () => junitXml([{ name: file, cases: played.map(testCase) }]));
}

/** Says on stderr how many calls have no accepted answer yet. */
export function noteNew(played: readonly PlayedPin[], out: Output, advice: string): void {
  const fresh = played.filter(({ verdict }) => verdict === 'new').length;
  if (fresh > 0) out.printNote('mcp-inspect', `${countOf(fresh, 'call')} without an accepted answer. ${advice}`);
}

export function exitCodeOfCalls(played: readonly PlayedPin[]): ExitCode {
  return played.every(({ verdict }) => verdict === 'same' || verdict === 'new') ? EXIT.fine : EXIT.serverError;
}

const TONES: Readonly<Record<PinVerdict, Tone>> = {
  same: 'good',
  changed: 'bad',
  broken: 'bad',
  new: 'warn',
  skipped: 'warn',
};

function pinLines(one: PlayedPin, before?: ReadonlyMap<string, PinVerdict>): readonly Line[] {
  const { pin, verdict, why, ms } = one;
  const last = before?.get(pin.name);
  if (last === 'same' && verdict === 'same') return [];
  const was = last === undefined || last === verdict ? '' : `  was ${last}`;
  const took = verdict === 'skipped' ? '' : `  ${formatDuration(ms * 1000)}`;
  return [
    [{ text: verdict.padEnd(8), tone: TONES[verdict] }, ` ${pin.name}`, { text: took + was, tone: 'muted' }],
    ...(why === undefined ? [] : [[`  ${why}`]]),
    ...changeLines(one),
  ];
}

const VERDICTS = Object.keys(TONES) as readonly PinVerdict[];

function countsOf(played: readonly PlayedPin[]): Readonly<Record<PinVerdict, number>> {
  const counts = VERDICTS.map((known) => [known, played.filter(({ verdict }) => verdict === known).length] as const);
  return Object.fromEntries(counts) as Record<PinVerdict, number>;
}

function summaryLine(played: readonly PlayedPin[]): Line {
  const counts = countsOf(played);
  const parts = VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => `${counts[verdict]} ${verdict}`);
  const isFine = counts.same + counts.new === played.length;
  return [{ text: `${countOf(played.length, 'call')}: ${parts.join(', ') || 'none'}.`, tone: isFine ? 'good' : 'bad' }];
}

/** The report for programs. */
function reportOf(played: readonly PlayedPin[]): object {
  return {
    summary: countsOf(played),
    calls: played.map(({ pin, verdict, why, ends, differences, ms }) => ({
      name: pin.name,
      method: pin.method,
      verdict,
      ms: Number(ms.toFixed(3)),
      ...(why !== undefined && { why }),
      ...(ends && { ends }),
      ...(differences.length > 0 && { differences }),
    })),
  };
}

function testCase(one: PlayedPin): TestCase {
  const { pin, verdict, why, ms } = one;
  const isFine = verdict === 'same' || verdict === 'new';
  return {
    className: pin.method,
    name: pin.name,
    failures: isFine || verdict === 'skipped' ? [] : [...(why === undefined ? [] : [why]), ...changeTexts(one)],
    ...(verdict === 'skipped' && { skipped: why ?? '' }),
    ms,
  };
}
