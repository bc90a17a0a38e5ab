import type { Allowance } from '@/features/chat/lib/chat-frame';
import type { EvalAttempt } from '@/features/evals/lib/eval-attempt';
import type {
  EvalHead,
  EvalSetup,
  EvalState,
  EvalSummary,
  EvalsReplies,
  EvalsRequest,
  PlannedServer,
} from '@/features/evals/lib/evals-api';
import { expectationWords } from '@/features/evals/lib/expectation-words';
import { CasesError } from '@/features/evals/lib/read-cases';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import { type Clock, momentNow } from '@/lib/wire/clock';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { ExitError, selfFailure } from '@/proxy/cli/exit-code';
import type { RunnerOptions } from './case-runner';
import type { EvalPlan } from './eval-plan';
import { EvalSession } from './eval-session';
import { type EvalWriter, type KeptAttempt, type KeptEvals, summaryOf } from './kept-evals';

/** Attempts that run at a time. */
const JOBS = 2;
/** Evals that run at a time. */
const MOST_RUNNING = 3;

/** Cases with their models and servers, before anything was started. */
export interface PreparedEval {
  readonly plan: EvalPlan;
  readonly servers: readonly PlannedServer[];
  readonly secrets: CaptureRedactor;
  /** Resolves if the servers may be started. Rejects with a ConnectionError. */
  agree(): Promise<void>;
}

/** The proxy's services for evals of the page. */
export interface EvalsHost {
  readonly clock: Clock;
  /** Absent: nothing is kept or recorded. */
  readonly kept: KeptEvals | undefined;
  /** Lists the files of the working directory that hold cases. */
  files(): Promise<readonly string[]>;
  /** Reads one of them. Rejects with a Failure or an ExitError. */
  readFile(name: string): Promise<string>;
  /** Rejects with a Failure or an ExitError. */
  prepare(setup: EvalSetup): Promise<PreparedEval>;
  /** Bounds the checks of schemas. */
  readonly within: TimeLimit;
  /** Returns how attempts are recorded. */
  recording(writer: EvalWriter | undefined, secrets: CaptureRedactor): Pick<RunnerOptions, 'recordingPath' | 'newLog'>;
  /** Opens a recording as a connection, and returns its id. */
  open(path: string): Promise<string>;
  /** Prints a sentence in the terminal. */
  print(sentence: string): void;
}

/** An eval that was started in this run of mcp-inspect. */
interface LiveEval {
  readonly head: EvalHead;
  readonly session: EvalSession;
  readonly made: EvalAttempt[];
  readonly ended: Promise<void>;
  state: EvalState;
  problem?: string;
}

/** The evals of the page. */
export class PageEvals {
  readonly #host: EvalsHost;
  readonly #live = new Map<string, LiveEval>();
  #unkept = 0;
  #isClosed = false;

  constructor(host: EvalsHost) {
    this.#host = host;
  }

  get isRunning(): boolean {
    return this.#running.length > 0;
  }

  /** Carries out a request of the page. Rejects with a Failure. */
  async run(request: EvalsRequest): Promise<unknown> {
    try {
      return await (HANDLERS[request.kind] as Handler<EvalsRequest>)(this, request);
    } catch (error) {
      if (!(error instanceof ExitError)) throw error;
      throw new ConnectionError({ code: 'bad-eval', message: error.message, advice: 'Correct it, then try again.' });
    }
  }

