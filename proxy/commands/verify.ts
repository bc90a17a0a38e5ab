import { resolve } from 'node:path';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { CallPair } from '@/lib/replay/compare/call-diff';
import { comparedNothing, isEqual } from '@/lib/replay/compare/comparison';
import {
  isTaskRunning,
  type PlayStep,
  playPlan,
  RenamedIds,
  recordedClient,
  staleLists,
} from '@/lib/replay/compare/recorded-client';
import type { RecordedCall, RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { systemClock } from '@/lib/wire/clock';
import { countOf, formatCount, progressText } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure, PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { Status } from '@/proxy/cli/status-line';
import { openErrorText } from '@/proxy/recorder/open-file';
import { damageSentences, readTrafficFile } from '@/proxy/recorder/read-traffic';
import {
  compareWithStatus,
  comparisonJson,
  readCompareOptions,
  reportLines,
  type Sides,
  writeJunit,
} from './compare-report';
import { type Action, type ConnectedServer, onServer } from './on-server';
import { pagesOf } from './results';
import type { ServerConnection } from './server-connection';

/** Names of the sides. Lists missing in the recording are not requested either. */
const SIDES: Sides = ['the recording', 'the server’s responses', 'the recording'];
const NOTHING_COMPARED =
  'Nothing could be compared: record with the page, which reads all lists, or give redacted values with `--secret DIGITS=VALUE`.';

/** Plays a recorded client to a server and compares the answers. */
export const run = onServer(async ({ words: [file], given }, status) => {
  const how = readCompareOptions(given);
  const secrets = readSecrets(given.get('secret') ?? []);
  const onRead = (progress: ReadingProgress) => status.show(`Reading ${file}: ${progressText(progress)}`);
  const opened = await readTrafficFile(resolve(file!), { onRead }).catch((error) => {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `verify`')}`);
  });
  status.end();
  const { traffic: recorded, header } = opened;
  const steps = playPlan(recorded, secrets);
  const reader = new TrafficReader();
  const redactor = new CaptureRedactor([...secrets.values()].map((value) => JSON.parse(`"${value}"`) as string));
  const live: Frame[] = [];
  const stop = new AbortController();
  let isPlaying = false;
  const playAndCompare = async ({ connection, out }: ConnectedServer): Promise<ExitCode> => {
    for (const sentence of damageSentences(opened)) out.printNote('mcp-inspect', sentence);
    isPlaying = true;
    const played = await playSteps(steps, recorded, connection, reader, { signal: stop.signal, status: out.status });
    isPlaying = false;
    const { sent, of, gone } = played;
    const interrupted = stop.signal.aborted ? { sent, of } : undefined;
    const shown = await withoutSecrets(resolve(file!), live, redactor);
    const pairs = pairsIn(shown, played.pairs);
    await opened.close();
    const comparison = await compareWithStatus(shown.before, shown.after, how, out.status, pairs);
    if (out.json) out.printExact(comparisonJson(comparison, interrupted));
    else out.printLines(reportLines(comparison, SIDES));
    await writeJunit(given, comparison, SIDES, header.name);
    if (interrupted) {
      out.printNote('mcp-inspect', `Interrupted after ${requestsText(sent, of)}. The rest was not sent.`);
      return EXIT.interrupted;
    }
    if (gone) out.printNote('mcp-inspect', `${gone.message} ${gone.advice}`);
    if (gone) return EXIT.noConnection;
    if (comparedNothing(comparison)) out.printNote('mcp-inspect', NOTHING_COMPARED);
    return isEqual(comparison) ? EXIT.fine : EXIT.serverError;
  };
  const protocol = PROTOCOL_VERSIONS.find((version) => version === recorded.version);
  return Object.assign(playAndCompare, {
    connect: {
      client: recordedClient(recorded, secrets),
      onFrame: (frame) => {
        reader.addFrame(frame);
        live.push(frame);
      },
      interrupt: () => {
        stop.abort();
        return isPlaying;
      },
      redactor,
      ...(protocol !== undefined && { protocol }),
    },
  } satisfies Pick<Action, 'connect'>);
});

/** Most polls of a task that ended in the recording: one minute in all. */
const TASK_POLLS = 240;
/** Milliseconds between two polls. */
const TASK_POLL_MS = 250;

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

/** The part of the live traffic that a player needs. */
type LiveTraffic = Pick<TrafficReader, 'sent' | 'traffic'>;

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
  connection: Pick<ServerConnection, 'request' | 'requestSeq' | 'notify'>,
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

class Player {
  readonly pairs: CallPair[] = [];
  readonly #connection: Pick<ServerConnection, 'request' | 'requestSeq' | 'notify'>;
  readonly #live: LiveTraffic;
  readonly #signal: AbortSignal;
  readonly #renaming = new RenamedIds();

  constructor(
    connection: Pick<ServerConnection, 'request' | 'requestSeq' | 'notify'>,
    live: LiveTraffic,
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#live = live;
    this.#signal = signal;
  }

  async playStep(step: PlayStep): Promise<void> {
    if (step.kind === 'skip') this.pairs.push({ before: step.call, after: undefined, skipped: step.why });
    else if (step.kind === 'notification') this.#connection.notify(step.method, this.#renamed(step.params));
    else if (step.kind === 'list') await this.#list(step.call);
    else await this.#call(step.call, step.params);
  }

  /** Reads each changed list again, except those that the recorded client left stale. */
  async readAgain(leftStale: ReadonlySet<string>): Promise<void> {
    for (const method of staleLists(this.#live.traffic())) {
      if (leftStale.has(method)) continue;
      for await (const _ of pagesOf(this.#connection, method, this.#signal));
    }
  }

  /**
   * Reads all pages, since the server may split them differently now. The catalogue compares the items, so only
   * refusals are paired.
   */
  async #list(before: RecordedCall): Promise<void> {
    let refused = before.answer?.kind === 'error';
    for await (const page of pagesOf(this.#connection, before.method, this.#signal)) refused ||= page.kind === 'error';
    if (refused) this.pairs.push({ before, after: this.#newest((call) => call.method === before.method) });
  }

  async #call(before: RecordedCall, params: string | undefined): Promise<void> {
    const after = await this.#ask(before, this.#renamed(params));
    // It was cancelled, so its end says nothing about the server.
    if (this.#signal.aborted) return;
    this.pairs.push({ before, after });
    if (before.answer && after?.answer) this.#renaming.learn(before.answer.text, after.answer.text);
  }

  /** Makes a call. Repeats it while it reports a task as running, because the task had ended in the recording. */
  async #ask({ method }: RecordedCall, params: string | undefined): Promise<RecordedCall | undefined> {
    for (let polls = 0; ; polls++) {
      const seq = await this.#connection.requestSeq(method, params, this.#signal);
      const after = this.#newest((call) => call.seq === seq);
      const answer = after?.answer?.text ?? '';
      if (!isTaskRunning({ method }, answer) || polls === TASK_POLLS || this.#signal.aborted) return after;
      await new Promise<void>((resolve) => systemClock.after(TASK_POLL_MS, resolve));
    }
  }

  #newest(isIt: (call: RecordedCall) => boolean): RecordedCall | undefined {
    return this.#live.sent.findLast((message): message is RecordedCall => message.kind === 'call' && isIt(message));
  }

  #renamed(params: string | undefined): string | undefined {
    return params === undefined ? undefined : this.#renaming.apply(params);
  }
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
  const [again, reader] = [redactor.fork(), new TrafficReader()];
  for (const frame of live) reader.addFrame(again.apply(frame));
  return { before: traffic, after: reader.traffic() };
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
function readSecrets(words: readonly string[]): ReadonlyMap<string, string> {
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
