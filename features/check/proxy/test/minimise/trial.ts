import { FailureWatch, type SessionFailure } from '@/features/check/lib/minimise/session-failure';
import type { SecretSink } from '@/lib/redact/capture-redactor';
import type { PlayStep } from '@/lib/replay/compare/recorded-client';
import { RecentTexts } from '@/lib/replay/traffic/recent-texts';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { systemClock } from '@/lib/wire/clock';
import type { Frame } from '@/lib/wire/frame';
import { isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { untilAborted } from '@/lib/wire/until-aborted';
import { frameTap } from '@/proxy/commands/headless/frame-tap';
import { startRecording } from '@/proxy/commands/headless/record-traffic';
import { type LiveTraffic, Player } from '@/proxy/commands/headless/recorded-player';
import { type ServerClient, ServerConnection } from '@/proxy/commands/headless/server-connection';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import type { Launch } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';

/** Milliseconds after which the next message is sent although the last one has no response. */
const PATIENCE_MS = 5000;
/** Most servers that are still ending while others run. */
const MOST_ENDING = 4;
/** Bytes of frames that the rules check together, before the end of a session. */
const CHECKED_BYTES = 16 * 1024 * 1024;

interface TrialOptions {
  readonly launch: Launch;
  /** Makes the client, whose answers are used up. */
  client(): ServerClient;
  readonly failure: SessionFailure;
  readonly version: string;
  readonly allowLinkLocal: boolean;
}

/** Starts a server for each session that it plays, and says whether the session fails. */
export class Trials {
  readonly #options: TrialOptions;
  readonly #reaper = new Reaper();
  readonly #open = new Set<ServerConnection>();
  readonly #ending = new Set<Promise<void>>();
  /** Aborted by {@link stop}. A later trial, which records the result, gets a new one. */
  #stop = new AbortController();
  /** Sessions that were played. */
  count = 0;

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  /** Ends the trials that run: they reject with the reason of the abort. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.close()));
    await Promise.all(this.#ending);
  }

  /**
   * Plays messages to a new server, up to the failure. Resolves with undefined if it does not fail. Rejects with a
   * ConnectionError if the server can't be started. `record`: a new file for the frames.
   */
  async play(steps: readonly PlayStep[], record?: string): Promise<TrialFailure | undefined> {
    this.count++;
    const { failure, launch, version } = this.#options;
    const { signal } = this.#stop;
    const [watch, newest] = [new FailureWatch(failure), new NewestCalls()];
    const recording =
      record === undefined ? undefined : startRecording(record, launch, new Date().toISOString(), version);
    let seq = 0;
    const tap = frameTap(recording ? recording.tap(() => ++seq) : () => ++seq, (frame) => {
      newest.addFrame(frame);
      watch.addFrame(frame);
      if (watch.waitingBytes >= CHECKED_BYTES) checkRules(watch);
    });
    const connection = this.#connect(tap, recording?.secrets);
    try {
      const after = await untilAborted(
        this.#playOn(connection, steps, watch, newest, () => seq),
        signal,
      );
      const failed = this.#failureIn(watch, after);
      if (failed || failure.kind !== 'exit') return failed;
      await untilAborted(this.#end(connection), signal);
      return watch.seq === undefined ? undefined : { count: steps.length, isAtEnd: true };
    } finally {
      const ended = this.#end(connection);
      if (recording) {
        await ended;
        await recording.end();
      }
      while (this.#ending.size > MOST_ENDING) await Promise.race(this.#ending);
    }
  }

  #connect(append: ReturnType<typeof frameTap>, secrets: SecretSink | undefined): ServerConnection {
    const { launch, client, version, allowLinkLocal } = this.#options;
    const clock = systemClock;
    const connection = new ServerConnection(launch, {
      clock,
      version,
      client: client(),
      append,
      lookFurther: async () => {},
      secrets,
      openTransport: (launched, sink) =>
        createTransport(launched, { sink, clock, reaper: this.#reaper, version, allowLinkLocal }),
    });
    this.#open.add(connection);
    return connection;
  }

  #end(connection: ServerConnection): Promise<void> {
    const ending = connection.close().finally(() => {
      this.#open.delete(connection);
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
    return ending;
  }

  /** Plays until the failure, or the end. `ends`: seq of the newest frame after each message. */
  async #playOn(
    connection: ServerConnection,
    steps: readonly PlayStep[],
    watch: FailureWatch,
    calls: NewestCalls,
    newest: () => number,
  ): Promise<Played> {
    const ends: number[] = [];
    try {
      await connection.open();
      const player = new Player(connection, calls, new AbortController().signal);
      for (const step of steps) {
        const isLate = await this.#playStep(player, step);
        ends.push(newest());
        calls.forgetOld();
        if (isLate && this.#options.failure.kind === 'timeout') return { sent: ends.length, ends, isLate };
        if (watch.seq !== undefined) break;
      }
    } catch (error) {
      if (!isFailure(error)) throw error;
      // The exit tells whether that is the failure.
      if (ends.length === 0 && steps.length > 0 && watch.seq === undefined && this.#options.failure.kind !== 'exit')
        throw error;
      return { sent: Math.min(ends.length + 1, steps.length), ends, isLate: false };
    }
    return { sent: ends.length, ends, isLate: false };
  }

  /** Resolves with true if a message got no response in time. */
  async #playStep(player: Player, step: PlayStep): Promise<boolean> {
    const { failure } = this.#options;
    const ms = failure.kind === 'timeout' ? failure.ms : PATIENCE_MS;
    let callOff = (): void => {};
    const late = new Promise<true>((resolve) => {
      callOff = systemClock.after(ms, () => resolve(true));
    });
    const played = player.playStep(step).then(() => false as const);
    // It may fail after nobody waits for it any more.
    played.catch(() => {});
    return Promise.race([played, late]).finally(callOff);
  }

  #failureIn(watch: FailureWatch, { sent, ends, isLate }: Played): TrialFailure | undefined {
    if (isLate) return { count: sent, isAtEnd: false };
    checkRules(watch);
    const { seq } = watch;
    if (seq === undefined) return undefined;
    const step = ends.findIndex((end) => end >= seq);
    return { count: step < 0 ? sent : step + 1, isAtEnd: false };
  }
}

/** Calls of a session that are held at most, apart from those of one message. */
const HELD_CALLS = 4096;

/** The newest calls of a live session, which a player reads once they are answered. */
class NewestCalls implements LiveTraffic {
  #reader = new TrafficReader(new RecentTexts());

  addFrame(frame: Frame): void {
    this.#reader.addFrame(frame);
  }

  get sent(): TrafficReader['sent'] {
    return this.#reader.sent;
  }

  /** Forgets the calls if they are many. For the time between two messages. */
  forgetOld(): void {
    if (this.#reader.sent.length >= HELD_CALLS) this.#reader = new TrafficReader(new RecentTexts());
  }
}

/** Lets the rules check what they have not checked. Gives up if a pattern of the server's schema takes too long. */
function checkRules(watch: FailureWatch): void {
  if (!runWithin(LIMITS.rulesMs, () => watch.checkRules())) watch.giveUpRules();
}

/** A failure of a session: after how many messages, and whether it came only when the server was ended. */
export interface TrialFailure {
  readonly count: number;
  readonly isAtEnd: boolean;
}

interface Played {
  readonly sent: number;
  readonly ends: readonly number[];
  readonly isLate: boolean;
}