  /** Stops all evals, and ends their servers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { session } of this.#running) session.stop();
    await Promise.all(this.#running.map(({ ended }) => ended));
  }

  async list(): Promise<EvalsReplies['list']> {
    const { kept } = this.#host;
    const ids = kept?.ids() ?? [];
    const evals = [...this.#live.values()]
      .filter(({ head }) => !ids.includes(head.id))
      .map(summaryOfLive)
      .reverse();
    for (const id of ids) {
      const summary = await this.#summary(id).catch(() => undefined);
      if (summary) evals.push(summary);
    }
    return { evals, files: await this.#host.files(), keepsNothing: kept === undefined };
  }

  async readFile(name: string): Promise<EvalsReplies['file']> {
    return { text: await this.#host.readFile(name) };
  }

  async plan(setup: EvalSetup): Promise<EvalsReplies['plan']> {
    const { plan, servers } = await this.#host.prepare(setup);
    const { settings, models, repeats } = plan;
    return {
      cases: settings.cases.map(({ name, line, prompt, expect }) => ({
        name,
        line,
        prompt,
        expects: expectationWords(expect),
      })),
      models: models.map(({ id }) => id),
      repeats,
      servers,
      attempts: settings.cases.length * models.length * repeats,
    };
  }

  async start(setup: EvalSetup): Promise<string> {
    this.#requireRoom();
    const prepared = await this.#host.prepare(setup);
    const { settings, models, repeats } = prepared.plan;
    const planned = settings.cases.length * models.length * repeats;
    await prepared.agree();
    this.#requireOpen();
    const about = {
      at: momentNow(this.#host.clock).at,
      title: setup.name,
      cases: settings.cases.length,
      models: models.map(({ id }) => id),
      planned,
      from: { page: setup },
    };
    const writer = await this.#host.kept?.create(about, prepared.secrets);
    const head = writer?.head ?? { ...about, id: `unkept-${++this.#unkept}` };
    await this.#begin(head, setup.allow, prepared, writer, []);
    return head.id;
  }

  async resume(id: string): Promise<void> {
    this.#requireRoom();
    if (this.#live.get(id)?.state === 'running') throw new ConnectionError(RUNS);
    if (!this.#host.kept) throw new ConnectionError(NOT_KEPT);
    const { from } = (await this.#host.kept.readToResume(id)).head;
    if (!('page' in from)) throw new ConnectionError(OF_TERMINAL(id));
    const prepared = await this.#host.prepare(from.page);
    await prepared.agree();
    this.#requireOpen();
    const { kept, writer } = await this.#host.kept.continue(id);
    await this.#begin(kept.head, from.page.allow, prepared, writer, kept.attempts);
  }

  stop(id: string): void {
    this.#live.get(id)?.session.stop();
  }

  async forget(id: string): Promise<void> {
    const live = this.#live.get(id);
    live?.session.stop();
    await live?.ended;
    this.#live.delete(id);
    if (this.#host.kept?.ids().includes(id)) await this.#host.kept.delete(id);
  }

  async read(id: string, after = 0): Promise<EvalsReplies['read']> {
    const live = this.#live.get(id);
    if (live) return { summary: summaryOfLive(live), attempts: live.made.slice(after) };
    const { attempts } = await this.#kept.read(id);
    return { summary: await this.#kept.summary(id), attempts: attempts.slice(after).map(({ attempt }) => attempt) };
  }

  async open(id: string, number: number, connection: string | undefined): Promise<string> {
    const live = this.#live.get(id);
    const attempts = live?.made ?? (await this.#kept.read(id)).attempts.map(({ attempt }) => attempt);
    const attempt = attempts.find((one) => one.number === number);
    const server = attempt?.servers?.find((one) => one.connection === connection);
    const path = connection === undefined ? attempt?.recording : server?.recording;
    if (path === undefined) throw new ConnectionError(NOT_RECORDED);
    return this.#host.open(path);
  }

  get #running(): readonly LiveEval[] {
    return [...this.#live.values()].filter(({ state }) => state === 'running');
  }

  #requireRoom(): void {
    if (this.#running.length >= MOST_RUNNING) throw new ConnectionError(TOO_MANY);
  }

  /** Throws a ConnectionError once mcp-inspect ends, which may be while somebody is asked. */
  #requireOpen(): void {
    if (this.#isClosed) throw new ConnectionError(CLOSED);
  }

