import { resolve } from 'node:path';
import { acceptAnswers, type Pin } from '@/features/check/lib/pins/pins-file';
import { type PlayedPin, pinSecrets, playPins } from '@/features/check/lib/pins/play-pins';
import { MOST_PINS_BYTES } from '@/features/check/proxy/pins/pins-on-disk';
import type { TestCase } from '@/lib/ci/junit-xml';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { countOf, formatCount } from '@/lib/wire/format';
import type { PinVerdict } from '@/lib/wire/pins';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { ParsedOptions } from '@/proxy/cli/grammar';
import type { CommandOutput, Line } from '@/proxy/cli/output';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';
import { readCompareOptions } from '@/proxy/commands/shared/compare-report';
import type { LocalFile } from '@/proxy/commands/shared/recording-files';
import { decideForWritten } from '@/proxy/files/decisions';
import { replaceFile, writeErrorReason } from '@/proxy/files/private-files';
import { readNamedFile } from '@/proxy/files/user-files';
import { callCase, callLines, callReport, countVerdicts } from '../verdict-report';
import { withoutGone } from './gone-pins';
import { askThrough, readPinsFile } from './pins-file';
import type { FileTest, Tested } from './tested';

/** Verdicts of calls by name. */
export type Verdicts = ReadonlyMap<string, PinVerdict>;

/** How a pins file is played again and again. */
export interface PinsWatch {
  /** Ends the playing without a report. */
  readonly stale: AbortSignal;
  /** The verdicts before. Calls that are the same as then are only counted. Absent: it is the first time. */
  readonly before: Verdicts | undefined;
  onPlayed(verdicts: Verdicts): void;
}

/** Reads a pins file, to play its calls one after another. Rejects with an ExitError. */
export async function preparePins(local: LocalFile, given: ParsedOptions, watch?: PinsWatch): Promise<FileTest> {
  const how = readCompareOptions(given);
  const { text, pins } = await readPinsFile(local);
  const file = local.shown;
  const environment = (name: string): string | undefined => process.env[name];
  const secrets = pinSecrets(pins, environment);
  const redactor = new CaptureRedactor(secrets);
  const stop = new AbortController();
  const signal = watch?.stale ?? stop.signal;
  let isPlaying = false;
  let tested: Tested | undefined;
  const playAll = async ({ connection, out }: ConnectedServer): Promise<readonly PlayedPin[]> => {
    const played: PlayedPin[] = [];
    isPlaying = true;
    for await (const one of playPins(pins, askThrough(connection, redactor, signal), how, environment)) {
      if (signal.aborted) break;
      played.push(one);
      out.status.show(`${formatCount(played.length)} of ${countOf(pins.length, 'call')}… Ctrl-C stops`);
    }
    isPlaying = false;
    out.status.end();
    return signal.aborted ? played : withoutGone(played, connection);
  };
  const play = async (server: ConnectedServer): Promise<ExitCode> => {
    const played = await playAll(server);
    if (watch?.stale.aborted) return EXIT.fine;
    const { out } = server;
    if (!out.json) out.printLines([...played.flatMap((one) => pinLines(one, watch?.before)), summaryLine(played)]);
    const code = await endPins({ file, text, pins }, played, given, out, signal.aborted, watch);
    tested = { file, name: file, code, json: reportOf(played), cases: casesOf(file, played) };
    watch?.onPlayed(new Map(played.map(({ pin, verdict }) => [pin.name, verdict])));
    return code;
  };
  const interrupt = (): boolean => {
    stop.abort();
    return isPlaying;
  };
  const connect = { redactor, secrets, interrupt };
  return { play: Object.assign(play, { connect }), tested: () => tested };
}

interface PinsText {
  readonly file: string;
  readonly text: string;
  readonly pins: readonly Pin[];
}

