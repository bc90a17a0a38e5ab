import { type AcceptedAnswer, acceptAnswers } from '@/features/check/lib/pins/pins-file';
import { type AskServer, type PlayedPin, pinSecrets, playPins, withNeeded } from '@/features/check/lib/pins/play-pins';
import type { Connection } from '@/lib/hub/connection';
import { DEFAULT_NORMALISER } from '@/lib/replay/compare/normalise';
import { ConnectionError } from '@/lib/transports/transport';
import { entryOf } from '@/lib/wire/command';
import { countOf, formatCount } from '@/lib/wire/format';
import { canSend, type Failure, isFailure } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import type { PinOutcome } from '@/lib/wire/pins';
import type { Launch } from '@/proxy/connection/launch';
import { findAnswer } from './answer-text';
import { digestOf } from './digests';
import { MOST_PINS_BYTES, type PinsOnDisk, type ReadPins } from './pins-on-disk';

type Played = Connection<Launch>;

/** How the pinned calls of a connection went. */
export interface PinsRun {
  readonly outcomes: readonly PinOutcome[];
  /** A sentence, if not all calls were played. */
  readonly why: string | undefined;
}

interface PlayOptions {
  /** Keys of the calls to play. Absent: all. */
  readonly keys?: ReadonlySet<string> | undefined;
  readonly by?: 'user' | 'save';
  /** Stops before the next call, and cancels the present one. */
  readonly signal?: AbortSignal;
}

/**
 * Plays the calls of the pins file on live connections. Requests and verdicts are frames of the connection's log, so
 * every page and the recording have them.
 */
export class PinPlayer {
  readonly #file: PinsOnDisk;
  readonly #environment: (name: string) => string | undefined;
  /** The runs that are not over, by connection id. */
  readonly #running = new Map<string, AbortController>();
  /** Answers that can be accepted, by connection id and key, the newest last. */
  readonly #answers = new Map<string, Map<string, AcceptedAnswer>>();
  #answerChars = 0;
  /** Milliseconds of the last answer, by entry and key, since a restart makes another connection. */
  readonly #times = new Map<string, Map<string, number>>();

  #playedEntry: string | undefined;

  constructor(file: PinsOnDisk, environment: (name: string) => string | undefined) {
    this.#file = file;
    this.#environment = environment;
  }

