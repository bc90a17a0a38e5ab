import { setMaxListeners } from 'node:events';
import type { CheckStep, Finding } from '@/lib/check/report';
import type { Clock } from '@/lib/wire/clock';
import { isFailure } from '@/lib/wire/lifecycle';
import { ExitError } from '@/proxy/cli/exit-code';

/** Ends a session: the server is gone, hangs or floods, or the time of the whole check is over. */
export class SessionOver extends Error {}

/** The limit and advice of one step. */
interface StepLimits {
  /** Milliseconds that it may take. */
  readonly limitMs?: number;
  /** Advice if it loses the server. */
  readonly advice?: string;
}

/** Runs the steps of a check one after another, each within a time limit. */
export class StepRunner {
  readonly steps: CheckStep[] = [];
  readonly #clock: Clock;
  readonly #stepMs: number;
  readonly #onStep: (name: string) => void;
  /** Why the running step has to stop; set by {@link stop}. */
  #stop: ((why: Finding) => void) | undefined;
  #stopped: Finding | undefined;

  constructor(clock: Clock, stepMs: number, onStep: (name: string) => void) {
    this.#clock = clock;
    this.#stepMs = stepMs;
    this.#onStep = onStep;
  }

  /** Stops the running step, and every later one, with a finding. */
  stop(why: Finding): void {
    this.#stopped ??= why;
    this.#stop?.(why);
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /**
   * Runs a step and keeps its findings. A step that takes longer than its limit, or loses the server, becomes a finding
   * that names it, and SessionOver is thrown: what the server still does would be mistaken for a part of the next step.
   */
  async run(
    name: string,
    work: (signal: AbortSignal) => Promise<readonly Finding[]>,
    { limitMs = this.#stepMs, advice }: StepLimits = {},
  ): Promise<void> {
    if (this.#stopped) throw new SessionOver();
    this.#onStep(name);
    const began = this.#clock.now();
    const abort = new AbortController();
    // One step can have many requests in flight, and each listens to its signal.
    setMaxListeners(100, abort.signal);
    let callOff = (): void => {};
    const ended = new Promise<Finding>((resolve) => {
      callOff = this.#clock.after(limitMs, () => resolve(late(limitMs)));
      this.#stop = resolve;
    });
    const done = work(abort.signal).then(
      (found) => ({ found }),
      (error: unknown) => ({ over: lost(error) }),
    );
    try {
      const outcome = await Promise.race([done, ended.then((finding) => ({ over: finding }))]);
      const findings = 'over' in outcome ? [during(name, outcome.over, advice)] : outcome.found;
      this.steps.push({ name, ms: this.#clock.now() - began, findings });
      if (!('over' in outcome)) return;
      abort.abort();
      throw new SessionOver();
    } finally {
      callOff();
      this.#stop = undefined;
    }
  }

  /** Adds a step that ran elsewhere. */
  add(step: CheckStep): void {
    this.steps.push(step);
  }
}

function during(step: string, finding: Finding, advice: string | undefined): Finding {
  const isOfStep = advice !== undefined && (finding.rule === 'no-answer' || finding.rule === 'server-lost');
  return { ...finding, ...(isOfStep && { advice }), message: `During “${step}”: ${finding.message}` };
}

/** Makes the finding of a step that ended otherwise than with an answer. Throws what is a fault of ours. */
function lost(error: unknown): Finding {
  if (error instanceof ExitError) return { ...late(0), message: error.message };
  if (!isFailure(error)) throw error;
  return {
    rule: 'server-lost',
    severity: 'error',
    title: 'Server gone during a step',
    message: error.message,
    path: undefined,
    frames: [],
    advice: 'Answer bad input with an error, and keep running. See stderr of the server for the cause.',
    spec: undefined,
  };
}

function late(ms: number): Finding {
  return {
    rule: 'no-answer',
    severity: 'error',
    title: 'No answer in time',
    message: `The server did not answer within ${ms / 1000} s.`,
    path: undefined,
    frames: [],
    advice: 'Answer every request, with an error if need be. A slow server needs a larger --step-timeout.',
    spec: undefined,
  };
}