/** Says on stderr what is left to do, or accepts the answers. Returns the exit code. */
async function endPins(
  file: PinsText,
  played: readonly PlayedPin[],
  given: ParsedOptions,
  out: CommandOutput,
  isInterrupted: boolean,
  watch: PinsWatch | undefined,
): Promise<ExitCode> {
  if (isInterrupted) {
    const all = countOf(file.pins.length, 'call');
    out.printNote('mcp-inspect', `Interrupted after ${formatCount(played.length)} of ${all}.`);
    return EXIT.interrupted;
  }
  if (file.pins.length === 0) out.printNote('mcp-inspect', NO_CALLS);
  if (given.has('update')) return accept(file, played, out);
  const fresh = played.filter(({ verdict }) => verdict === 'new').length;
  const advice = watch ? 'Accept them without `--watch`, with `--update`.' : 'Accept what you see with `--update`.';
  if (fresh > 0 && !watch?.before) {
    out.printNote('mcp-inspect', `${countOf(fresh, 'call')} without an accepted answer. ${advice}`);
  }
  return arePassed(played) ? EXIT.fine : EXIT.serverError;
}

const NO_CALLS =
  'The file has no calls, so it tests nothing. `mcp-inspect test --add RECORDING` prints a file with calls.';

/** Accepts every answer that is not the accepted one, and writes the file. */
async function accept(
  { file, text, pins }: PinsText,
  played: readonly PlayedPin[],
  out: CommandOutput,
): Promise<ExitCode> {
  const taken = played.filter(({ verdict, answer }) => answer && verdict !== 'same');
  const left = played.filter(({ answer }) => !answer).length;
  if (taken.length > 0) {
    const { text: now } = await readNamedFile(resolve(file), { most: MOST_PINS_BYTES });
    if (now !== text) throw usageError(`\`${file}\` has changed meanwhile, so nothing was accepted: run this again.`);
    const written = acceptAnswers(text, new Map(taken.map(({ index, answer }) => [index, answer!])));
    await replaceFile(resolve(file), written).catch((error: unknown) => {
      throw usageError(`\`${file}\` can’t be written: ${writeErrorReason(error)}.`);
    });
    await decideForWritten('calls', resolve(file), { before: text, after: written });
  }
  out.printNote('mcp-inspect', `Accepted ${countOf(taken.length, 'answer')} in ${file}.`);
  return left === 0 && pins.length > 0 ? EXIT.fine : EXIT.serverError;
}

/** True if there are calls, and each has the accepted answer, or one that nobody has accepted yet. */
function arePassed(played: readonly PlayedPin[]): boolean {
  return played.length > 0 && played.every(({ verdict }) => verdict === 'same' || verdict === 'new');
}

function pinLines(one: PlayedPin, before: Verdicts | undefined): readonly Line[] {
  const last = before?.get(one.pin.name);
  if (last === 'same' && one.verdict === 'same') return [];
  const was = last === undefined || last === one.verdict ? '' : `  was ${last}`;
  return callLines({ ...one, ms: [one.ms] }, was);
}

const VERDICTS: readonly PinVerdict[] = ['same', 'changed', 'broken', 'new', 'skipped'];

function summaryLine(played: readonly PlayedPin[]): Line {
  const counts = countVerdicts(played, VERDICTS);
  const parts = VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => `${counts[verdict]} ${verdict}`);
  const text = played.length === 0 ? 'No calls.' : `${countOf(played.length, 'call')}: ${parts.join(', ')}.`;
  return [{ text, tone: arePassed(played) ? 'good' : 'bad' }];
}

/** The report for programs. */
function reportOf(played: readonly PlayedPin[]): object {
  const calls = played.map((one) => ({ ...callReport(one), ms: Number(one.ms.toFixed(3)) }));
  return { summary: countVerdicts(played, VERDICTS), calls };
}

function casesOf(file: string, played: readonly PlayedPin[]): readonly TestCase[] {
  if (played.length > 0) return played.map((one) => callCase({ ...one, ms: [one.ms] }, ['changed', 'broken']));
  return [{ className: 'pins', name: file, failures: ['The file has no calls.'] }];
}
