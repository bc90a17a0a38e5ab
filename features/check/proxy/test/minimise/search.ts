import { createHash } from 'node:crypto';
import { fewestMessages, type Oracle, smallestArguments } from '@/features/check/lib/minimise/minimise';
import type { PlayStep } from '@/lib/replay/compare/recorded-client';
import { countOf } from '@/lib/wire/format';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import type { TrialFailure, Trials } from './trial';

/** Starts that must fail before the search, and that are tried after it. */
export const PROOFS = 3;

/** The part of the trials that a search needs. */
type PlayedTrials = Pick<Trials, 'play' | 'count' | 'stop'>;

/** The search for the smallest session. */
export class Search {
  readonly #trials: PlayedTrials;
  readonly #jobs: number;
  readonly #show: (text: string) => void;
  readonly #tried = new Map<string, Promise<number | undefined>>();
  #best: readonly PlayStep[] | undefined;
  /** True if a session failed only when its server was ended, so that no message shows the failure. */
  #failsAtEnd = false;
  isInterrupted = false;

  constructor(trials: PlayedTrials, jobs: number, show: (text: string) => void) {
    this.#trials = trials;
    this.#jobs = jobs;
    this.#show = show;
  }

  /** Stops the search. Returns false if there is nothing to keep yet, or if it was stopped before. */
  interrupt(): boolean {
    if (!this.#best || this.isInterrupted) return false;
    this.isInterrupted = true;
    this.#trials.stop();
    return true;
  }

  /** Resolves with the smallest session found. Throws an ExitError if the whole session does not always fail. */
  async run(steps: readonly PlayStep[]): Promise<readonly PlayStep[]> {
    try {
      return await this.#smallest(steps);
    } catch (error) {
      if (this.isInterrupted) return this.#best!;
      throw error;
    }
  }

  /** Resolves with the number of starts, of `PROOFS`, in which a session fails. Records one of them. */
  async proofs(steps: readonly PlayStep[], record: string): Promise<number> {
    this.#show('Recording the result…');
    const failures = [await this.#trials.play(steps, record), ...(await this.#playSeveral(steps, PROOFS - 1))];
    return failures.filter((failure) => failure !== undefined).length;
  }

  async #smallest(steps: readonly PlayStep[]): Promise<readonly PlayStep[]> {
    this.#show(`Repeating ${countOf(steps.length, 'message')} ${PROOFS} times…`);
    const failures = (await this.#playSeveral(steps, PROOFS)).filter((failure) => failure !== undefined);
    if (failures.length < PROOFS) throw new ExitError(EXIT.serverError, notReproduced(failures.length));
    this.#failsAtEnd = failures.some(({ isAtEnd }) => isAtEnd);
    const onSmaller = (smaller: readonly PlayStep[]): void => {
      this.#best = smaller;
    };
    // Messages after the failure are not needed.
    const needed = steps.slice(0, Math.max(...failures.map(({ count }) => count)));
    onSmaller(needed);
    const oracle: Oracle = { namesMessage: !this.#failsAtEnd, play: (some) => this.#play(some) };
    const fewest = await fewestMessages(needed, oracle, this.#jobs, onSmaller);
    return smallestArguments(fewest, oracle, this.#jobs, onSmaller);
  }

  async #playSeveral(steps: readonly PlayStep[], times: number): Promise<readonly (TrialFailure | undefined)[]> {
    const failures: (TrialFailure | undefined)[] = [];
    while (failures.length < times) {
      const some = Array.from({ length: Math.min(this.#jobs, times - failures.length) }, () =>
        this.#trials.play(steps),
      );
      failures.push(...(await Promise.all(some)));
    }
    return failures;
  }

  /** Plays a session once, however often it is asked for. */
  #play(steps: readonly PlayStep[]): Promise<number | undefined> {
    const key = keyOf(steps);
    const known = this.#tried.get(key);
    if (known) return known;
    const left = countOf(this.#best!.length, 'message');
    this.#show(`${left} left after ${countOf(this.#trials.count, 'start')} of the server… Ctrl-C keeps them`);
    const played = this.#trials.play(steps).then((failure) => failure?.count);
    this.#tried.set(key, played);
    return played;
  }
}

/** Returns a key of a session: equal for equal messages. A session can have a million. */
function keyOf(steps: readonly PlayStep[]): string {
  const digest = createHash('sha256');
  for (const step of steps) digest.update(`${JSON.stringify(messageKey(step))}\n`);
  return digest.digest('base64');
}

/** Returns the place of a call with its params if they were changed, or a notification. */
function messageKey(step: PlayStep): readonly unknown[] {
  if (step.kind === 'notification') return [step.method, step.params ?? null];
  const { seq, batch, id } = step.call;
  const place = batch ? `${seq} ${id}` : seq;
  return [place, Object.hasOwn(step, 'params') && step.kind === 'call' ? step.params : null];
}

function notReproduced(times: number): string {
  if (times === 0)
    return `The failure did not happen in ${PROOFS} starts of the server. Check the command, or name the failure with \`--fail-on\`.`;
  return `The failure is flaky: it happened in ${times} of ${PROOFS} starts of the server. Remove what depends on chance or time, then try again.`;
}