  /**
   * Begins to play calls one after another, together with those whose values they use. Resolves once it has begun;
   * `ended` resolves once the last verdict is in the log, and never rejects. Rejects with a ConnectionError.
   */
  async play(connection: Played, options: PlayOptions = {}): Promise<{ readonly ended: Promise<PinsRun> }> {
    const { id, server } = connection;
    if (this.#running.has(id)) throw new ConnectionError(PLAYING);
    if (!canSend(server.state)) throw new ConnectionError(server.failure ?? NOT_OPEN);
    const stop = new AbortController();
    this.#running.set(id, stop);
    const end = (): void => stop.abort();
    options.signal?.addEventListener('abort', end, { once: true });
    const over = (): void => {
      options.signal?.removeEventListener('abort', end);
      this.#running.delete(id);
    };
    try {
      const read = await this.#file.read();
      const chosen = indexesOf(read, options.keys);
      if (chosen.size === 0) throw new ConnectionError(read.pins.length === 0 ? NO_PINS : NO_SUCH_PIN);
      const calls = withNeeded(read.pins, chosen);
      const { by = 'user' } = options;
      if (by === 'user') this.#playedEntry = entryOf(connection.summary);
      connection.logEvent({ event: 'pins', phase: 'started', calls: calls.size, by });
      if (options.signal?.aborted) stop.abort();
      return { ended: this.#playAll(connection, read, calls, stop.signal).finally(over) };
    } catch (error) {
      over();
      throw error;
    }
  }

  /** Entry of the server on which somebody last asked to play calls; undefined if nobody has. */
  get playedEntry(): string | undefined {
    return this.#playedEntry;
  }

  /** Stops playing. The present call is cancelled. */
  stop(id: string): void {
    this.#running.get(id)?.abort();
  }

  /** Forgets what can be accepted of a connection. */
  forget(id: string): void {
    this.stop(id);
    for (const { text } of this.#answers.get(id)?.values() ?? []) this.#answerChars -= text.length;
    this.#answers.delete(id);
  }

  /** Writes the last answers to these calls as accepted. Rejects with a ConnectionError if nothing was written. */
  async accept(id: string, keys: readonly string[]): Promise<void> {
    const answers = this.#answers.get(id);
    await this.#file.change(({ text, keys: known }) => {
      const indexes = new Map(known.map((key, index) => [key, index]));
      const accepted = keys.map((key) => {
        const [index, answer] = [indexes.get(key), answers?.get(key)];
        if (index === undefined) throw new ConnectionError(NO_SUCH_PIN);
        if (!answer) throw new ConnectionError(NO_ANSWER);
        return [index, answer] as const;
      });
      return { text: acceptAnswers(text, new Map(accepted)) };
    });
  }

  async #playAll(
    connection: Played,
    { pins, keys }: ReadPins,
    calls: ReadonlySet<number>,
    signal: AbortSignal,
  ): Promise<PinsRun> {
    const outcomes: PinOutcome[] = [];
    let before = 'The connection ended';
    try {
      connection.redactor.addGivenSecrets(pinSecrets(pins, this.#environment));
      const asker = new Asker(connection, signal);
      const how = { mode: 'semantic', normaliser: DEFAULT_NORMALISER } as const;
      for await (const played of playPins(pins, asker.ask, how, this.#environment, { chosen: calls })) {
        if (signal.aborted) break;
        const outcome = this.#outcomeOf(connection, keys[played.index]!, played, asker.frames);
        outcomes.push(outcome);
        connection.logEvent({ event: 'pins', phase: 'played', ...outcome });
        if (!canSend(connection.server.state)) break;
      }
    } catch (error) {
      // Nobody waits for the end of a run that a page began, so a rejection would end mcp-inspect.
      before = `An error of mcp-inspect (${(error instanceof Error ? error.name : 'unknown').slice(0, 60)}) ended it`;
    }
    if (signal.aborted) before = 'Stopped';
    const left = calls.size - outcomes.length;
    const why =
      left > 0 ? `${before} after ${formatCount(outcomes.length)} of ${countOf(calls.size, 'call')}.` : undefined;
    connection.logEvent({ event: 'pins', phase: 'ended', ...(why !== undefined && { why }) });
    return { outcomes, why };
  }

  #outcomeOf(connection: Played, key: string, played: PlayedPin, frames: CallFrames): PinOutcome {
    const { pin, verdict, why, ends, differences, answer, ms } = played;
    const times = mapIn(this.#times, entryOf(connection.summary));
    const msBefore = times.get(key);
    const { accepted } = pin;
    if (answer) {
      times.set(key, ms);
      this.#keep(connection.id, key, answer);
    }
    return {
      key,
      name: pin.name.slice(0, NAME_CHARS),
      verdict,
      ms: rounded(ms),
      ...(why !== undefined && { why }),
      ...(verdict !== 'skipped' && frames),
      ...(msBefore !== undefined && { msBefore: rounded(msBefore) }),
      ...(ends && { ends }),
      ...(differences.length > 0 && { differences }),
      ...(answer && { answer: digestOf(answer) }),
      ...(accepted && { accepted: digestOf(accepted) }),
    };
  }

  /** Keeps an answer so that it can be accepted, and drops the oldest ones if all are too large. */
  #keep(id: string, key: string, answer: AcceptedAnswer): void {
    const answers = mapIn(this.#answers, id);
    this.#answerChars += answer.text.length - (answers.get(key)?.text.length ?? 0);
    answers.delete(key);
    answers.set(key, answer);
    for (const [oldest, kept] of this.#answers) {
      for (const [dropped, { text }] of kept) {
        if (this.#answerChars <= MOST_PINS_BYTES || text === answer.text) return;
        kept.delete(dropped);
        this.#answerChars -= text.length;
      }
      if (kept.size === 0) this.#answers.delete(oldest);
    }
  }
}

/** The frames of a call. */
type CallFrames = Pick<PinOutcome, 'seq' | 'answerSeq'>;

/** Sends calls through a connection, and masks secrets in the answers. */
class Asker {
  readonly #connection: Played;
  readonly #signal: AbortSignal;
  /** Those of the last call. */
  frames: CallFrames = {};

  constructor(connection: Played, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  readonly ask: AskServer = async (method, params) => {
    const { server, log, redactor } = this.#connection;
    this.frames = {};
    if (this.#signal.aborted) return { lost: 'It was stopped.', ms: 0 };
    let latest: RequestId | undefined;
    const from = performance.now();
    const cancel = (): void => {
      if (latest !== undefined && canSend(server.state)) server.cancel(latest);
    };
    try {
      const handle = server.request(method, params, {
        followsTask: true,
        onAgain: (id) => {
          latest = id;
        },
      });
      latest = handle.id;
      this.frames = { seq: handle.seq };
      this.#signal.addEventListener('abort', cancel);
      const outcome = await handle.outcome.finally(() => this.#signal.removeEventListener('abort', cancel));
      const ms = performance.now() - from;
      const found = await findAnswer(log, handle.seq, latest, outcome);
      if (!found) return { lost: LOST[outcome.kind as keyof typeof LOST] ?? LOST.lost, ms };
      this.frames = { seq: handle.seq, ...(found.seq !== undefined && { answerSeq: found.seq }) };
      const { bytes } = await redactor.fork().applyInTurns({ bytes: Buffer.from(found.text) });
      return { answer: { kind: found.kind, text: Buffer.from(bytes).toString() }, ms };
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { lost: `${error.message} ${error.advice}`, ms: 0 };
    }
  };
}

const LOST = {
  lost: 'The server went away before it answered.',
  timeout: 'It timed out.',
  cancelled: 'It was cancelled.',
};

function indexesOf({ keys }: ReadPins, chosen: ReadonlySet<string> | undefined): ReadonlySet<number> {
  return new Set(keys.flatMap((key, index) => (chosen && !chosen.has(key) ? [] : [index])));
}

function mapIn<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = maps.get(key) ?? new Map<string, V>();
  maps.set(key, known);
  return known;
}

/** Microseconds are more than a reader needs. */
function rounded(ms: number): number {
  return Number(ms.toFixed(3));
}

/** Characters of a name in the log: more than a line shows. */
const NAME_CHARS = 300;

const PLAYING: Failure = {
  code: 'pins-playing',
  message: 'The pinned calls are being played.',
  advice: 'Wait until they are done, or stop them.',
};

const NOT_OPEN: Failure = {
  code: 'not-open',
  message: 'The connection is not open, so no call can be played.',
  advice: 'Restart it, then play the pinned calls.',
};

const NO_PINS: Failure = {
  code: 'no-pins',
  message: 'There is no pinned call to play.',
  advice: 'Pin a call from the log first.',
};

const NO_SUCH_PIN: Failure = {
  code: 'no-pin',
  message: 'The pins file no longer has that call.',
  advice: 'Look at the pins again.',
};

const NO_ANSWER: Failure = {
  code: 'no-answer',
  message: 'There is no answer to accept.',
  advice: 'Play the call, look at what changed, then accept it.',
};
