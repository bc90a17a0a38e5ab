import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { junitXml, type Suite } from '@/lib/check/junit-xml';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { CallPair } from '@/lib/replay/compare/call-diff';
import { type Comparison, comparedNothing, isEqual } from '@/lib/replay/compare/comparison';
import { type PlayStep, playPlan, recordedClient, staleLists } from '@/lib/replay/compare/recorded-client';
import { type FrameTexts, textOrCut } from '@/lib/replay/traffic/message-table';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { countOf, formatCount, progressText } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure, PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { EXIT, type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, CommandRequest, GivenOptions } from '@/proxy/cli/grammar';
import { type Line, type Output, terminalOutput } from '@/proxy/cli/output';
import type { Status } from '@/proxy/cli/status-line';
import { deleteIfThere, renameFile } from '@/proxy/files/existing-files';
import { openErrorText } from '@/proxy/recorder/open-file';
import { checkSentences, damageSentences, readTrafficFile } from '@/proxy/recorder/read-traffic';
import { readClientOptions } from '../headless/client-options';
import {
  type ConnectedServer,
  endWith,
  exitCodeOf,
  findLaunch,
  readServerRequest,
  runOn,
  type ServerCommand,
} from '../headless/on-server';
import { type LiveTraffic, type PlayedConnection, Player } from '../headless/recorded-player';
import {
  compareWithStatus,
  comparisonCases,
  comparisonReport,
  type InterruptedAt,
  readCompareOptions,
  reportLines,
  type Sides,
} from '../shared/compare-report';
import { terminalJson } from '../shared/format-content';
import { writeReports } from '../shared/report-files';

/** Names of the sides. Lists missing in the recording are not requested either. */
const SIDES: Sides = ['the recording', 'the server’s responses', 'the recording'];
const NOTHING_COMPARED =
  'Nothing could be compared: record with the page, which reads all lists, or give redacted values with `--secret DIGITS=VALUE`.';

/** Plays recorded clients to a server and compares the answers. A folder stands for its recordings. */
export const run: ServerCommand = Object.assign(runAll, { prepare });

/** A recording that was played. */
interface Verified {
  readonly file: string;
  /** Name in the recording's header. */
  readonly name: string;
  /** undefined if there was no connection. */
  readonly comparison?: Comparison;
  readonly interrupted?: InterruptedAt | undefined;
  readonly code: ExitCode;
}

async function runAll({ request, version, home, status }: CommandContext): Promise<ExitCode> {
  try {
    const server = { ...readServerRequest(request), client: await readClientOptions(request.given, false) };
    const files = (await Promise.all(request.words.map(recordingsIn))).flat();
    const isUpdate = request.given.has('update');
    if (isUpdate && server.record !== undefined)
      throw usageError('`--update` records by itself: leave out `--record`.');
    const out = terminalOutput(server.json);
    const all: Verified[] = [];
    let [close, interrupt] = [async () => {}, () => false];
    endWith(
      () => close(),
      () => interrupt(),
    );
    for (const file of files) {
      let verified: Verified | undefined;
      const action = await prepareFile(file, request.given, status, (one) => {
        verified = one;
        if (!out.json) report(one, files.length > 1, out);
        return one.code;
      });
      ({ interrupt } = action.connect);
      const launch = await findLaunch(server.options, home, action.connect.protocol);
      const fresh = isUpdate ? `${file}.${process.pid}.new` : undefined;
      const asked = fresh === undefined ? server : { ...server, record: fresh };
      const code = await runOn(launch, action, asked, version, (end) => {
        close = end;
      });
      all.push(verified ?? { file, name: basename(file), code });
      if (fresh !== undefined) await takeOver(fresh, file, verified, out);
      if (code === EXIT.interrupted) break;
    }
    await finish(all, request.given, out);
    return isUpdate && all.every(({ comparison }) => comparison) ? EXIT.fine : worst(all.map(({ code }) => code));
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
}

/** Prints and writes what is said about all recordings together. */
async function finish(all: readonly Verified[], given: GivenOptions, out: Output): Promise<void> {
  if (out.json) out.printExact(jsonReport(all));
  else if (all.length > 1) out.printLines([summaryOf(all)]);
  await writeReports(given, 'junit', () => junitXml(all.map(suiteOf)));
}

/** Returns a file as it is, and the recordings directly in a folder by name. Throws an ExitError if there are none. */
async function recordingsIn(path: string): Promise<readonly string[]> {
  const names = await readdir(path).catch(() => undefined);
  if (!names) return [path];
  const found = names.filter((name) => /\.mcpr\.(?:jsonl|gz)$/.test(name)).sort();
  if (found.length === 0) throw usageError(`There is no recording (NAME.mcpr.jsonl or NAME.mcpr.gz) in \`${path}\`.`);
  return found.map((name) => join(path, name));
}

/** Prints the report of one recording, under its name if it is one of several. */
function report({ file, comparison, interrupted, code }: Verified, isOneOfSeveral: boolean, out: Output): void {
  if (isOneOfSeveral) out.printLines([[{ text: file, tone: 'strong' }]]);
  out.printLines(reportLines(comparison!, SIDES));
  if (interrupted) {
    const { sent, of } = interrupted;
    out.printNote('mcp-inspect', `Interrupted after ${requestsText(sent, of)}. The rest was not sent.`);
  } else if (code !== EXIT.noConnection && comparedNothing(comparison!)) out.printNote('mcp-inspect', NOTHING_COMPARED);
}

function jsonReport(all: readonly Verified[]): string {
  const [one] = all;
  if (all.length === 1) return terminalJson(one!.comparison ? comparisonReport(one!.comparison, one!.interrupted) : {});
  return terminalJson(
    all.map(({ file, comparison, interrupted, code }) => ({
      ...{ file, code },
      ...(comparison && comparisonReport(comparison, interrupted)),
    })),
  );
}

function suiteOf({ name, file, comparison }: Verified): Suite {
  if (comparison) return { name, cases: comparisonCases(comparison, SIDES) };
  return { name, cases: [{ className: 'server', name: file, failures: ['There was no connection.'] }] };
}

function summaryOf(all: readonly Verified[]): Line {
  const equal = all.filter(({ code }) => code === EXIT.fine).length;
  const text = `${countOf(all.length, 'recording')}: ${formatCount(equal)} without a difference.`;
  return [{ text, tone: equal === all.length ? 'good' : 'bad' }];
}

/** Most serious first. */
const SERIOUS: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.internal,
  EXIT.noConnection,
  EXIT.timeout,
  EXIT.serverError,
];

