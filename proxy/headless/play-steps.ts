import type { CallPair } from '@/lib/compare/pair-calls';
import { isUnderWay, type PlayStep } from '@/lib/compare/play-plan';
import { Renaming } from '@/lib/compare/renaming';
import { staleLists } from '@/lib/compare/stale-lists';
import type { RecordedCall, RecordedSession } from '@/lib/session/recorded-session';
import type { SessionReader } from '@/lib/session/session-reader';
import { systemClock } from '@/lib/wire/clock';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { pagesOf } from './pages';
import type { Session } from './session';

/** What came of playing a session. */
export interface Played {
  /** Each recorded call with the one that was sent in its place. */
  readonly pairs: readonly CallPair[];
  /** Why the server was gone before the end. */
  readonly gone?: Failure;
}

/** What a player hears of the live session. */
type Heard = Pick<SessionReader, 'sent' | 'end'>;

/**
 * Takes the steps of a recorded session one after another: each waits for the answer to the last, since what is sent may hold
 * names that the server gave out there. Rejects with Stop when the time is up.
 */
export async function playSteps(
  steps: readonly PlayStep[],
  recorded: RecordedSession,
  session: Pick<Session, 'request' | 'play' | 'notify'>,
  heard: Heard,
): Promise<Played> {
  const player = new Player(session, heard);
  let taken = 0;
  try {
    for (const step of steps) {
      await player.take(step);
      taken++;
    }
    await player.readAgain(staleLists(recorded));
    return { pairs: player.pairs };
  } catch (error) {
    if (!isFailure(error)) throw error;
    const never = steps
      .slice(taken)
      .flatMap((left) => (left.kind === 'call' ? [{ before: left.call, after: undefined }] : []));
    return { pairs: [...player.pairs, ...never], gone: error };
  }
}

class Player {
  readonly pairs: CallPair[] = [];
  readonly #session: Pick<Session, 'request' | 'play' | 'notify'>;
  readonly #heard: Heard;
  readonly #renaming = new Renaming();

  constructor(session: Pick<Session, 'request' | 'play' | 'notify'>, heard: Heard) {
    this.#session = session;
    this.#heard = heard;
  }

  async take(step: PlayStep): Promise<void> {
    if (step.kind === 'skip') this.pairs.push({ before: step.call, after: undefined, skipped: step.why });
    else if (step.kind === 'notice') this.#session.notify(step.method, this.#renamed(step.params));
    else if (step.kind === 'list') await this.#list(step.call);
    else await this.#call(step.call, step.params);
  }

  /** Lists that have changed since they were read here, unless the recorded client left it at that, too. */
  async readAgain(leftStale: ReadonlySet<string>): Promise<void> {
    for (const method of staleLists(this.#heard.end())) {
      if (leftStale.has(method)) continue;
      for await (const _ of pagesOf(this.#session, method));
    }
  }

  /** All of it, since pages may be cut otherwise now. What is in it, the catalogue tells; that it was refused, then or now, does not. */
  async #list(before: RecordedCall): Promise<void> {
    let refused = before.answer?.kind === 'error';
    for await (const page of pagesOf(this.#session, before.method)) refused ||= page.kind === 'error';
    if (refused) this.pairs.push({ before, after: this.#newest((call) => call.method === before.method) });
  }

  async #call(before: RecordedCall, params: string | undefined): Promise<void> {
    const after = await this.#ask(before, this.#renamed(params));
    this.pairs.push({ before, after });
    if (before.answer && after?.answer) this.#renaming.learn(before.answer.text, after.answer.text);
  }

  /** A task that was over in the recording is asked for until it is over now. */
  async #ask({ method }: RecordedCall, params: string | undefined): Promise<RecordedCall | undefined> {
    for (let polls = 0; ; polls++) {
      const seq = await this.#session.play(method, params);
      const after = this.#newest((call) => call.seq === seq);
      const answer = after?.answer?.text ?? '';
      if (!isUnderWay({ method }, answer) || polls === LIMITS.taskPolls) return after;
      await new Promise<void>((resolve) => systemClock.after(LIMITS.taskPollMs, resolve));
    }
  }

  #newest(isIt: (call: RecordedCall) => boolean): RecordedCall | undefined {
    return this.#heard.sent.findLast((message): message is RecordedCall => message.kind === 'call' && isIt(message));
  }

  #renamed(params: string | undefined): string | undefined {
    return params === undefined ? undefined : this.#renaming.apply(params);
  }
}
