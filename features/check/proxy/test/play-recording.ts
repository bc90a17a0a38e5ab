import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { CallPair } from '@/lib/replay/compare/call-diff';
import { type Comparison, comparedNothing, isEqual } from '@/lib/replay/compare/comparison';
import { type PlayStep, playPlan, recordedClient, staleLists } from '@/lib/replay/compare/recorded-client';
import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import type { RecordedCall, RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import type { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { countOf, formatCount } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure, PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { ParsedOptions } from '@/proxy/cli/grammar';
import { type CommandOutput, printNote } from '@/proxy/cli/output';
import type { Status } from '@/proxy/cli/status-line';
import { type CommandAction, type ConnectedServer, lostExitCode } from '@/proxy/commands/headless/on-server';
import { type PlayedConnection, type PlayedPair, Player } from '@/proxy/commands/headless/recorded-player';
import {
  compareWithStatus,
  comparisonCases,
  comparisonReport,
  type InterruptedAt,
  readCompareOptions,
  reportLines,
  type SideNames,
} from '@/proxy/commands/shared/compare-report';
import { openTrafficIn } from '@/proxy/commands/shared/open-traffic';
import type { LocalFile } from '@/proxy/commands/shared/recording-files';
import { deleteIfThere, renameFile } from '@/proxy/files/existing-files';
import { checkSentences, damageSentences } from '@/proxy/recorder/read-traffic';
import { PlayedSession } from './played-session';
import type { FileTest, Tested } from './tested';

/** Names of the sides. Lists missing in the recording are not requested either. */
const SIDES: SideNames = ['the recording', 'the server’s responses', 'the recording'];
const NOTHING_COMPARED =
  'Nothing could be compared: record with the page, which reads all lists, or give redacted values with `--secret DIGITS=VALUE`.';

/** Reads a recording, to play its client and compare the answers. Rejects with an ExitError. */
export async function prepareRecording(local: LocalFile, given: ParsedOptions, status: Status): Promise<FileTest> {
  const file = local.shown;
  const how = readCompareOptions(given);
  const secrets = readSecrets(given.get('secret') ?? []);
  const fresh = given.has('update') ? `${file}.${process.pid}.new` : undefined;
  const opened = await openTrafficIn(local, 'after `test`', { status });
  const { traffic: recorded, header } = opened;
  // Dropped once it was played: what is compared then takes as much memory again.
  const script: { opened?: OpenedTraffic; steps: readonly PlayStep[] } = { opened, steps: playPlan(recorded, secrets) };
  const redactor = new CaptureRedactor([...secrets.values()].map((value) => JSON.parse(`"${value}"`) as string));
  const session = new PlayedSession(redactor);
  const stop = new AbortController();
  let isPlaying = false;
  let tested: Tested | undefined;
  /** True if the recording stays, since nothing differs or not all was played. */
  let keeps = true;
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
    const shown = await withoutSecrets(local, session, redactor, out.status);
    const pairs = pairsIn(shown, played.pairs);
    const comparison = await compareWithStatus(shown.before, shown.after, how, out.status, pairs);
    if (gone && !interrupted) out.printNote('mcp-inspect', `${gone.message} ${gone.advice}`);
    const code = interrupted
      ? EXIT.interrupted
      : gone
        ? lostExitCode(gone)
        : isEqual(comparison)
          ? EXIT.fine
          : EXIT.serverError;
    if (!out.json) printComparison(comparison, interrupted, gone !== undefined, out);
    const isReplaced = fresh !== undefined && !gone && code === EXIT.serverError && !comparedNothing(comparison);
    keeps = !isReplaced;
    tested = {
      file,
      name: header.name,
      code: isReplaced ? EXIT.fine : code,
      ...(out.json && { json: comparisonReport(comparison, interrupted) }),
      ...(given.has('report.junit') && { cases: comparisonCases(comparison, SIDES) }),
    };
    await shown.close();
    return tested.code;
  };
  const protocol = PROTOCOL_VERSIONS.find((version) => version === recorded.version);
  const connect: CommandAction['connect'] = {
    client: recordedClient(recorded, secrets),
    onFrame: (frame: Frame) => session.addFrame(frame),
    interrupt: () => {
      stop.abort();
      return isPlaying;
    },
    redactor,
    ...(protocol !== undefined && { protocol }),
  };
  return {
    play: Object.assign(playAndCompare, { connect }),
    ...(fresh !== undefined && { record: fresh }),
    tested: () => tested,
    finish: async () => {
      // Still open if there was no connection.
      await script.opened?.close();
      if (fresh !== undefined) await takeOver(fresh, file, keeps);
    },
  };
}

function printComparison(
  comparison: Comparison,
  interrupted: InterruptedAt | undefined,
  isGone: boolean,
  out: CommandOutput,
): void {
  out.printLines(reportLines(comparison, SIDES));
  if (interrupted) {
    const { sent, of } = interrupted;
    out.printNote('mcp-inspect', `Interrupted after ${requestsText(sent, of)}. The rest was not sent.`);
  } else if (!isGone && comparedNothing(comparison)) out.printNote('mcp-inspect', NOTHING_COMPARED);
}

/** Puts the new recording in the place of the old one, or deletes it. */
async function takeOver(fresh: string, file: string, keeps: boolean): Promise<void> {
  if (keeps) return deleteIfThere(fresh);
  if (!file.endsWith('.jsonl')) {
    await deleteIfThere(fresh);
    throw usageError(`\`${file}\` is packed, so it was not updated: \`--update\` writes NAME.mcpr.jsonl only.`);
  }
  await renameFile(fresh, file);
  printNote(`mcp-inspect: Updated ${file}.`);
}

/** Result of playing a recorded client. */
interface Played {
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
  file: LocalFile,
  session: PlayedSession,
  redactor: CaptureRedactor,
  status: Status,
): Promise<Shown> {
  const first = redactor.fork();
  const recorded = await openTrafficIn(file, 'after `test`', { status, through: (frame) => first.apply(frame) });
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