function worst(codes: readonly ExitCode[]): ExitCode {
  return SERIOUS.find((code) => codes.includes(code)) ?? EXIT.fine;
}

/** Puts the new recording in the place of the old one if it was played to the end and differs. */
async function takeOver(fresh: string, file: string, verified: Verified | undefined, out: Output): Promise<void> {
  const { comparison, interrupted, code } = verified ?? {};
  const isDifferent = comparison && !interrupted && code === EXIT.serverError && !comparedNothing(comparison);
  if (!isDifferent) return deleteIfThere(fresh);
  if (!file.endsWith('.jsonl')) {
    await deleteIfThere(fresh);
    throw usageError(`\`${file}\` is packed, so it was not updated: \`--update\` writes NAME.mcpr.jsonl only.`);
  }
  await renameFile(fresh, file);
  out.printNote('mcp-inspect', `Updated ${file}.`);
}

function prepare({ words: [file], given }: CommandRequest, status: Status) {
  return prepareFile(file!, given, status, async (verified, out) => {
    if (!out.json) report(verified, false, out);
    await finish([verified], given, out);
    return verified.code;
  });
}

/** Reads a recording. The action plays it and calls `done` with what came of it. */
async function prepareFile(
  file: string,
  given: GivenOptions,
  status: Status,
  done: (verified: Verified, out: Output) => ExitCode | Promise<ExitCode>,
) {
  const how = readCompareOptions(given);
  const secrets = readSecrets(given.get('secret') ?? []);
  const onRead = (progress: ReadingProgress) => status.show(`Reading ${file}: ${progressText(progress)}`);
  const opened = await readTrafficFile(resolve(file), { onRead }).catch((error) => {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `verify`')}`);
  });
  status.end();
  const { traffic: recorded, header } = opened;
  const steps = playPlan(recorded, secrets);
  const live: Frame[] = [];
  const reader = new TrafficReader(textsOf(live));
  const redactor = new CaptureRedactor([...secrets.values()].map((value) => JSON.parse(`"${value}"`) as string));
  const stop = new AbortController();
  let isPlaying = false;
  const playAndCompare = async ({ connection, out }: ConnectedServer): Promise<ExitCode> => {
    for (const sentence of damageSentences(opened)) out.printNote('mcp-inspect', sentence);
    isPlaying = true;
    const played = await playSteps(steps, recorded, connection, reader, { signal: stop.signal, status: out.status });
    isPlaying = false;
    const { sent, of, gone } = played;
    const interrupted = stop.signal.aborted ? { sent, of } : undefined;
    const shown = await withoutSecrets(resolve(file), live, redactor);
    const pairs = pairsIn(shown, played.pairs);
    for (const sentence of opened.check ? checkSentences(await opened.check()) : [])
      out.printNote('mcp-inspect', sentence);
    await opened.close();
    const comparison = await compareWithStatus(shown.before, shown.after, how, out.status, pairs);
    if (gone && !interrupted) out.printNote('mcp-inspect', `${gone.message} ${gone.advice}`);
    const code = interrupted
      ? EXIT.interrupted
      : gone
        ? EXIT.noConnection
        : isEqual(comparison)
          ? EXIT.fine
          : EXIT.serverError;
    return done({ file, name: header.name, comparison, interrupted, code }, out);
  };
  const protocol = PROTOCOL_VERSIONS.find((version) => version === recorded.version);
  return Object.assign(playAndCompare, {
    connect: {
      client: recordedClient(recorded, secrets),
      onFrame: (frame: Frame) => {
        live.push(frame);
        reader.addFrame(frame);
      },
      interrupt: () => {
        stop.abort();
        return isPlaying;
      },
      redactor,
      ...(protocol !== undefined && { protocol }),
    },
  });
}

