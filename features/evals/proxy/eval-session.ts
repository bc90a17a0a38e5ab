import { createHash } from 'node:crypto';
import type { Allowance, OfferedTool } from '@/features/chat/lib/chat-frame';
import type { Model } from '@/features/chat/lib/model';
import { attemptOf } from '@/features/evals/lib/attempt';
import type { EvalAttempt } from '@/features/evals/lib/eval-attempt';
import type { EvalCase } from '@/features/evals/lib/eval-case';
import { type PlannedRun, planRuns, runAll } from '@/features/evals/lib/run-evals';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { CaseRunner, NOT_STARTED, type RunnerOptions } from './case-runner';
import { checkAllowance, type EvalPlan, unknownNameError } from './eval-plan';
import type { EvalWriter, KeptAttempt } from './kept-evals';

interface SessionOptions extends RunnerOptions {
  readonly allow: Allowance;
  readonly jobs: number;
  /** Knows what is masked in attempts. */
  readonly secrets: CaptureRedactor;
  /** Bounds the check of a schema. */
  readonly within: TimeLimit;
  /** Attempts of an earlier part of this eval. */
  readonly earlier?: readonly KeptAttempt[];
}

/** One planned attempt. */
interface Planned {
  readonly runner: CaseRunner;
  readonly one: PlannedRun<EvalCase, Model>;
  /** From 1, among all attempts. */
  readonly number: number;
  readonly key: string;
}

/** An eval while it runs, in a terminal or for the page. */
export class EvalSession {
  readonly #options: SessionOptions;
  readonly #plans: readonly EvalPlan[];
  readonly #runners: readonly CaseRunner[];
  readonly #planned: readonly Planned[];
  readonly #made = new Map<number, EvalAttempt>();
  readonly #stop = new AbortController();

  constructor(plans: readonly EvalPlan[], options: SessionOptions) {
    this.#options = options;
    this.#plans = plans;
    this.#runners = plans.map((plan, index) => new CaseRunner(plan, index + 1, options));
    const all = plans.flatMap((plan, index) => {
      const runs = planRuns(plan.settings.cases, plan.models, plan.repeats);
      return runs.map((one) => ({ runner: this.#runners[index]!, one, key: keyOf(plan, one, options.allow) }));
    });
    this.#planned = all.map((entry, index) => ({ ...entry, number: index + 1 }));
    const earlier = new Map(options.earlier?.map(({ key, attempt }) => [key, attempt]));
    for (const { key, number } of this.#planned) {
      const attempt = earlier.get(key);
      // Errors are made again.
      if (attempt && attempt.error === undefined) this.#made.set(number, { ...attempt, number });
    }
  }

  /** Attempts in all, and those that are made. */
  get counts(): { readonly planned: number; readonly made: number } {
    return { planned: this.#planned.length, made: this.#made.size };
  }

  /** The attempts that are made, in the planned order. */
  get attempts(): readonly EvalAttempt[] {
    return this.#planned.flatMap(({ number }) => this.#made.get(number) ?? []);
  }

  /** No attempt had its servers. */
  get hadNoServers(): boolean {
    return this.#made.size > 0 && this.attempts.every(({ error }) => error === NOT_STARTED);
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Begins no further attempt, and ends those that run. */
  stop(): void {
    this.#stop.abort();
  }

  /**
   * Starts the servers, and compares what cases and the allowance name with their tools. Rejects with a CasesError for
   * a name that no server has, before a model was asked.
   */
  async check(): Promise<void> {
    if (this.#made.size === this.#planned.length) return;
    const offered: OfferedTool[] = [];
    let isWhole = true;
    for (const [index, runner] of this.#runners.entries()) {
      const { unknown, tools } = await runner.checkNames();
      const [first] = unknown;
      if (first) throw unknownNameError(this.#plans[index]!.file, first);
      if (tools) offered.push(...tools);
      else isWhole = false;
    }
    if (isWhole) checkAllowance(this.#options.allow, offered);
  }

  /**
   * Makes the attempts that are missing. `onMade` gets each. Resolves with true once all are made, or false if it was
   * stopped. Rejects if a recording can’t be written.
   */
  async run(writer: EvalWriter | undefined, onMade: (attempt: EvalAttempt) => void): Promise<boolean> {
    const { signal } = this.#stop;
    await runAll(
      this.#planned.filter(({ number }) => !this.#made.has(number)),
      this.#options.jobs,
      async ({ runner, one, number, key }) => {
        const attempt = this.#masked(attemptOf(await runner.run(one, number, signal), number, this.#options.within));
        // A server that is ended by stopping looks like one that did not start.
        signal.throwIfAborted();
        this.#made.set(number, attempt);
        writer?.add({ key, attempt });
        onMade(attempt);
        return attempt;
      },
      signal,
    );
    return this.#made.size === this.#planned.length;
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    this.stop();
    await Promise.all(this.#runners.map((runner) => runner.close()));
  }

  /** Masks what models and servers wrote, as recordings do. */
  #masked(attempt: EvalAttempt): EvalAttempt {
    const { reasons, text, calls } = attempt;
    const bytes = Buffer.from(JSON.stringify({ reasons, text, calls }));
    const masked = this.#options.secrets.fork().apply({ bytes }).bytes;
    return {
      ...attempt,
      ...(JSON.parse(Buffer.from(masked).toString()) as Pick<EvalAttempt, 'reasons' | 'text' | 'calls'>),
    };
  }
}

/** Digits of a key. */
const KEY_DIGITS = 20;

/** Returns a digest of all that decides an attempt. A changed case has another one, so its attempts are made again. */
function keyOf(
  { file, settings, given }: EvalPlan,
  { case: one, model, repeat }: PlannedRun<EvalCase, Model>,
  allow: Allowance,
): string {
  const { system, temperature, toolMode, limits } = settings;
  const about = [
    file,
    { ...one, line: undefined, answers: [...one.answers] },
    { system, temperature, toolMode, limits },
    given,
    allow,
    model.id,
    model.digest,
    repeat,
  ];
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, KEY_DIGITS);
}
