import { setMaxListeners } from 'node:events';
import type { CheckFinding, CheckStep } from '@/features/check/lib/report';
import type { Clock } from '@/lib/wire/clock';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { ExitError } from '@/proxy/cli/exit-code';
import { UnusableAnswer } from '@/proxy/commands/headless/late-error';

/** How many times the limit a step or call gets that is asked again, because it was late. */
export const AGAIN_TIMES = 4;

/**
 * Ends a session: the server is gone, hangs or floods, or the time of the whole check is over. `lateMs`: the time after
 * which a step was given up that is to be asked again.
 */
export class SessionOver extends Error {
  readonly lateMs: number | undefined;

  constructor(lateMs?: number) {
    super();
    this.lateMs = lateMs;
  }
}

/** The limit and advice of one step. */
export interface StepLimits {
  /** Milliseconds that it may take. */
  readonly limitMs?: number;
  /** Advice if it loses the server. */
  readonly advice?: string;
  /** True for a step that is too slow at once. Otherwise it is asked again before the report says so. */
  readonly isAskedOnce?: boolean;
  /** Milliseconds that it was given before. Absent: it was not asked before. */
  readonly askedMs?: number;
}

/** Runs the steps of a check one after another, each within a time limit. */
export class StepRunner {
  readonly steps: CheckStep[] = [];
  readonly #clock: Clock;
  readonly #stepMs: number;
  readonly #onStep: (name: string) => void;
  readonly #newestFrames: () => readonly number[];
  readonly #explain: (failure: Failure) => Pick<Failure, 'message' | 'advice'>;
  /** Why the running step has to stop; set by {@link stop}. */
  #stop: ((why: CheckFinding) => void) | undefined;
  #stopped: CheckFinding | undefined;

  /**
   * `newestFrames`: the frame of the newest request, which a finding about a lost server leads to. `explain`: says why
   * a request failed.
   */
  constructor(
    clock: Clock,
    stepMs: number,
    onStep: (name: string) => void,
    newestFrames: () => readonly number[] = () => [],
    explain: (failure: Failure) => Pick<Failure, 'message' | 'advice'> = (failure) => failure,
  ) {
    this.#clock = clock;
    this.#stepMs = stepMs;
    this.#onStep = onStep;
    this.#newestFrames = newestFrames;
    this.#explain = explain;
  }

  /** Stops the running step, and every later one, with a finding. */
  stop(why: CheckFinding): void {
    this.#stopped ??= why;
    this.#stop?.(why);
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /**
   * Runs a step and keeps its findings. A step that takes longer than its limit, or loses the server, becomes a finding
   * that names it, and SessionOver is thrown: what the server still does would be mistaken for a part of the next step.
   * A step that is late for the first time makes no finding yet: the machine may be busy.
   */
  async run(
    name: string,
    work: (signal: AbortSignal) => Promise<readonly CheckFinding[]>,
    { limitMs = this.#stepMs, advice, isAskedOnce = false, askedMs }: StepLimits = {},
  ): Promise<void> {
    if (this.#stopped) throw new SessionOver();
    this.#onStep(name);
    const began = this.#clock.now();
    const abort = new AbortController();
    // One step can have many requests in flight, and each listens to its signal.
    setMaxListeners(100, abort.signal);
    let callOff = (): void => {};
    let isLate = false;
    const ended = new Promise<CheckFinding>((resolve) => {
      callOff = this.#clock.after(limitMs, () => {
        isLate = !this.#stopped;
        resolve(lateFinding(limitMs, askedMs));
      });
      this.#stop = resolve;
    });
    const done = work(abort.signal).then(
      (found) => ({ found }),
      (error: unknown) => ({ over: lost(error, this.#explain) }),
    );
    try {
      const outcome = await Promise.race([done, ended.then((finding) => ({ over: finding }))]);
      const isAskedAgain = isLate && 'over' in outcome && !isAskedOnce && askedMs === undefined;
      const findings = isAskedAgain ? [] : 'over' in outcome ? [this.#lost(name, outcome.over, advice)] : outcome.found;
      this.steps.push({ name, ms: this.#clock.now() - began, findings });
      if (!('over' in outcome)) return;
      abort.abort();
      throw new SessionOver(isAskedAgain ? limitMs : undefined);
    } finally {
      callOff();
      this.#stop = undefined;
    }
  }

  #lost(name: string, finding: CheckFinding, advice: string | undefined): CheckFinding {
    const isOfServer = finding.rule === 'no-answer' || finding.rule === 'server-lost';
    return during(name, isOfServer ? { ...finding, frames: this.#newestFrames() } : finding, advice);
  }

  /** Adds a step that ran elsewhere. */
  add(step: CheckStep): void {
    this.steps.push(step);
  }
}

/** Returns the finding of a step that could not be asked again. */
export function lateStep(name: string, limitMs: number, advice: string | undefined): CheckFinding {
  return during(name, lateFinding(limitMs), advice);
}

function during(step: string, finding: CheckFinding, advice: string | undefined): CheckFinding {
  const isOfStep = advice !== undefined && (finding.rule === 'no-answer' || finding.rule === 'server-lost');
  return { ...finding, ...(isOfStep && { advice }), message: `During “${step}”: ${finding.message}` };
}

/** Makes the finding of a step that ended otherwise than with an answer. Throws what is a fault of ours. */
function lost(error: unknown, explain: (failure: Failure) => Pick<Failure, 'message' | 'advice'>): CheckFinding {
  if (error instanceof UnusableAnswer) return { ...lateFinding(0), ...WRONG_ID, message: error.message };
  if (error instanceof ExitError) return { ...lateFinding(0), message: error.message };
  if (!isFailure(error)) throw error;
  const isGone = error.code === 'server-exited';
  const { message, advice } = explain(error);
  return {
    rule: 'server-lost',
    severity: 'error',
    // A server whose answer can't be read still runs.
    title: TITLES.get(error.code) ?? 'Request failed during a step',
    message,
    path: undefined,
    frames: [],
    advice: isGone
      ? 'Answer bad input with an error, and keep running. See stderr of the server for the cause.'
      : advice,
    spec: undefined,
  };
}

const TITLES: ReadonlyMap<string, string> = new Map([
  ['server-exited', 'Server gone during a step'],
  ['session-lost', 'Session lost during a step'],
]);

const WRONG_ID = {
  title: 'No answer with the id of the request',
  advice: 'Copy the id of each request into its response, with the same JSON type.',
};

/** `askedMs`: milliseconds that the step was given before. */
function lateFinding(ms: number, askedMs?: number): CheckFinding {
  const before = askedMs === undefined ? '' : `${askedMs / 1000} s, nor, when it was asked again, within `;
  return {
    rule: 'no-answer',
    severity: 'error',
    title: 'No answer in time',
    message: `The server did not answer within ${before}${ms / 1000} s.`,
    path: undefined,
    frames: [],
    advice: 'Answer every request, with an error if need be. A slow server needs a larger --request-timeout.',
    spec: undefined,
  };
}
