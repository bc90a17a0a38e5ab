import type { CallPair } from '@/lib/compare/pair-calls';
import { isUnderWay, type PlayStep } from '@/lib/compare/play-plan';
import { Renaming } from '@/lib/compare/renaming';
import type { RecordedCall, RecordedSession } from '@/lib/session/recorded-session';
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

/**
 * Takes the steps one after another: each waits for the answer to the last, since what is sent may hold names that the server
 * gave out there. `soFar` is the live session as it is. Rejects with Stop when the time is up.
 */
export async function playSteps(
  steps: readonly PlayStep[],
  session: Pick<Session, 'request' | 'play' | 'notify'>,
  soFar: () => RecordedSession,
): Promise<Played> {
  const player = new Player(session, soFar);
  for (const [at, step] of steps.entries()) {
    try {
      await player.take(step);
    } catch (error) {
      if (!isFailure(error)) throw error;
      const never = steps
        .slice(at)
        .flatMap((left) => (left.kind === 'call' ? [{ before: left.call, after: undefined }] : []));
      return { pairs: [...player.pairs, ...never], gone: error };
    }
  }
  return { pairs: player.pairs };
}

class Player {
  readonly pairs: CallPair[] = [];
  readonly #session: Pick<Session, 'request' | 'play' | 'notify'>;
  readonly #soFar: () => RecordedSession;
  readonly #renaming = new Renaming();

  constructor(session: Pick<Session, 'request' | 'play' | 'notify'>, soFar: () => RecordedSession) {
    this.#session = session;
    this.#soFar = soFar;
  }

  async take(step: PlayStep): Promise<void> {
    if (step.kind === 'skip') this.pairs.push({ before: step.call, after: undefined, skipped: step.why });
    else if (step.kind === 'notice') this.#session.notify(step.method, this.#renamed(step.params));
    else if (step.kind === 'list') await this.#list(step.call);
    else await this.#call(step.call, step.params);
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
    const { sent } = this.#soFar();
    return sent.findLast((message): message is RecordedCall => message.kind === 'call' && isIt(message));
  }

  #renamed(params: string | undefined): string | undefined {
    return params === undefined ? undefined : this.#renaming.apply(params);
  }
}