/** Result of playing a recorded client. */
export interface Played {
  /** Each recorded call with the one sent in its place. */
  readonly pairs: readonly CallPair[];
  /** Requests that were played, of all that could be. A list is one, whatever its pages. */
  readonly sent: number;
  readonly of: number;
  /** Why the server went away before the end. */
  readonly gone?: Failure;
}

function requestsText(sent: number, of: number): string {
  return `${formatCount(sent)} of ${countOf(of, 'request')}`;
}

interface PlayOptions {
  /** Cancels the request under way, and ends the playing. */
  readonly signal: AbortSignal;
  readonly status: Status;
}

/**
 * Plays the steps one after another. Each waits for the last answer, since later requests may contain names from it.
 * Rejects with an ExitError when the time is up.
 */
async function playSteps(
  steps: readonly PlayStep[],
  recorded: RecordedTraffic,
  connection: PlayedConnection,
  live: LiveTraffic,
  { signal, status }: PlayOptions,
): Promise<Played> {
  const player = new Player(connection, live, signal);
  const of = steps.filter(isRequest).length;
  let [taken, sent] = [0, 0];
  try {
    for (const step of steps) {
      status.show(`${requestsText(sent, of)}… Ctrl-C stops and prints the report`);
      await player.playStep(step);
      if (signal.aborted) break;
      taken++;
      if (isRequest(step)) sent++;
    }
    if (!signal.aborted) await player.readAgain(staleLists(recorded));
    return { pairs: player.pairs, sent, of };
  } catch (error) {
    // A cancelled list.
    if (signal.aborted) return { pairs: player.pairs, sent, of };
    if (!isFailure(error)) throw error;
    const never = steps
      .slice(taken)
      .flatMap((left) => (left.kind === 'call' ? [{ before: left.call, after: undefined }] : []));
    return { pairs: [...player.pairs, ...never], sent, of, gone: error };
  } finally {
    status.end();
  }
}

function isRequest({ kind }: PlayStep): boolean {
  return kind === 'call' || kind === 'list';
}

/** The traffic of both sides as the report shows it. */
interface Shown {
  readonly before: RecordedTraffic;
  readonly after: RecordedTraffic;
}

/**
 * Redacts both sides, because reports are shared. One redactor does both, so that equal values stay equal. The live
 * side goes through it twice, because a secret may be known only after it was sent.
 */
async function withoutSecrets(file: string, live: readonly Frame[], redactor: CaptureRedactor): Promise<Shown> {
  const { traffic } = await readTrafficFile(file, { through: (frame) => redactor.apply(frame) });
  for (const frame of live) redactor.apply(frame);
  const again = redactor.fork();
  const shown = live.map((frame) => again.apply(frame));
  const reader = new TrafficReader(textsOf(shown));
  for (const frame of shown) reader.addFrame(frame);
  return { before: traffic, after: reader.traffic() };
}

/** Returns the texts of frames, which are then in memory only once. Most frames come in the order of their numbers. */
function textsOf(frames: readonly Frame[]): FrameTexts {
  const frameAt = (seq: number) => {
    const likely = frames[seq - frames[0]!.seq];
    return likely?.seq === seq ? likely : frames.find((frame) => frame.seq === seq)!;
  };
  return { addText: () => {}, textOf: (seq) => textOrCut(frameAt(seq)) };
}

/** Finds the same pairs of calls in the redacted traffic. */
function pairsIn({ before, after }: Shown, pairs: readonly CallPair[]): readonly CallPair[] {
  const [was, is] = [before, after].map(
    ({ sent }) =>
      new Map(sent.flatMap((message) => (message.kind === 'call' ? [[message.seq, message] as const] : []))),
  );
  return pairs.flatMap((pair) => {
    const [first, second] = [pair.before && was!.get(pair.before.seq), pair.after && is!.get(pair.after.seq)];
    return first || second ? [{ ...pair, before: first, after: second }] : [];
  });
}

/** Reads `--secret` values, escaped for JSON strings, by the digits of their placeholders. */
export function readSecrets(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const [, digits, value] = /^(?:\[redacted:[a-z-]+:)?([0-9a-f]{8})\]?=(.+)$/s.exec(word) ?? [];
      if (digits !== undefined && value !== undefined) return [digits, JSON.stringify(value).slice(1, -1)] as const;
      throw usageError(
        '`--secret` takes the 8 digits of a placeholder and its value: write `--secret 1f2e3d4c=VALUE`.',
      );
    }),
  );
}