  async #begin(
    head: EvalHead,
    allow: Allowance,
    { plan, secrets }: PreparedEval,
    writer: EvalWriter | undefined,
    earlier: readonly KeptAttempt[],
  ): Promise<void> {
    if (this.#isClosed) await writer?.end(false);
    this.#requireOpen();
    const session = new EvalSession([plan], {
      allow,
      jobs: JOBS,
      secrets,
      earlier,
      within: this.#host.within,
      ...this.#host.recording(writer, secrets),
    });
    const made: EvalAttempt[] = [...session.attempts];
    const live: LiveEval = { head, session, made, state: 'running', ended: Promise.resolve() };
    this.#live.set(head.id, Object.assign(live, { ended: this.#lead(live, writer) }));
  }

  /** Leads an eval to its end. Never rejects. */
  async #lead(live: LiveEval, writer: EvalWriter | undefined): Promise<void> {
    const { session, made, head } = live;
    let isDone = false;
    try {
      await session.check();
      isDone = await session.run(writer, (attempt) => made.push(attempt));
      if (writer?.failure !== undefined) live.problem = writer.failure;
    } catch (error) {
      live.problem = this.#sentenceOf(error);
    }
    await session.close().catch(() => {});
    await writer?.end(isDone);
    // A mistake in the cases leaves nothing that is worth keeping, unless there were earlier runs.
    const isEmpty = made.length === 0 && writer?.part === 1;
    if (isEmpty && live.problem !== undefined) await this.#host.kept?.delete(head.id).catch(() => {});
    live.state = isDone ? 'done' : 'stopped';
  }

  #sentenceOf(error: unknown): string {
    if (error instanceof ExitError || error instanceof CasesError) return error.message;
    if (isFailure(error)) return `${error.message} ${error.advice}`;
    this.#host.print(selfFailure(error));
    return 'mcp-inspect itself failed. Its terminal says more.';
  }

  get #kept(): KeptEvals {
    if (!this.#host.kept) throw new ConnectionError(NOT_KEPT);
    return this.#host.kept;
  }

  async #summary(id: string): Promise<EvalSummary> {
    const live = this.#live.get(id);
    return live ? summaryOfLive(live) : this.#kept.summary(id);
  }
}

function summaryOfLive({ head, made, state, problem }: LiveEval): EvalSummary {
  return { ...summaryOf(head, made, state), ...(problem !== undefined && { problem }) };
}

type Handler<R extends EvalsRequest> = (
  evals: PageEvals,
  request: R,
) => R['kind'] extends keyof EvalsReplies ? EvalsReplies[R['kind']] | Promise<EvalsReplies[R['kind']]> : unknown;

const HANDLERS: { readonly [K in EvalsRequest['kind']]: Handler<Extract<EvalsRequest, { readonly kind: K }>> } = {
  list: (evals) => evals.list(),
  file: (evals, { name }) => evals.readFile(name),
  plan: (evals, { setup }) => evals.plan(setup),
  start: async (evals, { setup }) => ({ id: await evals.start(setup) }),
  resume: (evals, { id }) => evals.resume(id),
  stop: (evals, { id }) => evals.stop(id),
  forget: (evals, { id }) => evals.forget(id),
  read: (evals, { id, after }) => evals.read(id, after),
  open: async (evals, { id, attempt, connection }) => ({ connection: await evals.open(id, attempt, connection) }),
};

const TOO_MANY: Failure = {
  code: 'too-many-evals',
  message: `${MOST_RUNNING} evals are running.`,
  advice: 'Stop one, or wait until it ends.',
};

const CLOSED: Failure = {
  code: 'closed',
  message: 'mcp-inspect is ending, so no eval was started.',
  advice: 'Start it again.',
};

const RUNS: Failure = {
  code: 'eval-runs',
  message: 'This eval is running.',
  advice: 'Wait until it ends, or stop it.',
};

const NOT_KEPT: Failure = {
  code: 'no-eval',
  message: 'That eval is gone, because this run keeps nothing (`--record off`).',
  advice: 'Start it again.',
};

const NOT_RECORDED: Failure = {
  code: 'not-recorded',
  message: 'This run was not recorded.',
  advice: 'Add `--out FOLDER` in the terminal, or run it on the page.',
};

const OF_TERMINAL = (id: string): Failure => ({
  code: 'eval-of-terminal',
  message: 'This eval was started in a terminal.',
  advice: `Continue it there with \`mcp-inspect eval --resume ${id}\`.`,
});
