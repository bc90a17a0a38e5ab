import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { junitXml, type Suite } from '@/lib/check/junit-xml';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { CallPair } from '@/lib/replay/compare/call-diff';
import { type Comparison, comparedNothing, isEqual } from '@/lib/replay/compare/comparison';
import { type PlayStep, playPlan, recordedClient, staleLists } from '@/lib/replay/compare/recorded-client';
import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import type { RecordedCall, RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import type { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
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
import { type PlayedConnection, type PlayedPair, Player } from '../headless/recorded-player';
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
import { PlayedSession } from './played-session';

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
  readonly compared?: Compared;
  readonly code: ExitCode;
}

/** The parts of a comparison that are needed after its recordings are closed. */
interface Compared {
  readonly isInterrupted: boolean;
  /** True if there was nothing to compare. */
  readonly isEmpty: boolean;
  /** For `--json`. */
  readonly json?: object;
  /** For `--junit`. */
  readonly cases?: Suite['cases'];
}

/** Called with what came of a recording, while its texts can be read. */
type OnVerified = (
  verified: Verified,
  comparison: Comparison,
  interrupted: InterruptedAt | undefined,
  out: Output,
) => ExitCode | Promise<ExitCode>;

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
      const action = await prepareFile(file, request.given, status, (one, comparison, interrupted) => {
        verified = one;
        if (!out.json) report(one, comparison, interrupted, files.length > 1, out);
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
    return isUpdate && all.every(({ compared }) => compared) ? EXIT.fine : worst(all.map(({ code }) => code));
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
function report(
  { file, code }: Verified,
  comparison: Comparison,
  interrupted: InterruptedAt | undefined,
  isOneOfSeveral: boolean,
  out: Output,
): void {
  if (isOneOfSeveral) out.printLines([[{ text: file, tone: 'strong' }]]);
  out.printLines(reportLines(comparison, SIDES));
  if (interrupted) {
    const { sent, of } = interrupted;
    out.printNote('mcp-inspect', `Interrupted after ${requestsText(sent, of)}. The rest was not sent.`);
  } else if (code !== EXIT.noConnection && comparedNothing(comparison)) out.printNote('mcp-inspect', NOTHING_COMPARED);
}

function jsonReport(all: readonly Verified[]): string {
  const [one] = all;
  if (all.length === 1) return terminalJson(one!.compared?.json ?? {});
  return terminalJson(all.map(({ file, compared, code }) => ({ file, code, ...compared?.json })));
}

function suiteOf({ name, file, compared }: Verified): Suite {
  if (compared) return { name, cases: compared.cases ?? [] };
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
  const { compared, code } = verified ?? {};
  const isDifferent = compared && !compared.isInterrupted && code === EXIT.serverError && !compared.isEmpty;
  if (!isDifferent) return deleteIfThere(fresh);
  if (!file.endsWith('.jsonl')) {
    await deleteIfThere(fresh);
    throw usageError(`\`${file}\` is packed, so it was not updated: \`--update\` writes NAME.mcpr.jsonl only.`);
  }
  await renameFile(fresh, file);
  out.printNote('mcp-inspect', `Updated ${file}.`);
}

function prepare({ words: [file], given }: CommandRequest, status: Status) {
  return prepareFile(file!, given, status, async (verified, comparison, interrupted, out) => {
    if (!out.json) report(verified, comparison, interrupted, false, out);
    await finish([verified], given, out);
    return verified.code;
  });
}

/** Reads a recording. The action plays it and calls `done` with the outcome. */
async function prepareFile(file: string, given: GivenOptions, status: Status, done: OnVerified) {
  const how = readCompareOptions(given);
  const secrets = readSecrets(given.get('secret') ?? []);
  const onRead = (progress: ReadingProgress) => status.show(`Reading ${file}: ${progressText(progress)}`);
  const opened = await readTrafficFile(resolve(file), { onRead }).catch((error) => {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `verify`')}`);
  });
  status.end();
  const { traffic: recorded, header } = opened;
  // Dropped once it was played: what is compared then takes as much memory again.
  const script: { opened?: OpenedTraffic; steps: readonly PlayStep[] } = { opened, steps: playPlan(recorded, secrets) };
  const redactor = new CaptureRedactor([...secrets.values()].map((value) => JSON.parse(`"${value}"`) as string));
  const session = new PlayedSession(redactor);
  const stop = new AbortController();
  let isPlaying = false;
  const playAndCompare = async (server: ConnectedServer): Promise<ExitCode> => {
    try {
      return await compareWithServer(server);
    } finally {
      // On Windows, its file would outlive this process.
      await session.close();
    }
  };
  const compareWithServer = async ({ connection, out }: ConnectedServer): Promise<ExitCode> => {
    for (const sentence of damageSentences(script.opened!)) out.printNote('mcp-inspect', sentence);
    isPlaying = true;
    const played = await playSteps(script.steps, script.opened!.traffic, connection, session.live, {
      signal: stop.signal,
      status: out.status,
    });
    isPlaying = false;
    const { sent, of, gone } = played;
    const interrupted = stop.signal.aborted ? { sent, of } : undefined;
    for (const sentence of script.opened!.check ? checkSentences(await script.opened!.check()) : [])
      out.printNote('mcp-inspect', sentence);
    await script.opened!.close();
    Object.assign(script, { opened: undefined, steps: [] });
    const shown = await withoutSecrets(file, session, redactor, out.status);
    const pairs = pairsIn(shown, played.pairs);
    const comparison = await compareWithStatus(shown.before, shown.after, how, out.status, pairs);
    if (gone && !interrupted) out.printNote('mcp-inspect', `${gone.message} ${gone.advice}`);
    const code = interrupted
      ? EXIT.interrupted
      : gone
        ? EXIT.noConnection
        : isEqual(comparison)
          ? EXIT.fine
          : EXIT.serverError;
    const compared: Compared = {
      isInterrupted: interrupted !== undefined,
      isEmpty: comparedNothing(comparison),
      ...(out.json && { json: comparisonReport(comparison, interrupted) }),
      ...(given.has('junit') && { cases: comparisonCases(comparison, SIDES) }),
    };
    const exitCode = await done({ file, name: header.name, compared, code }, comparison, interrupted, out);
    await shown.close();
    return exitCode;
  };
  const protocol = PROTOCOL_VERSIONS.find((version) => version === recorded.version);
  return Object.assign(playAndCompare, {
    connect: {
      client: recordedClient(recorded, secrets),
      onFrame: (frame: Frame) => session.addFrame(frame),
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
  readonly pairs: readonly PlayedPair[];
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
  live: Pick<TrafficReader, 'sent' | 'traffic'>,
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
    if (!signal.aborted) {
      // Except those that the recorded client left stale.
      const leftStale = staleLists(recorded);
      await player.readAgain([...staleLists(live.traffic())].filter((method) => !leftStale.has(method)));
    }
    return { pairs: player.pairs, sent, of };
  } catch (error) {
    // A cancelled list.
    if (signal.aborted) return { pairs: player.pairs, sent, of };
    if (!isFailure(error)) throw error;
    const never = steps
      .slice(taken)
      .flatMap((left) => (left.kind === 'call' ? [{ before: left.call.seq, after: undefined }] : []));
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
  /** Closes the recording, whose texts can't be read any more. */
  close(): Promise<void>;
}

/** Redacts both sides, because reports are shared. One redactor does both, so that equal values stay equal. */
async function withoutSecrets(
  file: string,
  session: PlayedSession,
  redactor: CaptureRedactor,
  status: Status,
): Promise<Shown> {
  const first = redactor.fork();
  const recorded = await readTrafficFile(resolve(file), {
    through: (frame) => first.apply(frame),
    onRead: (progress) => status.show(`Reading ${file} again: ${progressText(progress)}`),
  });
  const after = await session.withoutSecrets((done, of) =>
    status.show(`Reading the new session: ${formatCount(done)} of ${countOf(of, 'message')}`),
  );
  status.end();
  return { before: recorded.traffic, after, close: recorded.close };
}

/** Finds the pairs of calls in the redacted traffic. */
function pairsIn({ before, after }: Shown, pairs: readonly PlayedPair[]): readonly CallPair[] {
  return pairs.flatMap(({ before: was, after: is, skipped }) => {
    const [first, second] = [callAt(before, was), is === undefined ? undefined : callAt(after, is)];
    if (!first && !second) return [];
    return { before: first, after: second, ...(skipped !== undefined && { skipped }) };
  });
}

/** Finds a call by its seq. In a batch, it is the last call. Messages come in the order of their seqs. */
function callAt({ sent }: RecordedTraffic, seq: number): RecordedCall | undefined {
  let [low, high] = [0, sent.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sent[middle]!.seq <= seq) low = middle + 1;
    else high = middle;
  }
  const found = sent[low - 1];
  return found?.seq === seq && found.kind === 'call' ? found : undefined;
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
